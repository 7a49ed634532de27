// SPDX-License-Identifier: Apache-2.0
#include "topologies/fat_tree_plan.h"

#include <algorithm>
#include <cmath>

#include "topologies/fabric.h"

namespace railyard {

namespace {

int uplinks_for(int down, double ratio) {
  constexpr double rounding = 1e-9;  // 48 / 3.0 must not become 17
  return static_cast<int>(std::ceil(down / ratio - rounding));
}

/// The most downlinks d of `ports` ports with ceil(d / ratio) uplinks beside them.
int downlinks(int ports, double ratio, OversubscribedBy by) {
  int down = 0;
  while (down + 1 + uplinks_for(down + 1, ratio) <= ports) ++down;
  return by == OversubscribedBy::fewer_uplinks ? std::min(down, ports / 2) : down;
}

/// Nodes whose ports the management ends take.
int nodes_given_up(const FatTreeRequest& request) {
  return static_cast<int>(ceil_div(request.manager_ends, std::int64_t{request.columns} * request.node_ports));
}

int nodes_per_pod(const FatTreeRequest& request) { return leaf_ports(request).down / request.node_ports; }

/// Nodes with the last unit complete, or the last pod where there are no units.
int filled(const FatTreeRequest& request, int nodes_of_pod, int limit) {
  if (!request.fill_unit) return request.nodes;
  const int unit = request.unit_nodes > 1 ? request.unit_nodes : nodes_of_pod;
  return std::min(static_cast<int>(ceil_div(request.nodes, unit)) * unit, limit);
}

FatTreePlan plan_one_switch(const FatTreeRequest& request) {
  FatTreePlan plan;
  plan.tiers = plan.pods = plan.columns = 1;
  plan.node_ports = request.single_ports;
  plan.nodes_per_pod = static_cast<int>(node_limit(request, 1));
  plan.nodes = filled(request, plan.nodes_per_pod, plan.nodes_per_pod);
  return plan;
}

/// Downlinks of a spine in three tiers.
int spine_downlinks(const FatTreeRequest& request) {
  return downlinks(request.spine_radix, request.core_oversubscription, request.oversubscribed_by);
}

/// Pods that share spines in three tiers.
int pods_of_group(const FatTreeRequest& request) {
  const int down = spine_downlinks(request);
  return (request.group_leaves > 0 ? std::min(request.group_leaves, down) : down) / request.columns;
}

/// At most `uplinks`, since a group never has more leaves than a spine has ports for them.
int spines_for(int leaves, int uplinks, int spine_ports) {
  return spine_count(uplinks, static_cast<std::int64_t>(leaves) * uplinks, spine_ports);
}

/// Uplinks of a spine: its share of the downlinks; of those in use where the design fixes the size of a group.
int spine_uplinks(const FatTreeRequest& request, int uplinks) {
  int down = spine_downlinks(request);
  if (request.group_leaves > 0) {
    const int leaves = pods_of_group(request) * request.columns;
    if (leaves > 0) down = leaves * uplinks / spines_for(leaves, uplinks, down);
  }
  return std::min(uplinks_for(down, request.core_oversubscription), request.spine_radix - down);
}

/// Leaves of every spine group, in order.
std::vector<SpineGroup> groups_of(const FatTreeRequest& request, const FatTreePlan& plan) {
  if (plan.tiers == 2) return {{plan.pods * request.columns, 0}};
  if (request.group_by_rail) {
    return std::vector<SpineGroup>(static_cast<std::size_t>(request.columns), {plan.pods, 0});
  }
  std::vector<SpineGroup> groups;
  for (int first = 0; first < plan.pods; first += plan.pods_per_group) {
    groups.push_back({std::min(plan.pods_per_group, plan.pods - first) * request.columns, 0});
  }
  return groups;
}

/// Cores of every plane: plane i has spine i of each group that has so many, and follows the two-tier rule.
std::vector<int> cores_of(const FatTreeRequest& request, const FatTreePlan& plan) {
  int planes = 0;
  for (const SpineGroup& group : plan.groups) planes = std::max(planes, group.spines);
  std::vector<int> cores;
  for (int plane = 0; plane < planes; ++plane) {
    const auto spines =
        std::count_if(plan.groups.begin(), plan.groups.end(), [=](const SpineGroup& g) { return g.spines > plane; });
    const std::int64_t links = static_cast<std::int64_t>(spines) * request.core_trees * plan.spine_uplinks;
    cores.push_back(spine_count(plan.spine_uplinks, links, request.core_radix));
  }
  return cores;
}

FatTreePlan plan_tree(const FatTreeRequest& request, int tiers) {
  const LeafPorts ports = leaf_ports(request);
  FatTreePlan plan;
  plan.tiers = tiers;
  plan.columns = request.columns;
  plan.node_ports = request.node_ports;
  plan.nodes_per_pod = nodes_per_pod(request);
  plan.uplinks = ports.up;
  plan.pods = static_cast<int>(ceil_div(request.nodes, plan.nodes_per_pod));
  plan.nodes = filled(request, plan.nodes_per_pod, plan.pods * plan.nodes_per_pod - nodes_given_up(request));
  plan.pods_per_group = tiers == 3 ? pods_of_group(request) : 0;
  plan.groups = groups_of(request, plan);
  const int spine_ports = tiers == 2 ? request.spine_radix : spine_downlinks(request);
  for (SpineGroup& group : plan.groups) group.spines = spines_for(group.leaves, ports.up, spine_ports);
  if (tiers == 3) {
    plan.spine_uplinks = spine_uplinks(request, ports.up);
    plan.cores_of_plane = cores_of(request, plan);
  }
  return plan;
}

}  // namespace

LeafPorts leaf_ports(const FatTreeRequest& request) {
  const int usable = request.radix - request.reserved_ports, split = request.breakout;
  const auto uplinks = [&](int down) { return uplinks_for(down, request.oversubscription * split); };
  int down = 0;
  if (request.fixed_ports) {
    if (request.fixed_ports->down + split * request.fixed_ports->up > usable) return {};
    down = request.fixed_ports->down;
  } else {
    while (down + 1 + split * uplinks(down + 1) <= usable) ++down;
    if (request.oversubscribed_by == OversubscribedBy::fewer_uplinks) down = std::min(down, usable / 2);
  }
  int nodes = std::max(0, down) / request.node_ports;
  if (request.nodes_per_leaf > 0) nodes = std::min(nodes, request.nodes_per_leaf);
  if (nodes > request.unit_nodes) nodes -= nodes % request.unit_nodes;
  if (nodes == 0) return {};
  down = nodes * request.node_ports;
  return {down, request.fixed_ports ? request.fixed_ports->up : uplinks(down)};
}

std::int64_t node_limit(const FatTreeRequest& request, int tiers) {
  if (tiers == 1) {
    int nodes = std::max(0, request.radix - request.reserved_ports - request.manager_ends) / request.single_ports;
    if (request.nodes_per_leaf > 0) nodes = std::min(nodes, request.nodes_per_leaf);
    return nodes > request.unit_nodes ? nodes - nodes % request.unit_nodes : nodes;
  }
  const LeafPorts ports = leaf_ports(request);
  if (ports.up <= 0) return 0;
  const std::int64_t of_pod = nodes_per_pod(request);
  // Every spine has a port for each leaf at least; every core one for each spine of its plane.
  if (tiers == 2) return request.spine_radix / request.columns * of_pod;
  const int most_groups = request.core_radix / request.core_trees;
  if (spine_uplinks(request, ports.up) <= 0) return 0;
  if (request.group_by_rail) return request.columns <= most_groups ? spine_downlinks(request) * of_pod : 0;
  return static_cast<std::int64_t>(pods_of_group(request)) * most_groups * of_pod;
}

std::int64_t node_limit(const FatTreeRequest& request) {
  if (request.tiers != 0) return node_limit(request, request.tiers);
  std::int64_t limit = 0;
  for (int tiers = request.first_tier; tiers <= 3; ++tiers) limit = std::max(limit, node_limit(request, tiers));
  return limit;
}

std::optional<FatTreePlan> plan_fat_tree(const FatTreeRequest& request, FatTreeObstacle& obstacle) {
  obstacle = {};
  const int first = request.tiers == 0 ? request.first_tier : request.tiers,
            last = request.tiers == 0 ? 3 : request.tiers;
  for (int tiers = first; tiers <= last; ++tiers) {
    const std::int64_t limit = node_limit(request, tiers);
    if (request.nodes > limit) {
      if (limit >= obstacle.limit) obstacle = {tiers, limit, 0};
      continue;
    }
    if (tiers == 1) return plan_one_switch(request);
    const std::int64_t of_pod = nodes_per_pod(request), pods = ceil_div(request.nodes, of_pod);
    const std::int64_t room = pods * of_pod - nodes_given_up(request);
    if (request.nodes > room) {
      obstacle = {tiers, room, static_cast<int>(pods)};
      return std::nullopt;
    }
    return plan_tree(request, tiers);
  }
  return std::nullopt;
}

}  // namespace railyard
