// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/yaml_tree.h"

namespace railyard {
namespace {

constexpr std::size_t largest_yaml = 8U << 20U;

std::string_view kind_name(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::map:
      return "a map";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::scalar:
      return "a value";
    case YamlNode::Kind::null:
      break;
  }
  return "nothing";
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '-') digits.remove_prefix(1);
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

YamlDocument::YamlDocument(std::string name, std::shared_ptr<const std::string> text,
                           std::shared_ptr<const YamlNode> root)
    : name_(std::move(name)), text_(std::move(text)), root_(std::move(root)) {}

YamlDocument YamlDocument::parse(std::string text, std::string name) {
  if (text.size() > largest_yaml) {
    throw InputError(
        {Diagnostic{.file = name, .message = "the file is too large", .expected = "expected at most 8 MiB of YAML"}});
  }
  auto root = std::make_shared<const YamlNode>(parse_yaml(text, name));
  return {std::move(name), std::make_shared<const std::string>(std::move(text)), std::move(root)};
}

YamlDocument YamlDocument::load(const std::filesystem::path& path) { return parse(read_file(path), path.string()); }

YamlDocument YamlDocument::with(std::string_view key_path, std::string_view value) const {
  YamlNode root = *root_;
  set_value(root, key_path, parse_yaml(std::string(value), fmt::format("{}={}", key_path, shortened(value))));
  return {name_, text_, std::make_shared<const YamlNode>(std::move(root))};
}

YamlMap YamlDocument::root(Diagnostics& diagnostics) const {
  YamlMap map(root_.get(), root_.get(), "", root_, &diagnostics);
  if (root_->kind != YamlNode::Kind::map) {
    map.report(root_.get(), "", fmt::format("found {}", kind_name(root_->kind)), "expected a map of keys");
    map.node_ = nullptr;
  }
  return map;
}

YamlMap::YamlMap(const YamlNode* node, const YamlNode* at, std::string path,
                 const std::shared_ptr<const YamlNode>& keep, Diagnostics* diagnostics)
    : node_(node), at_(at), path_(std::move(path)), keep_(keep), diagnostics_(diagnostics) {}

std::string YamlMap::join(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void YamlMap::report(const YamlNode* at, std::string path, std::string message, std::string expected) {
  if (node_ == nullptr && at == nullptr) return;
  Diagnostic diagnostic;
  diagnostic.path = std::move(path);
  diagnostic.message = std::move(message);
  diagnostic.expected = std::move(expected);
  if (at != nullptr && at->source) {
    diagnostic.file = at->source->name;
    diagnostic.line = at->line;
    diagnostic.column = at->column;
    const auto line = static_cast<std::size_t>(at->line);
    if (line >= 1 && line <= at->source->lines.size()) diagnostic.source_line = at->source->lines[line - 1];
    diagnostic.width = static_cast<int>(std::clamp<std::size_t>(at->text.size(), 1, 80));
  }
  diagnostics_->add(std::move(diagnostic));
}

bool YamlMap::has(std::string_view key) const {
  if (std::find(offered_.begin(), offered_.end(), key) == offered_.end()) offered_.emplace_back(key);
  return node_ != nullptr && node_->find(key) != nullptr;
}

std::vector<std::string> YamlMap::keys() const {
  std::vector<std::string> names;
  if (node_ != nullptr) {
    for (const YamlEntry& entry : node_->entries) names.push_back(entry.key.text);
  }
  return names;
}

const YamlNode* YamlMap::find(std::string_view key) {
  if (node_ == nullptr) return nullptr;
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const YamlEntry* entry = node_->find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

const YamlNode* YamlMap::need(std::string_view key) {
  const YamlNode* value = find(key);
  if (value == nullptr && node_ != nullptr) report(at_, path_, fmt::format("the key '{}' is missing", key), {});
  return value;
}

const YamlNode* YamlMap::scalar(std::string_view key) {
  const YamlNode* value = need(key);
  if (value != nullptr && value->kind != YamlNode::Kind::scalar) {
    report(value, join(key), fmt::format("found {}", kind_name(value->kind)), "expected a value");
    return nullptr;
  }
  return value;
}

std::string YamlMap::text(std::string_view key) {
  const YamlNode* value = scalar(key);
  if (value != nullptr && value->text.empty()) report(value, join(key), "the text is empty", "expected some text");
  return value == nullptr ? std::string() : value->text;
}

std::string YamlMap::text(std::string_view key, std::string fallback) {
  return find(key) == nullptr ? std::move(fallback) : text(key);
}

std::vector<std::string> YamlMap::texts(std::string_view key) {
  std::vector<std::string> result;
  const YamlNode* value = need(key);
  if (value == nullptr) return result;
  if (value->kind != YamlNode::Kind::list) {
    report(value, join(key), fmt::format("found {}", kind_name(value->kind)), "expected a list of names: [a, b]");
    return result;
  }
  for (const YamlNode& item : value->items) {
    if (item.kind == YamlNode::Kind::scalar && !item.text.empty()) {
      result.push_back(item.text);
    } else {
      report(&item, join(key), fmt::format("found {}", kind_name(item.kind)), "expected a name");
    }
  }
  return result;
}

std::int64_t YamlMap::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return low;
  const std::optional<std::int64_t> number = whole_number(value->text);
  if (!number || *number < low || *number > high) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected a whole number from {} to {}", low, high));
    return low;
  }
  return *number;
}

std::int64_t YamlMap::integer(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t fallback) {
  return find(key) == nullptr ? fallback : integer(key, low, high);
}

std::vector<std::int64_t> YamlMap::integers(std::string_view key, std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> result;
  const YamlNode* value = need(key);
  if (value == nullptr) return result;
  const std::string expected = fmt::format("expected a list of whole numbers from {} to {}: [1024, 2048]", low, high);
  if (value->kind != YamlNode::Kind::list || value->items.empty()) {
    report(value, join(key),
           fmt::format("found {}", value->kind == YamlNode::Kind::list ? "an empty list" : kind_name(value->kind)),
           expected);
    return result;
  }
  for (const YamlNode& item : value->items) {
    const std::optional<std::int64_t> number =
        item.kind == YamlNode::Kind::scalar ? whole_number(item.text) : std::nullopt;
    if (number && *number >= low && *number <= high) {
      result.push_back(*number);
    } else {
      report(&item, join(key), fmt::format("found '{}'", shortened(item.text)), expected);
    }
  }
  return result;
}

double YamlMap::number(std::string_view key, double low, double high) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return low;
  const QuantityText parsed = parse_number(value->text);
  if (!parsed.ok() || parsed.base < low || parsed.base > high) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected a number from {:g} to {:g}", low, high));
    return low;
  }
  return parsed.base;
}

