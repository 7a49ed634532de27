// SPDX-License-Identifier: Apache-2.0
#include "topologies/fat_tree_plan.h"

#include <algorithm>
#include <cmath>

#include "topologies/fabric.h"

namespace railyard {

namespace {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int uplinks_for(int down, double ratio) {
  constexpr double rounding = 1e-9;  // 48 / 3.0 must not become 17
  return static_cast<int>(std::ceil(down / ratio - rounding));
}

/// Nodes whose ports the management ends take: each node has one port on every leaf of its pod.
int nodes_given_up(const FatTreeRequest& request) {
  return static_cast<int>(ceil_div(request.manager_ends, request.rails));
}

FatTreePlan plan_one_switch(const FatTreeRequest& request) {
  FatTreePlan plan;
  plan.tiers = plan.pods = 1;
  plan.nodes_per_pod = static_cast<int>(node_limit(request, 1));
  plan.nodes = request.fill_unit ? plan.nodes_per_pod : request.nodes;
  return plan;
}

/// Leaves of every spine group, in order.
std::vector<SpineGroup> groups_of(const FatTreeRequest& request, const FatTreePlan& plan) {
  if (plan.tiers == 2) return {{plan.pods * request.rails, 0}};
  if (request.group_by_rail) return std::vector<SpineGroup>(static_cast<std::size_t>(request.rails), {plan.pods, 0});
  std::vector<SpineGroup> groups;
  for (int first = 0; first < plan.pods; first += plan.pods_per_group) {
    groups.push_back({std::min(plan.pods_per_group, plan.pods - first) * request.rails, 0});
  }
  return groups;
}

/// Cores of every plane: plane i has spine i of each group that has so many, and follows the two-tier rule.
std::vector<int> cores_of(const FatTreeRequest& request, const std::vector<SpineGroup>& groups) {
  const int up = request.radix / 2;
  int planes = 0;
  for (const SpineGroup& group : groups) planes = std::max(planes, group.spines);
  std::vector<int> cores;
  for (int plane = 0; plane < planes; ++plane) {
    const auto spines =
        std::count_if(groups.begin(), groups.end(), [=](const SpineGroup& g) { return g.spines > plane; });
    cores.push_back(spine_count(up, static_cast<std::int64_t>(spines) * up, request.radix));
  }
  return cores;
}

FatTreePlan plan_tree(const FatTreeRequest& request, int tiers) {
  const LeafPorts ports = leaf_ports(request);
  FatTreePlan plan;
  plan.tiers = tiers;
  plan.nodes_per_pod = ports.down;
  plan.uplinks = ports.up;
  plan.pods = static_cast<int>(ceil_div(request.nodes, ports.down));
  plan.nodes = request.fill_unit ? plan.pods * ports.down - nodes_given_up(request) : request.nodes;
  plan.pods_per_group = request.radix / 2 / request.rails;
  plan.groups = groups_of(request, plan);
  const int spine_ports = tiers == 2 ? request.radix : request.radix / 2;
  for (SpineGroup& group : plan.groups) {
    group.spines = spine_count(ports.up, static_cast<std::int64_t>(group.leaves) * ports.up, spine_ports);
  }
  if (tiers == 3) plan.cores_of_plane = cores_of(request, plan.groups);
  return plan;
}

}  // namespace

LeafPorts leaf_ports(const FatTreeRequest& request) {
  const int usable = request.radix - request.reserved_ports;
  const auto fits = [&](int down) { return down + uplinks_for(down, request.oversubscription) <= usable; };
  int down = 0;
  while (fits(down + 1)) ++down;
  if (request.oversubscribed_by == OversubscribedBy::fewer_uplinks) down = std::min(down, usable / 2);
  return down <= 0 ? LeafPorts{} : LeafPorts{down, uplinks_for(down, request.oversubscription)};
}

std::int64_t node_limit(const FatTreeRequest& request, int tiers) {
  if (tiers == 1) {
    return std::max(0, request.radix - request.reserved_ports - request.manager_ends) / request.rails;
  }
  const std::int64_t nodes_per_pod = leaf_ports(request).down;
  const int half = request.radix / 2;
  // Every spine has a port for each leaf at least; every core one for each spine of its plane.
  if (tiers == 2) return request.radix / request.rails * nodes_per_pod;
  const int most_groups = request.radix;
  if (request.group_by_rail) return request.rails <= most_groups ? half * nodes_per_pod : 0;
  return static_cast<std::int64_t>(half / request.rails) * most_groups * nodes_per_pod;
}

std::optional<FatTreePlan> plan_fat_tree(const FatTreeRequest& request, FatTreeObstacle& obstacle) {
  obstacle = {};
  const int first = request.tiers == 0 ? 1 : request.tiers, last = request.tiers == 0 ? 3 : request.tiers;
  for (int tiers = first; tiers <= last; ++tiers) {
    const std::int64_t limit = node_limit(request, tiers);
    if (request.nodes > limit) {
      if (limit >= obstacle.limit) obstacle = {tiers, limit, 0};
      continue;
    }
    if (tiers == 1) return plan_one_switch(request);
    const std::int64_t nodes_per_pod = leaf_ports(request).down;
    const std::int64_t pods = ceil_div(request.nodes, nodes_per_pod);
    const std::int64_t room = pods * nodes_per_pod - nodes_given_up(request);
    if (request.nodes > room) {
      obstacle = {tiers, room, static_cast<int>(pods)};
      return std::nullopt;
    }
    return plan_tree(request, tiers);
  }
  return std::nullopt;
}

}  // namespace railyard
