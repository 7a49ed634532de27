// SPDX-License-Identifier: Apache-2.0
// What every reader of data files checks beside the format: sane limits of quantities, and ids that are file names. A
// value beyond its limits is a slip of the pen that would only come out as a cost without meaning (inf, nan).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_reader.h"

namespace railyard {

/// The least and the most of a quantity as people write it: {"1 month", "50 year"}; "0" allows zero.
struct Limits {
  std::string_view low, high;
};

// Of servers, switches and racks wherever a file names one (topologies/FORMAT.md has all limits in a table).
inline constexpr Limits box_power{"1 W", "1 MW"};
inline constexpr Limits box_weight{"1 g", "10000 kg"};
inline constexpr std::int64_t most_ports = 4096;  // cages of one box and the like

inline const std::array<std::string, 5> cable_media{"multimode", "singlemode", "copper", "active-copper",
                                                    "active-optical"};

namespace detail {

/// Records a mistake when the value of `key`, which reads as a quantity of `kind`, lies outside.
inline void check_limits(YamlMap& map, std::string_view key, const UnitKind& kind, const Limits& limits) {
  const std::string text = map.text(key);
  const QuantityText value = parse_quantity(text, kind);
  if (!value.ok()) return;  // told already
  const QuantityText low = parse_quantity(limits.low, kind), high = parse_quantity(limits.high, kind);
  assert(low.ok() && high.ok() && low.base <= high.base);
  if (value.base >= low.base && value.base <= high.base) return;
  map.fail(
      key, "found '" + text + "'",
      "expected " + std::string(kind.what) + " from " + std::string(limits.low) + " to " + std::string(limits.high));
}

constexpr Bound bound_of(const Limits& limits) { return limits.low == "0" ? Bound::not_negative : Bound::positive; }

}  // namespace detail

/// map.quantity(key, family) within the limits.
template <Dimension D>
Quantity<D> limited(YamlMap& map, std::string_view key, const UnitFamily<D>& family, const Limits& limits) {
  const Quantity<D> value = map.quantity(key, family, detail::bound_of(limits));
  if (value > Quantity<D>{}) detail::check_limits(map, key, family, limits);  // the rest is told already
  return value;
}

/// map.figure(key, family, sources), its value or both ends of its range within the limits.
template <Dimension D>
Figure<Quantity<D>> limited_figure(YamlMap& map, std::string_view key, const UnitFamily<D>& family,
                                   const Sources& sources, const Limits& limits) {
  const Figure<Quantity<D>> figure = map.figure(key, family, sources, detail::bound_of(limits));
  if (!(figure.value.high > Quantity<D>{})) return figure;  // zero, or told already
  YamlMap parts = map.map(key);
  const Quantity<D> zero{};
  if (parts.has("value")) {
    detail::check_limits(parts, "value", family, limits);
    return figure;
  }
  if (figure.value.low > zero) detail::check_limits(parts, "low", family, limits);
  if (figure.value.typical > zero) detail::check_limits(parts, "typical", family, limits);
  detail::check_limits(parts, "high", family, limits);
  return figure;
}

/// A list of lengths within the limits, ascending.
inline std::vector<Metres> read_lengths(YamlMap& map, std::string_view key, const Limits& limits) {
  std::vector<Metres> lengths;
  const auto fail = [&](const std::string& text, std::string expected) {
    map.fail(key, "found '" + text + "'", std::move(expected));
  };
  const double low = parse_quantity(limits.low, units::length).base;
  const double high = parse_quantity(limits.high, units::length).base;
  for (const std::string& text : map.texts(key)) {
    const QuantityText read = parse_quantity(text, units::length);
    if (!read.ok()) {
      fail(text, read.error);
    } else if (read.base < low || read.base > high) {
      fail(text, "expected a length from " + std::string(limits.low) + " to " + std::string(limits.high));
    } else if (!lengths.empty() && read.base <= lengths.back().in(metre)) {
      fail(text, "expected lengths in ascending order");
    } else {
      lengths.push_back(read.base * metre);
    }
  }
  return lengths;
}

/// Records a mistake when the file that the document was read from has another name than the id under `key`: files are
/// found by name.
inline void check_named_as_file(YamlMap& root, std::string_view key, std::string_view id,
                                const YamlDocument& document) {
  const std::string name = std::filesystem::path(document.name()).stem().string();
  if (id.empty() || name == id) return;
  root.fail(key, "found '" + std::string(id) + "' in a file named '" + name + "'",
            "name the file and what it holds alike: " + name);
}

}  // namespace railyard
