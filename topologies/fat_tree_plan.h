// SPDX-License-Identifier: Apache-2.0
// How many pods, leaves, spines and cores a rail-optimised fat tree needs, and how many it can hold. Pure arithmetic
// over the rules of DESIGN 5.2; fat_tree.h wires what is planned here, and all counts are then taken from the wired
// graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topologies/design.h"

namespace railyard {

/// Ends of the management appliances that take leaf ports (DGX SuperPOD H100, table 4).
inline constexpr int ufm_ends = 4;

struct FatTreeRequest {
  int radix = 0;  // ports of a switch at NIC speed
  int rails = 0;  // NIC ports of a node
  int nodes = 0;
  int tiers = 0;  // 0: the fewest that fit
  double oversubscription = 1;
  OversubscribedBy oversubscribed_by = OversubscribedBy::fewer_uplinks;
  bool group_by_rail = false;
  int reserved_ports = 0;
  int manager_ends = 0;
  bool fill_unit = false;
};

/// Leaves that share a set of spines.
struct SpineGroup {
  int leaves = 0, spines = 0;
};

struct FatTreePlan {
  int tiers = 0;
  int nodes = 0;          // to be wired: more than requested when units are filled
  int nodes_per_pod = 0;  // node ports of a leaf that nodes may take
  int uplinks = 0;        // of every leaf
  int pods = 0;
  int pods_per_group = 0;           // three tiers, groups of pods
  std::vector<SpineGroup> groups;   // two tiers: one group
  std::vector<int> cores_of_plane;  // three tiers: core plane i takes spine i of every group
};

/// Node ports and uplinks of a leaf: the most node ports d with d + ceil(d / ratio) ports in all; `fewer-uplinks` never
/// takes more than half of the ports for nodes. Zero uplinks mean that the switch cannot be a leaf.
struct LeafPorts {
  int down = 0, up = 0;
};
[[nodiscard]] LeafPorts leaf_ports(const FatTreeRequest& request);

/// Most nodes of a tree of this many tiers, management ends left out.
[[nodiscard]] std::int64_t node_limit(const FatTreeRequest& request, int tiers);

/// Why a request does not fit, in nodes.
struct FatTreeObstacle {
  int tiers = 0;           // of the largest tree that was tried
  std::int64_t limit = 0;  // nodes
  int full_pods = 0;       // not zero: the nodes fit, but these pods leave no leaf port for the management ends
};

/// The plan, or nothing and why.
[[nodiscard]] std::optional<FatTreePlan> plan_fat_tree(const FatTreeRequest& request, FatTreeObstacle& obstacle);

}  // namespace railyard
