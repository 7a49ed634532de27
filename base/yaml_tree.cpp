// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"

namespace railyard {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t most_keys = 10000;

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

Diagnostic diagnostic_at(const YamlSource& source, int line, int column, std::string message,
                         std::string expected = {}) {
  Diagnostic diagnostic{.file = source.name, .line = line, .column = column, .message = std::move(message)};
  diagnostic.expected = std::move(expected);
  diagnostic.source_line = source.line(line);
  return diagnostic;
}

/// Refuses what is no UTF-8 text, control characters, and tabs in the indentation: YAML forbids them there, but
/// yaml-cpp takes some for the rest of the line before. Lines of comment or blanks alone may hold tabs.
void check_text(const YamlSource& source, std::string_view text) {
  using namespace std::string_view_literals;
  for (const auto& [mark, name] : {std::pair{"\xFF\xFE\0\0"sv, "UTF-32"}, std::pair{"\0\0\xFE\xFF"sv, "UTF-32"},
                                   std::pair{"\xFF\xFE"sv, "UTF-16"}, std::pair{"\xFE\xFF"sv, "UTF-16"}}) {
    if (text.starts_with(mark)) {
      throw InputError({diagnostic_at(source, 0, 0, fmt::format("{} text", name), "save the file as UTF-8")});
    }
  }
  if (text.find('\0') != std::string_view::npos)
    throw InputError({diagnostic_at(source, 0, 0, "not a text file", "expected YAML")});
  const auto column = [](std::size_t offset) { return static_cast<int>(offset) + 1; };
  if (const auto fault = text_fault(text, Layout::lines)) {
    const std::string_view before = text.substr(0, fault->offset);
    const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t start = before.find_last_of('\n') + 1;  // npos + 1 is 0
    throw InputError({diagnostic_at(source, line, column(fault->offset - start), fault->what,
                                    "expected UTF-8 text without control characters")});
  }
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const std::string_view line = source.lines[i];
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t tab = line.substr(0, start).find('\t');
    if (tab != std::string_view::npos && start < line.size() && line[start] != '#') {
      throw InputError({diagnostic_at(source, static_cast<int>(i) + 1, column(tab), "a tab in the indentation",
                                      "indent with blanks, not tabs")});
    }
  }
}

/// Builds the tree from yaml-cpp's events, which keep every mark and every duplicate key.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const YamlSource> source) : source_(std::move(source)) {}

  YamlNode take() { return std::move(root_); }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] std::vector<Diagnostic> duplicates() const { return duplicates_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(node_at(mark, YamlNode::Kind::null)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases are not supported", "write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    check_tag(mark, tag);
    YamlNode node = node_at(mark, YamlNode::Kind::scalar);
    node.text = value;
    // '|' and '>' end their text with a line break; in quotes one is meant.
    const std::string_view written = source_->line(node.line).substr(
        std::min<std::size_t>(static_cast<std::size_t>(mark.column), source_->line(node.line).size()));
    if (!written.starts_with('"') && node.text.ends_with('\n')) node.text.erase(node.text.find_last_not_of('\n') + 1);
    if (const auto fault = text_fault(node.text, Layout::none)) {
      refuse(mark, fault->what, "expected one line of text; '>-' folds several lines into one");
    }
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(node_at(mark, YamlNode::Kind::list), mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(node_at(mark, YamlNode::Kind::map), mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    YamlNode node;
    bool have_key = false;
    YamlNode key;
  };

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message, std::string expected) const {
    throw InputError(
        {diagnostic_at(*source_, mark.line + 1, mark.column + 1, std::move(message), std::move(expected))});
  }
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") refuse(mark, "tags are not supported", "write the plain value");
  }
  [[nodiscard]] YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) const {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    node.source = source_;
    return node;
  }
  void open(YamlNode node, const YAML::Mark& mark) {
    if (levels_.size() >= deepest) refuse(mark, "nested too deeply", fmt::format("at most {} levels", deepest));
    levels_.push_back({std::move(node), false, {}});
  }
  void close() {
    YamlNode node = std::move(levels_.back().node);
    levels_.pop_back();
    add(std::move(node));
  }
  void add(YamlNode node) {
    if (levels_.empty()) {
      root_ = std::move(node);
      done_ = true;
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == YamlNode::Kind::list) {
      level.node.items.push_back(std::move(node));
    } else if (!level.have_key) {
      add_key(level, std::move(node));
    } else {
      level.node.entries.push_back({std::move(level.key), std::move(node)});
      level.have_key = false;
    }
  }
  void add_key(Level& level, YamlNode key) {
    if (key.kind != YamlNode::Kind::scalar) {
      throw InputError({diagnostic_at(*source_, key.line, key.column, "a key must be a name", "write key: value")});
    }
    if (const std::size_t length = characters(key.text); length > longest_key) {
      throw InputError({diagnostic_at(*source_, key.line, key.column, fmt::format("a key of {} characters", length),
                                      fmt::format("expected a name of at most {}", longest_key))});
    }
    if (level.node.entries.size() >= most_keys) {
      throw InputError({diagnostic_at(*source_, key.line, key.column, "too many keys",
                                      fmt::format("expected at most {} in one map", most_keys))});
    }
    if (const YamlEntry* first = level.node.find(key.text)) {
      Diagnostic diagnostic = diagnostic_at(*source_, key.line, key.column, fmt::format("duplicate key '{}'", key.text),
                                            fmt::format("it stands at line {} already; keep one", first->key.line));
      diagnostic.width = static_cast<int>(std::min<std::size_t>(key.text.size(), 80));
      duplicates_.push_back(std::move(diagnostic));
    }
    level.key = std::move(key);
    level.have_key = true;
  }

  std::shared_ptr<const YamlSource> source_;
  std::vector<Level> levels_;
  YamlNode root_;
  bool done_ = false;
  std::vector<Diagnostic> duplicates_;
};

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const YamlEntry& entry) { return entry.key.text == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string_view YamlSource::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > lines.size()) return {};
  constexpr std::size_t longest_shown = 1000;  // bytes; every mistake in a line keeps a copy
  return std::string_view(lines[static_cast<std::size_t>(number) - 1]).substr(0, longest_shown);
}

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

YamlNode parse_yaml(std::string text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // the byte order mark of UTF-8
  auto source = std::make_shared<YamlSource>(YamlSource{name, split_lines(text)});
  check_text(*source, text);
  TreeBuilder builder(source);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || !builder.done()) {
      throw InputError({diagnostic_at(*source, 1, 1, "the file is empty", "expected a map of keys")});
    }
    YamlNode root = builder.take();
    TreeBuilder rest(source);
    if (parser.HandleNextDocument(rest)) {
      throw InputError({diagnostic_at(*source, 0, 0, "more than one YAML document", "keep one document a file")});
    }
    if (!builder.duplicates().empty()) throw InputError(builder.duplicates());
    return root;
  } catch (const YAML::Exception& error) {
    const bool placed = !error.mark.is_null() && error.mark.line >= 0;
    throw InputError({diagnostic_at(*source, placed ? error.mark.line + 1 : 0, placed ? error.mark.column + 1 : 0,
                                    "YAML syntax: " + error.msg)});
  }
}

}  // namespace railyard