double YamlMap::number(std::string_view key, double low, double high, double fallback) {
  return find(key) == nullptr ? fallback : number(key, low, high);
}

bool YamlMap::flag(std::string_view key, bool fallback) {
  if (find(key) == nullptr) return fallback;
  const YamlNode* value = scalar(key);
  if (value == nullptr) return fallback;
  if (value->text != "true" && value->text != "false") {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)), "expected true or false");
  }
  return value->text == "true";
}

InterestRate YamlMap::interest(std::string_view key) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return {};
  const InterestText parsed = parse_interest(value->text);
  if (!parsed.error.empty()) report(value, join(key), fmt::format("found '{}'", shortened(value->text)), parsed.error);
  return parsed.rate;
}

double YamlMap::share(std::string_view key, double high) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 0;
  const QuantityText parsed = parse_quantity(value->text, units::share);
  if (!parsed.ok() || parsed.base < 0 || parsed.base > high) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           parsed.ok() ? fmt::format("expected a share from 0 to {:g} %", high * 100) : parsed.error);
    return 0;
  }
  return parsed.base;
}

double YamlMap::base_value(std::string_view key, const UnitKind& kind, Bound bound) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 0;
  const QuantityText parsed = parse_quantity(value->text, kind);
  if (!parsed.ok()) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)), parsed.error);
    return 0;
  }
  const bool inside = bound == Bound::any || (bound == Bound::positive ? parsed.base > 0 : parsed.base >= 0);
  if (!inside) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected {} {}", kind.what, bound == Bound::positive ? "above zero" : "that is not negative"));
  }
  return parsed.base;
}

