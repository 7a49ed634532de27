// SPDX-License-Identifier: Apache-2.0
// Reads the JSON that benchmarks write, also where it is cut short or lies among other lines: what was complete before
// the end is kept. Numbers stay text, so that their precision is known. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard::import_detail {

struct JsonMember;

struct Json {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  int line = 0;                     // within the text given
  std::string text;                 // of a string, number or boolean
  std::vector<Json> items;          // of an array
  std::vector<JsonMember> members;  // of an object, in order

  /// The member called `key`; nothing when this is no object or has none.
  [[nodiscard]] const Json* find(std::string_view key) const;
  /// A number, or a string that holds one.
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view key) const;
  /// The text of a string or number member; empty without one.
  [[nodiscard]] std::string string(std::string_view key) const;
};

struct JsonMember {
  std::string name;
  Json value;
};

struct JsonText {
  Json root;
  bool complete = false;  // false: cut short, damaged, or beyond a million values
};

/// The first object or array of the text that begins a line. Nesting is at most 64 deep.
[[nodiscard]] std::optional<JsonText> find_json(std::string_view text);

}  // namespace railyard::import_detail
