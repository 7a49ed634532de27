// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/slowdown.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace railyard {
namespace {

std::vector<double> loads_of(const FlowNetwork& network, const RoutedMessages& routed,
                             std::span<const Message> messages) {
  assert(static_cast<std::size_t>(routed.flows.size()) == messages.size());
  std::vector<double> loads(network.capacities().size(), 0);
  for (int flow = 0; flow < routed.flows.size(); ++flow) {
    const double bytes = messages[static_cast<std::size_t>(flow)].bytes;
    routed.flows.for_each_use(flow, [&](ResourceId id, double fraction) { loads[id] += bytes * fraction; });
  }
  return loads;
}

template <class Counts>
Congestion fullest(const FlowNetwork& network, std::span<const double> loads, Counts&& counts) {
  Congestion worst;
  for (ResourceId id = 0; id < loads.size(); ++id) {
    if (loads[id] == 0 || !counts(id)) continue;
    const double time = loads[id] / network.capacities()[id];
    if (time > worst.time) worst = {time, id};
  }
  return worst;
}

Congestion whole(const FlowNetwork& network, std::span<const double> loads) {
  return fullest(network, loads, [](ResourceId) { return true; });
}

Congestion at_ends(const FlowNetwork& network, std::span<const double> loads) {
  return fullest(network, loads, [&](ResourceId id) {
    switch (network.kind(id)) {
      case ResourceKind::library:
      case ResourceKind::scale_up:
      case ResourceKind::pcie:
      case ResourceKind::nic:
        return true;
      case ResourceKind::leaf_spine:
      case ResourceKind::spine_core:
      case ResourceKind::between_peers:
        break;
    }
    return false;
  });
}

}  // namespace

Congestion lockstep_time(const FlowNetwork& network, const RoutedMessages& routed, std::span<const Message> messages) {
  return whole(network, loads_of(network, routed, messages));
}

Congestion ends_time(const FlowNetwork& network, const RoutedMessages& routed, std::span<const Message> messages) {
  return at_ends(network, loads_of(network, routed, messages));
}

double slowdown(const FlowNetwork& network, std::span<const Message> messages) {
  const std::vector<double> loads = loads_of(network, network.route(messages), messages);
  const double ends = at_ends(network, loads).time;
  return ends == 0 ? 1 : whole(network, loads).time / ends;
}

std::vector<double> ecmp_slowdowns(const Fabric& fabric, const EndLimits& ends, const RoutingRule& rule,
                                   std::span<const Message> messages, std::span<const std::uint64_t> seeds) {
  RoutingRule hashed = rule;
  hashed.spreading = Spreading::hashed;
  FlowNetwork network(fabric, ends, hashed);
  std::vector<double> slowdowns;
  slowdowns.reserve(seeds.size());
  for (const std::uint64_t seed : seeds) {
    network.reseed(seed);
    slowdowns.push_back(slowdown(network, messages));
  }
  return slowdowns;
}

Spread spread_of(std::vector<double> sample) {
  assert(!sample.empty());
  std::ranges::sort(sample);
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(sample.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sample.size() - 1);
    return sample[below] + (place - std::floor(place)) * (sample[above] - sample[below]);
  };
  return {.least = sample.front(), .median = quantile(0.5), .p90 = quantile(0.9), .most = sample.back()};
}

}  // namespace railyard