Evidence YamlMap::evidence(const Sources& sources) {
  Evidence evidence;
  const bool sourced = has("source");
  if (sourced) {
    const std::string id = text("source");
    if (const auto found = sources.find(id); found != sources.end()) {
      evidence = found->second;
    } else {
      std::vector<std::string> names;
      for (const auto& [name, source] : sources) names.push_back(name);
      fail_unknown("source", "source", names);
    }
  }
  evidence.kind = sourced ? EvidenceKind::sourced : EvidenceKind::assumed;
  if (has("assumed")) {
    evidence.kind = EvidenceKind::assumed;
    evidence.rule = text("assumed");
  }
  if (has("derived")) evidence.rule = text("derived");
  if (!sourced && !has("assumed") && node_ != nullptr) {
    report(at_, path_, "a figure without evidence", "add 'source: ID' (an entry of sources) or 'assumed: RULE'");
  }
  return evidence;
}

namespace {
/// One figure's value or range, read by `read(key)`; low <= typical <= high is checked.
template <class Read>
Range<double> read_range(YamlMap& map, const Read& read) {
  if (map.has("value")) {
    if (map.has("low") || map.has("typical") || map.has("high")) {
      map.fail("value", "a value beside a range", "write either 'value' or 'low', 'typical' and 'high'");
    }
    for (const char* key : {"low", "typical", "high"}) {
      if (map.has(key)) read(key);
    }
    return Range<double>::exactly(read("value"));
  }
  const Range<double> range{read("low"), read("typical"), read("high")};
  if (range.low > range.typical || range.typical > range.high) {
    map.fail("typical", "the range is out of order", "expected low <= typical <= high");
  }
  return range;
}
}  // namespace

Figure<double> YamlMap::base_figure(std::string_view key, const UnitKind& kind, const Sources& sources, Bound bound) {
  YamlMap figure = map(key);
  if (figure.node_ == nullptr) return {};
  Figure<double> result;
  result.value = read_range(figure, [&](std::string_view part) { return figure.base_value(part, kind, bound); });
  result.evidence = figure.evidence(sources);
  figure.finish();
  return result;
}

Figure<double> YamlMap::number_figure(std::string_view key, const Sources& sources, double low, double high) {
  YamlMap figure = map(key);
  if (figure.node_ == nullptr) return {};
  Figure<double> result;
  result.value = read_range(figure, [&](std::string_view part) {
    const YamlNode* value = figure.scalar(part);
    if (value == nullptr) return low;
    const bool percent = !value->text.empty() && value->text.back() == '%';
    const QuantityText parsed = percent ? parse_quantity(value->text, units::share) : parse_number(value->text);
    if (!parsed.ok() || parsed.base < low || parsed.base > high) {
      figure.report(value, figure.join(part), fmt::format("found '{}'", shortened(value->text)),
                    fmt::format("expected a number from {:g} to {:g} (or a share in %)", low, high));
      return low;
    }
    return parsed.base;
  });
  result.evidence = figure.evidence(sources);
  figure.finish();
  return result;
}

Figure<InterestRate> YamlMap::interest_figure(std::string_view key, const Sources& sources) {
  YamlMap figure = map(key);
  if (figure.node_ == nullptr) return {};
  Figure<InterestRate> result;
  const auto order = [](const InterestRate& a, const InterestRate& b) {
    return a.compounding == b.compounding && a.per_year <= b.per_year;
  };
  if (figure.has("value")) {
    result.value = Range<InterestRate>::exactly(figure.interest("value"));
  } else {
    result.value = {figure.interest("low"), figure.interest("typical"), figure.interest("high")};
    if (!order(result.value.low, result.value.typical) || !order(result.value.typical, result.value.high)) {
      figure.fail("typical", "the range is out of order", "expected low <= typical <= high, all of one compounding");
    }
  }
  result.evidence = figure.evidence(sources);
  figure.finish();
  return result;
}

