// SPDX-License-Identifier: Apache-2.0
// All-to-all by classes of alike flows against the same pair by pair, and its scale-up ports against the flow level.
#include "sim/network/uniform_all_to_all.h"

#include <random>

#include "sim/network/flow/slowdown.h"
#include "sim/network/flow/traffic.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

CollectiveSpeeds speeds_of(bool mesh) {
  CollectiveSpeeds speeds;
  speeds.library = &collective_library("plain");
  speeds.ring = mesh ? 1e12 : 300e9;  // links bound a mesh
  speeds.link = mesh ? 50e9 : 300e9;
  speeds.mesh = mesh;
  speeds.switch_latency = 1e-6;
  speeds.scale_up_hop = 2e-6;
  return speeds;
}

/// Pair by pair, as the definition says it.
DirectRoute pair_by_pair(const Wiring& wiring, const RankGroup& group) {
  DirectRoute route;
  LinkLoads links(wiring.fabric);
  const auto gpus = static_cast<std::size_t>(wiring.fabric.gpus());
  std::vector<double> out(gpus, 0), in(gpus, 0);
  std::vector<std::vector<double>> link(gpus, std::vector<double>(gpus, 0));
  const double share = 1.0 / group.size();
  const auto inside = [&](int from, int to) {
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    out[a] += share;
    in[b] += share;
    link[a][b] += share;
  };
  for (const int from : group.gpus) {
    for (const int to : group.gpus) {
      if (from == to) continue;
      if (wiring.placement.domain(from) == wiring.placement.domain(to)) {
        inside(from, to);
        continue;
      }
      const Hop hop = wiring.placement.hop(from, to);
      links.add(hop.from_nic, hop.to_nic, share);
      const int relay =
          from / wiring.fabric.gpus_per_node() * wiring.fabric.gpus_per_node() + to % wiring.fabric.gpus_per_node();
      if (hop.relayed) inside(from, relay);
      route.paths.further = std::max(route.paths.further, (hop.switches - 1) * wiring.speeds.switch_latency +
                                                              (hop.relayed ? wiring.speeds.scale_up_hop : 0));
    }
  }
  route.paths.network = links.fullest().congestion;
  for (std::size_t a = 0; a < gpus; ++a) {
    if (!wiring.speeds.mesh) route.paths.inside = std::max({route.paths.inside, out[a] / 300e9, in[a] / 300e9});
    for (std::size_t b = 0; wiring.speeds.mesh && b < gpus; ++b)
      route.paths.inside = std::max(route.paths.inside, link[a][b] / 50e9);
  }
  return route;
}

TEST_CASE("classes of alike flows load what pairs of ranks do", "[network]") {
  std::mt19937 random(11);
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const SmallFabric one{.pods = 1, .nodes_per_pod = 6, .gpus_per_node = 4};
  const SmallFabric two{.pods = 3, .nodes_per_pod = 3, .gpus_per_node = 4, .spines = 3};
  const SmallFabric three{.pods = 4, .nodes_per_pod = 2, .gpus_per_node = 4, .groups = 2, .spines = 4, .cores = 8};
  for (const SmallFabric& plan : {one, two, three}) {
    const Fabric fabric = wire(plan);
    const FabricMap map(fabric, 1);
    for (int trial = 0; trial < 40; ++trial) {
      const int domain = trial % 2 == 0 ? 4 : 8;
      const CollectiveSpeeds speeds = speeds_of(trial % 3 == 0);
      const Placement placement(map, domain);
      const Wiring wiring{map, placement, speeds};
      std::vector<int> gpus;
      const int keep = 1 + below(4);  // of four
      for (int gpu = 0; gpu < plan.gpus(); ++gpu) {
        if (below(4) < keep) gpus.push_back(gpu);
      }
      if (gpus.size() < 2) continue;
      std::vector<RankGroup> groups;
      groups.push_back(placement.group(gpus));
      const DirectRoute fast = route_uniform_all_to_all(wiring, groups);
      const DirectRoute slow = pair_by_pair(wiring, groups.front());
      INFO("trial " << trial << ", " << gpus.size() << " ranks, domains of " << domain);
      CHECK_THAT(fast.paths.network, WithinRel(slow.paths.network, 1e-9));
      CHECK_THAT(fast.paths.inside, WithinRel(slow.paths.inside, 1e-9));
      CHECK_THAT(fast.paths.further, WithinAbs(slow.paths.further, 1e-15));
    }
  }
}

TEST_CASE("rail changes load scale-up ports as the flow level says", "[network]") {
  // Four nodes of eight on rail leaves: of 31 shares a rank sends 7 to its node, 21 to other rails over a relay.
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 4, .gpus_per_node = 8, .nic_gigabits = 3200};
  const Fabric fabric = wire(plan);
  const FabricMap map(fabric, 1);
  const Placement placement(map, 8);
  const CollectiveSpeeds speeds = speeds_of(false);
  std::vector<int> gpus;
  for (int gpu = 0; gpu < 32; ++gpu) gpus.push_back(gpu);
  std::vector<RankGroup> groups;
  groups.push_back(placement.group(gpus));
  const DirectRoute route = route_uniform_all_to_all({map, placement, speeds}, groups);
  CHECK_THAT(route.paths.inside, WithinRel((7 + 21) / 32.0 / 300e9, 1e-12));
  const Traffic traffic = all_to_all_traffic(groups, 1);
  const FlowNetwork network(fabric, {.scale_up_gpus = 8, .scale_up_port = 300e9});
  CHECK_THAT(lockstep_time(network, network.route(traffic), traffic).time,
             WithinRel(std::max(route.paths.inside, route.paths.network), 1e-9));
}

}  // namespace
}  // namespace railyard
