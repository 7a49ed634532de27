// SPDX-License-Identifier: Apache-2.0
#include "sim/network/routes.h"

#include <algorithm>
#include <limits>

#include "base/index.h"
#include "sim/network/double_tree.h"

namespace railyard {
namespace {

/// Loads of the fabric and of relays over scale-up.
class Flows {
 public:
  explicit Flows(const Wiring& wiring)
      : wiring_(wiring), links_(wiring.fabric), relayed_(at(wiring.fabric.gpus()), 0) {}

  /// Between domains; returns the seconds that the step takes beyond one over a single switch.
  double add(int from, int to, double load) {
    const Hop hop = wiring_.placement.hop(from, to);
    links_.add(hop.from_nic, hop.to_nic, load);
    if (hop.relayed) relayed_[at(from)] += load;
    return (hop.switches - 1) * wiring_.speeds.switch_latency + (hop.relayed ? wiring_.speeds.scale_up_hop : 0);
  }

  /// Between two domains, spread over as many channels as the larger has ranks; each enters and leaves by its own rail.
  double add_channels(std::span<const int> from, std::span<const int> to, double load) {
    const std::size_t channels = std::max(from.size(), to.size());
    double longest = 0;
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const double share = load / static_cast<double>(channels);
      longest = std::max(longest, add(from[channel % from.size()], to[channel % to.size()], share));
    }
    return longest;
  }

  [[nodiscard]] Bottleneck network() const { return links_.fullest(); }
  [[nodiscard]] double relays() const {
    return *std::max_element(relayed_.begin(), relayed_.end()) / wiring_.speeds.link;
  }

 private:
  const Wiring& wiring_;
  LinkLoads links_;
  std::vector<double> relayed_;
};

std::span<const int> cyclic(const RankGroup& group, int index) {
  return group.domains[at(index % group.domain_count())];
}

/// Longest way from any node of the tree to its root, given the seconds of each node's edge to its parent.
double deepest(const TreeParents& parents, std::span<const double> edges) {
  std::vector<double> depth(parents.size(), -1);
  double longest = 0;
  std::vector<std::size_t> way;
  for (std::size_t node = 0; node < parents.size(); ++node) {
    std::size_t top = node;
    for (way.clear(); depth[top] < 0 && parents[top] >= 0; top = at(parents[top])) way.push_back(top);
    double sum = std::max(depth[top], 0.0);
    depth[top] = sum;
    for (auto below = way.rbegin(); below != way.rend(); ++below) depth[*below] = sum += edges[*below];
    longest = std::max(longest, sum);
  }
  return longest;
}

}  // namespace

RoundRoute route_rings(const Wiring& wiring, std::span<const RankGroup> groups) {
  RoundRoute route;
  CollectivePaths& paths = route.paths;
  Flows flows(wiring);
  const RankGroup& first = groups.front();
  paths.ranks = first.size();
  paths.domains = first.domain_count();
  paths.per_domain = 1;
  const auto even_size = static_cast<int>(first.domains.front().size());
  for (const RankGroup& group : groups) {
    const int domains = group.domain_count();
    paths.domains = std::max(paths.domains, domains);
    double further = 0, least = domains > 1 ? std::numeric_limits<double>::infinity() : 0;
    for (int domain = 0; domain < domains; ++domain) {
      const std::span<const int> here = cyclic(group, domain);
      const int ranks = static_cast<int>(here.size());
      paths.even = paths.even && ranks == even_size && domains == first.domain_count();
      paths.per_domain = std::max(paths.per_domain, ranks);
      if (ranks > 1) {
        const double bandwidth = domains > 1 ? wiring.speeds.chain_of(ranks) : wiring.speeds.ring_of(ranks);
        paths.ring_inside = std::max(paths.ring_inside, 1 / bandwidth);
      }
      if (domains == 1) continue;
      const double step = flows.add_channels(here, cyclic(group, domain + 1), 1);
      further += step;
      least = std::min(least, step);
    }
    // A chunk passes all edges of its ring but one; with equal hops this is NCCL's count of steps.
    paths.ring_further = std::max(paths.ring_further, further - least);
  }
  paths.ports = paths.per_domain;
  if (paths.domains > 1) {
    paths.port = wiring.fabric.nic_bandwidth(wiring.fabric.nic(first.gpus.front())) / wiring.speeds.efficiency;
    const Bottleneck network = flows.network();
    paths.ring_network = network.congestion;
    route.ring_where = network.where;
    paths.ring_inside = std::max(paths.ring_inside, flows.relays());
  }
  return route;
}

