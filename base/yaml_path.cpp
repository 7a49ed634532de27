// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/yaml_tree.h"

namespace railyard {
namespace {

/// One step of a path: a key, then list indices.
struct PathStep {
  std::string key;
  std::vector<std::size_t> indices;
};

[[noreturn]] void refuse_path(std::string_view path, std::string_view why) {
  throw InputError(fmt::format("'{}' is not a path in this file: {}", printable(path, 100), why),
                   "a path looks like owner.wacc or clusters[0].gpu");
}

std::vector<PathStep> split_path(std::string_view path) {
  constexpr std::size_t most_steps = 64;
  if (const auto fault = text_fault(path, Layout::none)) refuse_path(path, fault->what);
  std::vector<PathStep> steps;
  std::string_view rest = path;
  while (true) {
    const std::size_t dot = rest.find('.');
    std::string_view part = rest.substr(0, dot);
    PathStep step;
    const std::size_t bracket = part.find('[');
    step.key = part.substr(0, bracket);
    if (step.key.empty()) refuse_path(path, "a key is missing");
    if (characters(step.key) > longest_key || steps.size() == most_steps) refuse_path(path, "it is too long");
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

void set_value(YamlNode& root, std::string_view path, YamlNode value) {
  YamlNode* node = &root;
  YamlNode* key = nullptr;
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
    key = step.indices.empty() ? &found->key : nullptr;
    for (const std::size_t index : step.indices) {
      if (node->kind != YamlNode::Kind::list || index >= node->items.size()) {
        refuse_path(path, fmt::format("'{}' has no item {}", step.key, index));
      }
      node = &node->items[index];
    }
  }
  if (key != nullptr) {  // what is wrong with the key or lacks in its map is wrong with the setting
    key->line = value.line;
    key->column = value.column;
    key->source = value.source;
  }
  *node = std::move(value);
}

}  // namespace railyard