std::int64_t YamlMap::counted(std::string_view key, std::string_view word) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 1;
  std::string_view number = value->text;
  if (number.ends_with(word)) {
    number.remove_suffix(word.size());
    while (!number.empty() && number.back() == ' ') number.remove_suffix(1);
  }
  const std::optional<std::int64_t> parsed = whole_number(number);
  constexpr std::int64_t most = 1'000'000'000'000;
  if (!parsed || *parsed < 1 || *parsed > most) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected a whole number of {}s above zero, such as '2048 {}'", word, word));
    return 1;
  }
  return *parsed;
}

std::size_t YamlMap::choice(std::string_view key, std::span<const std::string> names) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 0;
  const auto found = std::find(names.begin(), names.end(), value->text);
  if (found == names.end()) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)), expected_names(value->text, names));
    return 0;
  }
  return static_cast<std::size_t>(found - names.begin());
}

YamlMap YamlMap::map(std::string_view key) {
  const YamlNode* value = need(key);
  if (value != nullptr && value->kind != YamlNode::Kind::map) {
    report(value, join(key), fmt::format("found {}", kind_name(value->kind)), "expected a map of keys");
    value = nullptr;
  }
  const YamlNode* at = value == nullptr ? nullptr : &node_->find(key)->key;
  return {value, at, join(key), keep_, diagnostics_};
}

std::optional<YamlMap> YamlMap::optional_map(std::string_view key) {
  if (find(key) == nullptr) return std::nullopt;
  return map(key);
}

std::vector<YamlMap> YamlMap::maps(std::string_view key) {
  std::vector<YamlMap> result;
  const YamlNode* value = need(key);
  if (value == nullptr) return result;
  if (value->kind != YamlNode::Kind::list || value->items.empty()) {
    report(value, join(key),
           fmt::format("found {}", value->kind == YamlNode::Kind::list ? "an empty list" : kind_name(value->kind)),
           "expected a list of maps");
    return result;
  }
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    const YamlNode& item = value->items[i];
    const std::string path = fmt::format("{}[{}]", join(key), i);
    if (item.kind != YamlNode::Kind::map) {
      report(&item, path, fmt::format("found {}", kind_name(item.kind)), "expected a map of keys");
      continue;
    }
    result.push_back(YamlMap(&item, &item, path, keep_, diagnostics_));
  }
  return result;
}

Sources YamlMap::sources(std::string_view key) {
  Sources result;
  std::optional<YamlMap> list = optional_map(key);
  if (!list) return result;
  for (const std::string& id : list->keys()) {
    YamlMap source = list->map(id);
    Evidence evidence{
        .kind = EvidenceKind::sourced, .source = source.text("title"), .date = source.text("date"), .rule = {}};
    source.finish();
    result.emplace(id, std::move(evidence));
  }
  return result;
}

void YamlMap::fail(std::string_view key, std::string message, std::string expected) {
  if (node_ == nullptr) return;
  const YamlEntry* entry = node_->find(key);
  report(entry == nullptr ? at_ : &entry->value, entry == nullptr ? path_ : join(key), std::move(message),
         std::move(expected));
}

void YamlMap::fail_unknown(std::string_view key, std::string_view what, std::span<const std::string> names) {
  if (node_ == nullptr) return;
  const YamlEntry* entry = node_->find(key);
  const std::string found = entry == nullptr ? std::string() : entry->value.text;
  fail(key, fmt::format("unknown {} '{}'", what, shortened(found)), expected_names(found, names));
}

void YamlMap::finish() {
  if (node_ == nullptr) return;
  std::vector<std::string> names = asked_;
  for (const std::string& name : offered_) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const YamlEntry& entry : node_->entries) {
    if (std::find(asked_.begin(), asked_.end(), entry.key.text) == asked_.end()) {
      report(&entry.key, join(entry.key.text), "unknown key", expected_names(entry.key.text, names));
    }
  }
}

}  // namespace railyard