void route_trees(const Wiring& wiring, std::span<const RankGroup> groups, RoundRoute& route) {
  CollectivePaths& paths = route.paths;
  Flows flows(wiring);
  std::array<TreeParents, 2> trees;
  std::vector<double> steps, further;
  double extra = 0;
  for (const RankGroup& group : groups) {
    const int domains = group.domain_count();
    for (const std::span<const int> domain : group.domains) {
      const int ranks = static_cast<int>(domain.size());
      // Every byte goes up the chain once and down once.
      if (ranks > 1) paths.tree_inside = std::max(paths.tree_inside, 2 / wiring.speeds.chain_of(ranks));
    }
    if (domains == 1) continue;
    if (trees.front().size() != at(domains)) trees = double_binary_tree(domains);
    for (const TreeParents& parents : trees) {
      steps.assign(parents.size(), 1);
      further.assign(parents.size(), 0);
      for (int node = 0; node < domains; ++node) {
        if (parents[at(node)] < 0) continue;
        const std::span<const int> child = cyclic(group, node), parent = cyclic(group, parents[at(node)]);
        // Half of the bytes in each tree: up when reducing, down when spreading the result.
        further[at(node)] = std::max(flows.add_channels(child, parent, 0.5), flows.add_channels(parent, child, 0.5));
      }
      paths.tree_depth = std::max(paths.tree_depth, static_cast<int>(deepest(parents, steps)));
      extra = std::max(extra, deepest(parents, further));
    }
  }
  paths.tree_further = 2 * extra;
  const Bottleneck network = flows.network();
  paths.tree_network = network.congestion;
  route.tree_where = network.where;
  paths.tree_inside = std::max(paths.tree_inside, flows.relays());
}

namespace {

/// Adds one flow, inside or between domains; `pair` is what a scale-up flow of load one costs per byte.
void add_direct(const Wiring& wiring, Flows& flows, DirectRoute& route, int from, int to, double load, double pair) {
  if (wiring.placement.domain(from) != wiring.placement.domain(to)) {
    route.paths.over_network = true;
    route.paths.further = std::max(route.paths.further, flows.add(from, to, load));
  } else {
    route.paths.inside = std::max(route.paths.inside, load * pair);
  }
}

void finish(const Flows& flows, DirectRoute& route) {
  const Bottleneck network = flows.network();
  route.paths.network = network.congestion;
  route.where = network.where;
  route.paths.inside = std::max(route.paths.inside, flows.relays());
}

}  // namespace

DirectRoute route_neighbours(const Wiring& wiring, std::span<const RankGroup> groups) {
  DirectRoute route;
  Flows flows(wiring);
  for (const RankGroup& group : groups) {
    route.paths.ranks = std::max(route.paths.ranks, group.size());
    for (const std::span<const int> domain : group.domains)
      route.paths.ports = std::max(route.paths.ports, static_cast<int>(domain.size()));
    for (std::size_t rank = 0; rank < group.gpus.size(); ++rank) {
      add_direct(wiring, flows, route, group.gpus[rank], group.gpus[(rank + 1) % group.gpus.size()], 1,
                 1 / wiring.speeds.link);
    }
  }
  finish(flows, route);
  return route;
}

DirectRoute route_shift(const Wiring& wiring, int stride) {
  DirectRoute route;
  route.paths.ranks = 2;  // pairs that the library joins in communicators of their own
  Flows flows(wiring);
  const int gpus = wiring.fabric.gpus();
  for (int gpu = 0; gpu < gpus; ++gpu) {
    add_direct(wiring, flows, route, gpu, (gpu + stride) % gpus, 1, 1 / wiring.speeds.link);
  }
  finish(flows, route);
  return route;
}

}  // namespace railyard
