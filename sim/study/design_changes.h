// SPDX-License-Identifier: Apache-2.0
// Keys of a design that a study states otherwise: fabric: {oversubscription: 2, switch: sn5600}, for one cluster or for
// all. They are laid over the design's file before it is read, so that every key of a design can be changed and every
// check of a design holds for the changed one too.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/yaml_reader.h"

namespace railyard {

struct DesignChange {
  std::string path, value;  // of the design's file: media.leaf_spine.cable, YAML text
  bool operator==(const DesignChange&) const = default;
};

/// Gives the map of changes as often as asked, its mistakes to the diagnostics it is asked with.
using ChangeMap = std::function<YamlMap(Diagnostics&)>;
/// The changes of a map, in file order; maps may be nested, lists hold plain values.
[[nodiscard]] std::vector<DesignChange> read_design_changes(const ChangeMap& map);

/// The document with all changes made, in order. Throws InputError.
[[nodiscard]] YamlDocument changed_design(YamlDocument design, std::span<const DesignChange> changes);

/// "oversubscription=2 switch=sn5600"; empty without changes.
[[nodiscard]] std::string to_text(std::span<const DesignChange> changes);

}  // namespace railyard
