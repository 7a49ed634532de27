// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <sstream>
#include <utility>

#include "base/diagnostic.h"

namespace railyard {
namespace {

constexpr std::size_t deepest = 64;

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
  if (line >= 1 && static_cast<std::size_t>(line) <= source.lines.size()) {
    diagnostic.source_line = source.lines[static_cast<std::size_t>(line) - 1];
  }
  return diagnostic;
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

/// One step of a path: a key, then list indices.
struct PathStep {
  std::string key;
  std::vector<std::size_t> indices;
};

[[noreturn]] void refuse_path(std::string_view path, std::string_view why) {
  throw InputError(fmt::format("'{}' is not a path in this file: {}", path, why),
                   "a path looks like owner.wacc or clusters[0].gpu");
}

std::vector<PathStep> split_path(std::string_view path) {
  std::vector<PathStep> steps;
  std::string_view rest = path;
  while (true) {
    const std::size_t dot = rest.find('.');
    std::string_view part = rest.substr(0, dot);
    PathStep step;
    const std::size_t bracket = part.find('[');
    step.key = part.substr(0, bracket);
    if (step.key.empty()) refuse_path(path, "a key is missing");
    while (bracket != std::string_view::npos && part.find('[') != std::string_view::npos) {
      part.remove_prefix(part.find('[') + 1);
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
      if (error != std::errc() || end == part.data() + part.size() || *end != ']')
        refuse_path(path, "an index is no number");
      step.indices.push_back(index);
      part.remove_prefix(static_cast<std::size_t>(end - part.data()) + 1);
    }
    if (bracket != std::string_view::npos && !part.empty()) refuse_path(path, "text after an index");
    steps.push_back(std::move(step));
    if (dot == std::string_view::npos) return steps;
    rest.remove_prefix(dot + 1);
  }
}

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const YamlEntry& entry) { return entry.key.text == key; });
  return found == entries.end() ? nullptr : &*found;
}

YamlNode parse_yaml(const std::string& text, const std::string& name) {
  auto source = std::make_shared<YamlSource>(YamlSource{name, split_lines(text)});
  if (text.find('\0') != std::string::npos)
    throw InputError({diagnostic_at(*source, 0, 0, "not a text file", "expected YAML")});
  TreeBuilder builder(source);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || !builder.done()) {
      throw InputError({diagnostic_at(*source, 1, 1, "the file is empty", "expected a map of keys")});
    }
    YamlNode root = builder.take();
    TreeBuilder second(source);
    if (parser.HandleNextDocument(second)) {
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

void set_value(YamlNode& root, std::string_view path, YamlNode value) {
  YamlNode* node = &root;
  for (const PathStep& step : split_path(path)) {
    if (node->kind == YamlNode::Kind::null) node->kind = YamlNode::Kind::map;  // an absent map, made by the step before
    if (node->kind != YamlNode::Kind::map) refuse_path(path, fmt::format("what holds '{}' is no map", step.key));
    auto found = std::find_if(node->entries.begin(), node->entries.end(),
                              [&](const YamlEntry& entry) { return entry.key.text == step.key; });
    if (found == node->entries.end()) {
      if (!step.indices.empty()) refuse_path(path, fmt::format("there is no list '{}'", step.key));
      YamlEntry entry;
      entry.key = value;  // the place of an added key is that of its value
      entry.key.kind = YamlNode::Kind::scalar;
      entry.key.entries.clear();
      entry.key.items.clear();
      entry.key.text = step.key;
      entry.value.source = value.source;
      node->entries.push_back(std::move(entry));
      found = std::prev(node->entries.end());
    }
    node = &found->value;
    for (const std::size_t index : step.indices) {
      if (node->kind != YamlNode::Kind::list || index >= node->items.size()) {
        refuse_path(path, fmt::format("'{}' has no item {}", step.key, index));
      }
      node = &node->items[index];
    }
  }
  *node = std::move(value);
}

}  // namespace railyard
