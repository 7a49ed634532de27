// SPDX-License-Identifier: Apache-2.0
#include "topologies/catalogue.h"

#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "topologies/fat_tree.h"

namespace railyard {

namespace {

constexpr std::array entries{
    TopologyEntry{"rail-fat-tree",
                  "NICs of one local index share a leaf; one switch, leaves and spines, or leaves, spines and cores",
                  build_rail_fat_tree},
};

}  // namespace

std::span<const TopologyEntry> topologies() { return entries; }

std::vector<std::string> topology_names() {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const TopologyEntry& entry : entries) names.emplace_back(entry.name);
  return names;
}

const TopologyEntry& topology(std::string_view name) {
  for (const TopologyEntry& entry : entries) {
    if (entry.name == name) return entry;
  }
  throw InputError(fmt::format("topology '{}' is unknown", name), expected_names(name, topology_names()));
}

}  // namespace railyard
