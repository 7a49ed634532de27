// SPDX-License-Identifier: Apache-2.0
// How many pods, leaves, spines and cores a fat tree needs, and how many nodes it can hold. Pure arithmetic over the
// rules of DESIGN 5.2, the same for every family of trees; tree_wiring.h wires what is planned here, and all counts are
// then taken from the wired graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/design.h"

namespace railyard {

[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Ends of the management appliances that take leaf ports (DGX SuperPOD H100, table 4).
inline constexpr int ufm_ends = 4;

/// One tree. A design of several planes, or a rail-only one, has several alike.
struct FatTreeRequest {
  int radix = 0;                        // of a leaf, in NIC ports: its own ports x breakout
  int breakout = 1;                     // NIC ports that a node-facing port of a leaf is split into
  int spine_radix = 0, core_radix = 0;  // ports at the speed of the leaf's uplinks
  int columns = 0;                      // leaves of a pod: one for each rail, or one for all
  int node_ports = 1;                   // NIC ports of a node on one of its leaves
  int single_ports = 0;                 // NIC ports of a node when one switch is all there is
  int first_tier = 1;                   // fewest tiers to try
  int nodes = 0;
  int tiers = 0;  // 0: the fewest that fit
  double oversubscription = 1;
  OversubscribedBy oversubscribed_by = OversubscribedBy::fewer_uplinks;
  double core_oversubscription = 1;
  std::optional<LeafPorts> fixed_ports;  // of a leaf, instead of a ratio
  int nodes_per_leaf = 0;                // 0: as many as fit
  int unit_nodes = 1;                    // nodes that stay together: a pod holds whole units where it holds one
  bool group_by_rail = false;
  int group_leaves = 0;  // leaves of a spine group at most; 0: as many as fit
  int core_trees = 1;    // trees that meet in the cores
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
  int nodes_per_pod = 0;  // that a pod may hold
  int columns = 0, node_ports = 0;
  int uplinks = 0;  // of every leaf
  int pods = 0;
  int pods_per_group = 0;           // three tiers, groups of pods
  int spine_uplinks = 0;            // three tiers, of every spine
  std::vector<SpineGroup> groups;   // two tiers: one group
  std::vector<int> cores_of_plane;  // three tiers: core plane i takes spine i of every group
};

/// Node ports and uplinks of a leaf: the most node ports d with d + breakout x ceil(d / ratio / breakout) ports in all;
/// `fewer-uplinks` never takes more than half of the ports for nodes. Zero of both mean that the switch cannot be a
/// leaf.
[[nodiscard]] LeafPorts leaf_ports(const FatTreeRequest& request);

/// Most nodes of a tree of this many tiers, management ends left out.
[[nodiscard]] std::int64_t node_limit(const FatTreeRequest& request, int tiers);

/// Most nodes of all tiers that the request allows.
[[nodiscard]] std::int64_t node_limit(const FatTreeRequest& request);

/// Why a request does not fit, in nodes.
struct FatTreeObstacle {
  int tiers = 0;           // of the largest tree that was tried
  std::int64_t limit = 0;  // nodes
  int full_pods = 0;       // not zero: the nodes fit, but these pods leave no leaf port for the management ends
};

/// The plan, or nothing and why.
[[nodiscard]] std::optional<FatTreePlan> plan_fat_tree(const FatTreeRequest& request, FatTreeObstacle& obstacle);

}  // namespace railyard
