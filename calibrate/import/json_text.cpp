// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/json_text.h"

#include <utility>

#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr int deepest = 64;
constexpr int most_values = 1'000'000;
// Text before the document that is looked at for its beginning.
constexpr int most_starts = 16;

class Parser {
 public:
  Parser(std::string_view text, std::size_t at, int line) : text_(text), at_(at), line_(line) {}

  /// False when the text ends or breaks; `value` holds what was complete.
  bool read(Json& value, int depth) {
    skip_blanks();
    value.line = line_;
    if (++values_ > most_values || at_ >= text_.size()) return false;
    switch (text_[at_]) {
      case '{':
        return depth < deepest && read_object(value, depth);
      case '[':
        return depth < deepest && read_array(value, depth);
      case '"':
        value.kind = Json::Kind::string;
        return read_string(value.text);
      default:
        return read_word(value);
    }
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
      line_ += text_[at_++] == '\n';
    }
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool read_object(Json& value, int depth) {
    value.kind = Json::Kind::object;
    ++at_;
    if (take('}')) return true;
    for (;;) {
      std::string key;
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] != '"' || !read_string(key) || !take(':')) return false;
      Json member;
      const bool whole = read(member, depth + 1);
      // A cut container keeps its complete parts; a cut scalar is dropped.
      if (whole || !member.items.empty() || !member.members.empty()) {
        value.members.push_back({std::move(key), std::move(member)});
      }
      if (!whole) return false;
      if (take(',')) continue;
      return take('}');
    }
  }

  bool read_array(Json& value, int depth) {
    value.kind = Json::Kind::array;
    ++at_;
    if (take(']')) return true;
    for (;;) {
      Json item;
      const bool whole = read(item, depth + 1);
      if (whole || !item.items.empty() || !item.members.empty()) value.items.push_back(std::move(item));
      if (!whole) return false;
      if (take(',')) continue;
      return take(']');
    }
  }

  // Escapes keep their letter except \n and \t; \uXXXX becomes '?': names of GPUs and keys are plain.
  bool read_string(std::string& text) {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (c == '\n') return false;
      if (c != '\\') {
        text += c;
        continue;
      }
      if (++at_ >= text_.size()) return false;
      const char escaped = text_[at_];
      if (escaped == 'u') {
        if (text_.size() - at_ < 5) return false;
        at_ += 4;
        text += '?';
      } else {
        text += escaped == 'n' || escaped == 't' ? ' ' : escaped;
      }
    }
    return false;
  }

  bool read_word(Json& value) {
    const std::size_t start = at_;
    while (at_ < text_.size() && std::string_view(" \t\r\n,:{}[]\"").find(text_[at_]) == std::string_view::npos) ++at_;
    value.text = text_.substr(start, at_ - start);
    // A number at the very end of the text may be cut.
    if (value.text.empty() || at_ >= text_.size()) return false;
    if (to_number(value.text)) {
      value.kind = Json::Kind::number;
    } else if (value.text == "true" || value.text == "false") {
      value.kind = Json::Kind::boolean;
    } else {
      value.text.clear();  // null, NaN and Infinity are no figures
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  int line_;
  int values_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.name == key) return &member.value;
  }
  return nullptr;
}

std::optional<double> Json::number() const {
  return kind == Kind::number || kind == Kind::string ? to_number(trim(text)) : std::nullopt;
}

std::optional<double> Json::number(std::string_view key) const {
  const Json* const member = find(key);
  return member == nullptr ? std::nullopt : member->number();
}

std::optional<std::int64_t> Json::count(std::string_view key) const {
  const Json* const member = find(key);
  return member == nullptr ? std::nullopt : to_count(trim(member->text));
}

std::string Json::string(std::string_view key) const {
  const Json* const member = find(key);
  return member == nullptr ? std::string() : member->text;
}

std::optional<JsonText> find_json(std::string_view text) {
  int line = 1;
  std::size_t start = 0;
  for (int tries = 0; tries < most_starts;) {
    std::size_t at = start;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at < text.size() && (text[at] == '{' || text[at] == '[')) {
      ++tries;
      JsonText result;
      result.complete = Parser(text, at, line).read(result.root, 0);
      // A log line such as "[node01:348287] PMIX ERROR" begins like an array and holds nothing.
      if (!result.root.members.empty() || (!result.root.items.empty() && !result.root.items[0].members.empty())) {
        return result;
      }
    }
    start = text.find('\n', at);
    if (start == std::string_view::npos) return {};
    ++start;
    ++line;
  }
  return {};
}

}  // namespace railyard::import_detail
