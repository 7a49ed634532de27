// SPDX-License-Identifier: Apache-2.0
// Bandwidth across the middle against the promise, and ways from leaf to leaf.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "topologies/design_check.h"
#include "topologies/halves.h"
#include "topologies/max_flow.h"
#include "topologies/words.h"

namespace railyard {

namespace {

constexpr int most_pairs = 8;  // that are looked at
constexpr double ratio_rounding = 1e-9;
constexpr double nearly = 0.98;  // of a promise: global links that do not divide evenly among spines cost less

std::string terabits(Bandwidth value) { return fmt::format("{:.4g} Tb/s", value.in(1000.0 * gigabit_per_second)); }

/// Downlinks to uplinks of a full leaf, by bandwidth: below 1 has more uplinks, which promise no more than the NICs.
double leaf_ratio(const Fabric& fabric, const Design& design) {
  if (!design.leaf_ports) return std::max(1.0, design.oversubscription);
  const double down = design.leaf_ports->down, up = design.leaf_ports->up;
  return std::max(1.0, down / (up * fabric.shape().breakout));
}

/// Three tiers whose spine groups differ in size: the last one of a tree is begun only.
bool uneven_groups(const Fabric& fabric) {
  if (fabric.count(Layer::spine_core) == 0) return false;
  std::map<int, int> spines;
  for (const Device& device : fabric.devices()) {
    if (device.kind == DeviceKind::spine) ++spines[device.group];
  }
  return std::any_of(spines.begin(), spines.end(),
                     [&](const auto& each) { return each.second != spines.begin()->second; });
}

/// `count` of `all`, the last among them, evenly apart.
template <class Item>
std::vector<Item> spread(const std::vector<Item>& all, std::size_t count) {
  if (all.size() <= count) return all;
  std::vector<Item> some;
  for (std::size_t i = 1; i <= count; ++i) some.push_back(all[i * all.size() / count - 1]);
  return some;
}

/// Links between switches as unit capacities, and those of some nodes, so that a node takes or gives but passes nothing
/// on.
class WayGraph {
 public:
  WayGraph(const Fabric& fabric, DeviceId source_node, const std::vector<DeviceId>& sink_nodes)
      : flow_(fabric.devices().size()) {
    std::map<std::pair<DeviceId, DeviceId>, int> bundles;
    for (const Link& link : fabric.links()) {
      if (link.layer != Layer::node_leaf) ++bundles[{link.lower, link.upper}];
    }
    for (const auto& [ends, links] : bundles) flow_.join(at(ends.first), at(ends.second), links);
    for (const LinkId id : fabric.links_of(source_node)) flow_.connect(at(source_node), at(fabric.link(id).upper), 1);
    for (const DeviceId node : sink_nodes) {
      for (const LinkId id : fabric.links_of(node)) flow_.connect(at(fabric.link(id).upper), at(node), 1);
    }
  }
  [[nodiscard]] std::int64_t least(DeviceId from, const std::vector<DeviceId>& to) {
    std::int64_t fewest = -1;
    for (const DeviceId end : to) {
      const std::int64_t ways = flow_.between(at(from), at(end));
      fewest = fewest < 0 ? ways : std::min(fewest, ways);
    }
    return fewest;
  }

 private:
  MaxFlow flow_;
};

Finding ways_finding(const std::string& what, std::int64_t ways, int limit) {
  const CheckVerdict verdict = ways == 0                ? CheckVerdict::fail
                               : ways == 1 && limit > 1 ? CheckVerdict::warn
                                                        : CheckVerdict::pass;
  return {"paths", verdict, what, fmt::format("{} disjoint", counted(ways, "way")), fmt::format("at most {}", limit)};
}

}  // namespace

Bandwidth promised_bisection(const Fabric& fabric, const Design& design) {
  const FabricShape& shape = fabric.shape();
  const std::vector<bool> first = first_half(fabric);
  const auto in_first = std::count(first.begin(), first.end(), true);
  const auto smaller = static_cast<double>(std::min<std::int64_t>(in_first, shape.nodes - in_first));
  Bandwidth nic;
  for (const Link& link : fabric.links()) {
    if (link.layer == Layer::node_leaf) nic = link.speed;
  }
  double ratio = shape.tiers > 1 ? leaf_ratio(fabric, design) : 1;
  if (fabric.count(Layer::spine_core) > 0) ratio *= std::max(1.0, design.core_oversubscription);
  const Bandwidth nics = nic * (smaller * shape.rails * shape.planes / ratio);
  const std::size_t global = fabric.count(Layer::spine_spine);
  if (global == 0) return nics;
  // Equally many links between each two of g groups; those of the first half meet those of the second.
  const int groups = shape.groups, half = groups / 2;
  const double across = static_cast<double>(global) * half * (groups - half) / (groups * (groups - 1) / 2.0);
  return std::min(nics, nic * (across * shape.breakout));
}

std::vector<Finding> check_bisection(const Fabric& fabric, const Design& design) {
  if (fabric.shape().nodes < 2) {
    return {{"bisection", CheckVerdict::not_checked, "one node has no halves", {}, {}}};
  }
  const Bandwidth flow = bisection_bandwidth(fabric), promise = promised_bisection(fabric, design);
  const double kept = promise > Bandwidth{} ? flow / promise : 1;
  const CheckVerdict verdict = kept >= 1 - ratio_rounding ? CheckVerdict::pass
                               : kept >= nearly           ? CheckVerdict::warn
                                                          : CheckVerdict::fail;
  std::string words = "max-flow between the halves keeps what the ratios promise";
  if (verdict != CheckVerdict::pass) {
    words = fmt::format("max-flow between the halves is {:.3g} % of what the ratios promise", kept * 100);
    if (uneven_groups(fabric)) words += ": groups of fewer spines meet the others in fewer core planes";
  }
  return {{"bisection", verdict, std::move(words), terabits(flow), "at least " + terabits(promise)}};
}

std::vector<Finding> check_paths(const Fabric& fabric) {
  const FabricShape& shape = fabric.shape();
  std::vector<DeviceId> leaves, others, nodes;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const Device& device = fabric.devices()[i];
    const DeviceId id{static_cast<std::uint32_t>(i)};
    if (device.kind == DeviceKind::leaf && device.plane == 0) leaves.push_back(id);
    if (device.kind == DeviceKind::node && device.pod > 0) nodes.push_back(id);
  }
  if (leaves.size() < 2)
    return {{"paths", CheckVerdict::not_checked, "one switch joins all: there are no other ways", {}, {}}};
  const Device& first = fabric.device(leaves.front());
  for (const DeviceId leaf : leaves) {
    const Device& device = fabric.device(leaf);
    if (leaf != leaves.front() && device.rail == first.rail && device.pod != first.pod) others.push_back(leaf);
  }
  if (others.empty())
    return {{"paths", CheckVerdict::not_checked, "one pod: its leaves are the only ones of their rails", {}, {}}};
  others = spread(others, most_pairs);
  nodes = spread(nodes, most_pairs);
  WayGraph graph(fabric, fabric.node(0), nodes);
  return {ways_finding(fmt::format("between the leaf of the first pod and of {}, one rail",
                                   counted(static_cast<int>(others.size()), "other")),
                       graph.least(leaves.front(), others), shape.uplinks_per_leaf),
          ways_finding(fmt::format("between the first node and {} of other pods",
                                   counted(static_cast<int>(nodes.size()), "node")),
                       graph.least(fabric.node(0), nodes), shape.rails * shape.planes)};
}

}  // namespace railyard
