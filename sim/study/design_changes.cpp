// SPDX-License-Identifier: Apache-2.0
#include "sim/study/design_changes.h"

#include <optional>
#include <utility>

namespace railyard {
namespace {

constexpr std::size_t longest_value = 4096;  // what a design takes is for its reader to say

/// What `read` gives for the map when it meets no mistake there.
template <class Read>
auto attempt(const ChangeMap& map, const Read& read) -> std::optional<decltype(read(std::declval<YamlMap&>()))> {
  Diagnostics mistakes;
  YamlMap tried = map(mistakes);
  const std::size_t before = mistakes.size();
  auto value = read(tried);
  if (mistakes.size() > before) return std::nullopt;
  return value;
}

std::string list_text(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) text += (text.size() > 1 ? ", " : "") + item;
  return text + "]";
}

void collect(const ChangeMap& map, const std::string& prefix, std::vector<DesignChange>& changes) {
  Diagnostics ignored;
  for (const std::string& key : map(ignored).keys()) {
    const std::string path = prefix + key;
    if (const auto value = attempt(map, [&](YamlMap& m) { return m.text(key, longest_value); })) {
      changes.push_back({path, *value});
    } else if (const auto items = attempt(map, [&](YamlMap& m) { return m.texts(key); })) {
      changes.push_back({path, list_text(*items)});
    } else if (attempt(map, [&](YamlMap& m) { return m.map(key).keys().size(); })) {
      collect([&](Diagnostics& mistakes) { return map(mistakes).map(key); }, path + ".", changes);
    } else {
      changes.push_back({path, {}});  // refused when it is laid over the design
    }
  }
}

}  // namespace

std::vector<DesignChange> read_design_changes(const ChangeMap& map) {
  std::vector<DesignChange> changes;
  collect(map, {}, changes);
  return changes;
}

YamlDocument changed_design(YamlDocument design, std::span<const DesignChange> changes) {
  for (const DesignChange& change : changes) design = design.with(change.path, change.value);
  return design;
}

std::string to_text(std::span<const DesignChange> changes) {
  std::string text;
  for (const DesignChange& change : changes) {
    if (!text.empty()) text += ' ';
    text += change.path + '=' + change.value;
  }
  return text;
}

}  // namespace railyard
