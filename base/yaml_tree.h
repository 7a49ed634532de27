// SPDX-License-Identifier: Apache-2.0
// The tree behind the YAML reader: every node knows its place and its text. Private to base; the only yaml-cpp door is
// yaml_tree.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// One text that nodes come from: a file, or the value of a command-line option.
struct YamlSource {
  std::string name;
  std::vector<std::string> lines;

  /// A line, counted from one, as far as messages show it; empty when there is none.
  [[nodiscard]] std::string_view line(int number) const;
};

struct YamlEntry;

/// Lines and columns count from one.
struct YamlNode {
  enum class Kind { null, scalar, map, list };
  Kind kind = Kind::null;
  int line = 1, column = 1;
  std::string text;                // scalar
  std::vector<YamlEntry> entries;  // map, in file order
  std::vector<YamlNode> items;     // list
  std::shared_ptr<const YamlSource> source;

  [[nodiscard]] const YamlEntry* find(std::string_view key) const;
};

struct YamlEntry {
  YamlNode key, value;
};

/// Characters of a key.
inline constexpr std::size_t longest_key = 200;

/// "a map", "nothing".
[[nodiscard]] std::string_view kind_name(YamlNode::Kind kind);

/// Parses one document. Throws InputError for what is not UTF-8, control characters, tabs in indentation, syntax
/// errors, a second document, aliases, tags, keys that are no names, duplicate keys, more than 10 000 keys in a map,
/// and nesting deeper than 64.
[[nodiscard]] YamlNode parse_yaml(std::string text, const std::string& name);

/// Replaces or adds the value at a dotted path (a.b[2].c); its key then stands where the value does. Throws InputError
/// when the path cannot be followed.
void set_value(YamlNode& root, std::string_view path, YamlNode value);

}  // namespace railyard
