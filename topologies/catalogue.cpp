// SPDX-License-Identifier: Apache-2.0
#include "topologies/catalogue.h"

#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "topologies/families.h"

namespace railyard {

namespace {

constexpr std::array entries{
    TopologyEntry{"rail-fat-tree",
                  "NICs of one local index share a leaf; one switch, leaves and spines, or leaves, spines and cores",
                  rail_fat_tree_misfit, build_rail_fat_tree},
    TopologyEntry{"rail-only", "each rail is a network of its own; traffic that changes rail goes through scale-up",
                  rail_only_misfit, build_rail_only},
    TopologyEntry{"tor-fat-tree",
                  "the nodes of a rack share one leaf; groups of racks share spines, groups meet in cores",
                  tor_fat_tree_misfit, build_tor_fat_tree},
    TopologyEntry{"dual-tor", "a leaf for each port of a NIC, so that no switch cuts off a GPU", dual_tor_misfit,
                  build_dual_tor},
    TopologyEntry{"scheduled-fabric", "leaves of fixed host and fabric ports under spines that forward cells",
                  scheduled_fabric_misfit, build_scheduled_fabric},
    TopologyEntry{"dragonfly-plus", "groups of leaves and spines; the spines of every two groups are linked directly",
                  dragonfly_plus_misfit, build_dragonfly_plus, true},
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
