// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>

#include "base/diagnostic.h"
#include "sim/network/fabric_map.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

using Hops = std::vector<std::pair<LinkId, bool>>;  // link, upwards

/// Every way up to `depth` layers above the leaves, and the mirror image down: slow, and independent of the room.
void walk_down(const Fabric& fabric, DeviceId at, DeviceId goal, int depth, Hops& way, std::vector<Hops>& found) {
  if (depth == 0) {
    if (at == goal) found.push_back(way);
    return;
  }
  for (const LinkId id : fabric.links_of(at)) {
    if (fabric.link(id).upper != at) continue;
    way.emplace_back(id, false);
    walk_down(fabric, fabric.link(id).lower, goal, depth - 1, way, found);
    way.pop_back();
  }
}

void walk_up(const Fabric& fabric, DeviceId at, DeviceId goal, int depth, int top, Hops& way,
             std::vector<Hops>& found) {
  if (depth == top) return walk_down(fabric, at, goal, top, way, found);
  for (const LinkId id : fabric.links_of(at)) {
    if (fabric.link(id).lower != at) continue;
    way.emplace_back(id, true);
    walk_up(fabric, fabric.link(id).upper, goal, depth + 1, top, way, found);
    way.pop_back();
  }
}

/// Largest load over bandwidth (bytes per second) when each flow spreads evenly over all its shortest paths.
double evenly_spread(const Fabric& fabric, const std::vector<std::pair<int, int>>& flows) {
  std::map<std::pair<LinkId, bool>, double> loads;
  for (const auto& [from, to] : flows) {
    const LinkId first = fabric.nic_link(from), last = fabric.nic_link(to);
    std::vector<Hops> paths;
    for (int top = 0; paths.empty() && top <= 2; ++top) {
      Hops way;
      walk_up(fabric, fabric.link(first).upper, fabric.link(last).upper, 0, top, way, paths);
    }
    REQUIRE(!paths.empty());
    loads[{first, true}] += 1;
    loads[{last, false}] += 1;
    for (const Hops& path : paths) {
      for (const auto& hop : path) loads[hop] += 1.0 / static_cast<double>(paths.size());
    }
  }
  double worst = 0;
  for (const auto& [hop, load] : loads) {
    worst = std::max(worst, load / fabric.link(hop.first).speed.in(byte / second));
  }
  return worst;
}

std::vector<std::pair<int, int>> random_permutation(int gpus, unsigned seed) {
  std::vector<std::pair<int, int>> flows;
  std::vector<int> targets(static_cast<std::size_t>(gpus));
  for (int gpu = 0; gpu < gpus; ++gpu) targets[static_cast<std::size_t>(gpu)] = gpu;
  std::mt19937 random(seed);
  std::shuffle(targets.begin(), targets.end(), random);
  for (int gpu = 0; gpu < gpus; ++gpu) flows.emplace_back(gpu, targets[static_cast<std::size_t>(gpu)]);
  return flows;
}

TEST_CASE("on a whole fabric traffic runs as fast as when spread evenly over every path", "[network]") {
  const SmallFabric plan = GENERATE(doubled_two_tiers, slowing_three_tiers);
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U);
  const Fabric fabric = wire(plan);
  const auto flows = random_permutation(plan.gpus(), seed);
  CHECK_THAT(congestion(fabric, flows), WithinRel(evenly_spread(fabric, flows), 1e-9));
}

TEST_CASE("on a damaged fabric adaptive routing is never slower than even spreading", "[network]") {
  const SmallFabric plan = GENERATE(doubled_two_tiers, slowing_three_tiers);
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U);
  const Fabric whole = wire(plan);
  std::vector<LinkId> removed;
  std::mt19937 random(seed);
  for (const Layer layer : {Layer::leaf_spine, Layer::spine_core}) {
    const std::vector<LinkId> links = links_of(whole, layer);
    if (!links.empty()) removed.push_back(links[random() % links.size()]);
  }
  const Fabric damaged = whole.without(removed);
  const auto flows = random_permutation(plan.gpus(), seed);
  CHECK(congestion(damaged, flows) <= evenly_spread(damaged, flows) * (1 + 1e-9));
  CHECK(congestion(damaged, flows) >= congestion(whole, flows) * (1 - 1e-9));
}

TEST_CASE("switches on the way: one inside a leaf, three by a spine, five by a core", "[network]") {
  const FabricMap map(wire(slowing_three_tiers), 1);
  // Leaves 0 and 1 are rails of pod 0, 2 and 3 of pod 1 (same group), 4 to 7 of the other group.
  CHECK(map.switches_between(0, 0) == 1);
  CHECK(map.switches_between(0, 1) == 3);
  CHECK(map.switches_between(0, 3) == 3);
  CHECK(map.switches_between(0, 4) == 5);
}

TEST_CASE("leaves without a way to each other are named", "[network]") {
  const Fabric whole = wire({.pods = 2, .nodes_per_pod = 2, .gpus_per_node = 1, .spines = 2});
  const Network network = make_network(whole.without_devices(devices_of(whole, DeviceKind::spine)));
  CHECK_THROWS_AS(static_cast<void>(network.send(gigabyte, 2)), InputError);
  CHECK_THROWS_WITH(static_cast<void>(network.send(gigabyte, 2)),
                    ContainsSubstring("leaf 0 (pod 0, rail 0) cannot reach leaf 1 (pod 1, rail 0)"));
}

TEST_CASE("a GPU without a NIC link is named, and only when traffic needs it", "[network]") {
  const Fabric whole = wire({});
  const LinkId lost = whole.nic_link(11);
  const Network network = make_network(whole.without(std::span(&lost, 1)));
  CHECK_NOTHROW(static_cast<void>(network.collective(Collective::all_reduce, gigabyte, {8, 1})));
  CHECK_THROWS_WITH(static_cast<void>(network.collective(Collective::all_reduce, gigabyte, {2, 8})),
                    ContainsSubstring("GPU 11 (node 1, rail 3) has no link into the fabric"));
}

}  // namespace
}  // namespace railyard
