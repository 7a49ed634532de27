// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/dot_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/text.h"

namespace railyard {

namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// The first place from `at` on that is neither blank nor comment (// and # to the end of the line, /* to */); that of
/// a comment that does not end.
std::size_t after_blanks(std::string_view text, std::size_t at) {
  for (;;) {
    at = std::min(text.find_first_not_of(blanks, at), text.size());
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//") || rest.starts_with('#')) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const std::size_t end = rest.starts_with("/*") ? text.find("*/", at + 2) : std::string_view::npos;
    if (end == std::string_view::npos) return at;
    at = end + 2;
  }
}

/// One word or sign, and where it stands.
struct Token {
  enum class Kind : std::uint8_t { name, sign, end };
  Kind kind = Kind::end;
  std::string text;       // of a name without its quotes
  std::size_t begin = 0;  // in the whole text
  [[nodiscard]] bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
};

class DotReader {
 public:
  DotReader(std::string_view text, AsBuilt& built) : text_(text), built_(built) {
    at_ = text_.size() - without_byte_order_mark(text_).size();
    if (const auto fault = text_fault(text_.substr(at_), Layout::lines)) {
      refuse(at_ + fault->offset, fault->what, "expected plain text");
    }
    advance();
  }

  void read() {
    if (token_.text != "graph" || token_.kind != Token::Kind::name) {
      refuse_token("expected an undirected graph: graph NAME {");
    }
    advance();
    if (token_.kind == Token::Kind::name) advance();
    take("{");
    while (!token_.is("}")) {
      if (token_.kind == Token::Kind::end) refuse_token("expected } at the end of the graph");
      statement();
      while (token_.is(";")) advance();
    }
    advance();
    if (token_.kind != Token::Kind::end) refuse_token("expected nothing after the graph");
  }

 private:
  /// "device" [...], or "device":"port" -- "device":"port".
  void statement() {
    const std::size_t begin = token_.begin;
    LinkEnds link;
    link.device_a = take_name("a device");
    if (!token_.is(":")) {
      if (token_.is("--")) refuse_token("expected :\"port\" after the device: links are between ports");
      return attributes();
    }
    advance();
    link.port_a = take_name("a port");
    take("--");
    link.device_b = take_name("a device");
    take(":");
    link.port_b = take_name("a port");
    link.line = place_of(begin).first;
    std::pair<std::string, std::string> a{link.device_a, link.port_a}, b{link.device_b, link.port_b};
    if (b < a) std::swap(a, b);
    if (seen_.emplace(std::move(a), std::move(b)).second) built_.links.push_back(std::move(link));
  }

  /// [ label="leaf" role="leaf" ], commas or semicolons between them or not; may be left out.
  void attributes() {
    static constexpr std::array<std::string_view, 2> known{"label", "role"};
    static constexpr std::array<std::string_view, 4> roles{"leaf", "spine", "super_spine", "host"};
    if (!token_.is("[")) return;
    advance();
    while (!token_.is("]")) {
      const Token key = token_;
      static_cast<void>(take_name("an attribute"));
      check_word(key, "attribute", known);
      take("=");
      const Token value = token_;
      static_cast<void>(take_name("a value"));
      if (key.text == "role") check_word(value, "role", roles);
      if (token_.is(",") || token_.is(";")) advance();
    }
    advance();
  }

  template <class Words>
  void check_word(const Token& token, std::string_view what, const Words& words) const {
    if (std::find(words.begin(), words.end(), token.text) != words.end()) return;
    refuse(token.begin, fmt::format("the {} '{}' is unknown", what, shortened(token.text)),
           expected_names(token.text, std::vector<std::string>(words.begin(), words.end())));
  }

  std::string take_name(std::string_view what) {
    if (token_.kind != Token::Kind::name) refuse_token(fmt::format("expected {}", what));
    if (token_.text.empty()) refuse(token_.begin, "an empty name", fmt::format("expected {}", what));
    if (token_.text.size() > longest_wiring_name) {
      refuse(token_.begin, "a name that is too long",
             fmt::format("expected at most {} characters", longest_wiring_name));
    }
    std::string name = std::move(token_.text);
    advance();
    return name;
  }
  void take(std::string_view sign) {
    if (!token_.is(sign)) refuse_token(fmt::format("expected {}", sign));
    advance();
  }

  void skip_blanks() {
    at_ = after_blanks(text_, at_);
    if (text_.substr(at_).starts_with("/*")) refuse(at_, "a comment that does not end", "expected */");
  }

  void advance() {
    skip_blanks();
    token_ = Token{Token::Kind::end, {}, at_};
    if (at_ == text_.size()) return;
    if (text_[at_] == '"') return quoted();
    const std::size_t begin = at_;
    if (is_bare(text_[at_])) {
      while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
      token_.kind = Token::Kind::name;
    } else {
      const bool two = text_.substr(at_).starts_with("--") || text_.substr(at_).starts_with("->");
      at_ += two ? 2U : 1U;
      token_.kind = Token::Kind::sign;
    }
    token_.text = text_.substr(begin, at_ - begin);
  }

  void quoted() {
    token_.kind = Token::Kind::name;
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) ++at_;
      token_.text += text_[at_];
    }
    refuse(token_.begin, "a name whose quotes are not closed", "expected \" on the same line");
  }

  /// Line and column, from one.
  [[nodiscard]] std::pair<int, int> place_of(std::size_t offset) {
    lines_ += std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                         text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    counted_ = offset;
    const std::size_t before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return {static_cast<int>(lines_) + 1, static_cast<int>(offset - begin) + 1};
  }

  [[noreturn]] void refuse(std::size_t offset, std::string message, std::string expected) const {
    const std::string_view before = text_.substr(0, offset);
    const std::size_t newline = before.rfind('\n'), begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view line = text_.substr(begin, std::min(text_.find('\n', begin), text_.size()) - begin);
    throw InputError({Diagnostic{.file = built_.file,
                                 .line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
                                 .column = static_cast<int>(offset - begin) + 1,
                                 .message = std::move(message),
                                 .source_line = std::string(line.substr(0, 500)),
                                 .expected = std::move(expected)}});
  }
  [[noreturn]] void refuse_token(std::string expected) const {
    const std::string found =
        token_.kind == Token::Kind::end ? "the file ends here" : fmt::format("found '{}'", shortened(token_.text));
    refuse(token_.begin, found, std::move(expected));
  }

  std::string_view text_;
  AsBuilt& built_;
  std::size_t at_ = 0;
  Token token_;
  std::size_t counted_ = 0;  // offset up to which lines_ are counted; places are asked for in order
  std::ptrdiff_t lines_ = 0;
  std::set<std::pair<std::pair<std::string, std::string>, std::pair<std::string, std::string>>> seen_;
};

}  // namespace

bool is_dot(std::string_view text) {
  text = without_byte_order_mark(text);
  text.remove_prefix(after_blanks(text, 0));
  const std::size_t word = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
  const std::string_view first = text.substr(0, word), rest = text.substr(word);
  if (first != "graph" && first != "digraph" && first != "strict") return false;
  return rest.find('{') < std::min(rest.find(','), rest.find('\n', rest.find_first_not_of(blanks)));
}

void read_dot(std::string_view text, AsBuilt& built) { DotReader(text, built).read(); }

}  // namespace railyard
