// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/topo_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace railyard {

namespace {

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// A number that a letter stands before: P17.
std::optional<int> number_after(char letter, std::string_view word) {
  if (word.size() < 2 || word.front() != letter) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number < 1) return std::nullopt;
  return number;
}

/// "-4x-100G->": four lanes of 100 Gb/s.
std::optional<Bandwidth> speed_of(std::string_view word) {
  if (!word.starts_with('-') || !word.ends_with("G->")) return std::nullopt;
  word = word.substr(1, word.size() - 4);
  const std::size_t cross = word.find("x-");
  if (cross == std::string_view::npos) return std::nullopt;
  int lanes = 0;
  double rate = 0;
  const std::string_view count = word.substr(0, cross), each = word.substr(cross + 2);
  const auto [count_end, count_error] = std::from_chars(count.data(), count.data() + count.size(), lanes);
  const auto [rate_end, rate_error] = std::from_chars(each.data(), each.data() + each.size(), rate);
  const bool read = count_error == std::errc() && count_end == count.data() + count.size() &&
                    rate_error == std::errc() && rate_end == each.data() + each.size();
  if (!read || lanes < 1 || lanes > 64 || !(rate > 0) || !(rate < 1e6)) return std::nullopt;
  return lanes * rate * gigabit_per_second;
}

class TopoReader {
 public:
  TopoReader(const NamedFabric& plan, AsBuilt& built) : built_(built) {
    for (std::size_t i = 0; i < plan.fabric.links().size(); ++i) {
      const Link& link = plan.fabric.links()[i];
      ports_[plan.devices[static_cast<std::size_t>(link.lower)]][link.lower_port + 1] = plan.ports[i].lower;
      ports_[plan.devices[static_cast<std::size_t>(link.upper)]][link.upper_port + 1] = plan.ports[i].upper;
    }
  }

  void line(std::string_view text, int number) {
    text_ = text;
    number_ = number;
    if (const auto fault = text_fault(text, Layout::lines))
      refuse(text.substr(0, 0), fault->what, "expected plain text");
    const std::vector<std::string_view> words = words_of_line(text);
    if (words.empty() || words.front().starts_with('#')) return;
    if (text.front() != ' ' && text.front() != '\t') {
      if (words.size() != 2) refuse(words.front(), fmt::format("{} words", words.size()), "expected MODEL SYSTEM");
      system_ = name(words[1]);
      return;
    }
    if (system_.empty()) refuse(words.front(), "a port before its system", "expected MODEL SYSTEM first");
    if (words.size() != 5) {
      refuse(words.front(), fmt::format("{} words", words.size()), "expected P2 -4x-100G-> MODEL SYSTEM P7");
    }
    const std::optional<Bandwidth> speed = speed_of(words[1]);
    if (!speed) refuse(words[1], fmt::format("found '{}'", shortened(words[1])), "expected lanes and rate: -4x-100G->");
    LinkEnds link{system_, port(system_, words[0]), name(words[3]), {}, number, *speed};
    link.port_b = port(link.device_b, words[4]);
    std::pair<std::string, std::string> a{link.device_a, link.port_a}, b{link.device_b, link.port_b};
    if (b < a) std::swap(a, b);
    if (seen_.emplace(std::move(a), std::move(b)).second) built_.links.push_back(std::move(link));
  }

 private:
  [[noreturn]] void refuse(std::string_view at, std::string message, std::string expected) const {
    throw InputError({Diagnostic{.file = built_.file,
                                 .line = number_,
                                 .column = static_cast<int>(at.data() - text_.data()) + 1,
                                 .message = std::move(message),
                                 .source_line = std::string(text_.substr(0, 500)),
                                 .width = static_cast<int>(std::max<std::size_t>(at.size(), 1)),
                                 .expected = std::move(expected)}});
  }

  [[nodiscard]] std::string name(std::string_view word) const {
    if (word.size() > longest_wiring_name) {
      refuse(word, "a name that is too long", fmt::format("expected at most {} characters", longest_wiring_name));
    }
    return std::string(word);
  }

  /// P17 of a switch by the plan's name for it; mlx5_0/P1 of a host without the port of the card.
  [[nodiscard]] std::string port(const std::string& device, std::string_view word) const {
    if (const std::size_t slash = word.rfind('/'); slash != std::string_view::npos && slash > 0) {
      return name(word.substr(0, slash));
    }
    const std::optional<int> number = number_after('P', word);
    if (!number) refuse(word, fmt::format("found '{}'", shortened(word)), "expected a port: P7, or mlx5_0/P1");
    const auto known = ports_.find(device);
    if (known == ports_.end()) return name(word);
    const auto found = known->second.find(*number);
    return found == known->second.end() ? name(word) : found->second;
  }

  AsBuilt& built_;
  std::unordered_map<std::string, std::map<int, std::string>> ports_;
  std::set<std::pair<std::pair<std::string, std::string>, std::pair<std::string, std::string>>> seen_;
  std::string_view text_;
  int number_ = 0;
  std::string system_;
};

/// Calls `action` with every line, without its end (LF, CR LF), and its number; a byte-order mark is passed over.
template <class Action>
void each_line(std::string_view text, const Action& action) {
  text = without_byte_order_mark(text);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    action(line, number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace

bool is_topo(std::string_view text) {
  constexpr std::size_t looked_at = 4096;
  const std::string_view head = text.substr(0, looked_at);
  return head.find("G->") != std::string_view::npos &&
         head.substr(0, head.find('\n')).find(',') == std::string_view::npos;
}

void read_topo(std::string_view text, const NamedFabric& plan, AsBuilt& built) {
  TopoReader reader(plan, built);
  each_line(text, [&](std::string_view line, int number) { reader.line(line, number); });
}

}  // namespace railyard
