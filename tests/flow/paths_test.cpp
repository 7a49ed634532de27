// SPDX-License-Identifier: Apache-2.0
// Ways over the wired graph: spraying against an enumeration of all shortest paths, hashing, rails, planes and
// failures.
#include "sim/network/flow/paths.h"

#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "base/diagnostic.h"
#include "sim/network/flow/slowdown.h"
#include "sim/network/flow/solver.h"
#include "sim/network/flow/switch_classes.h"
#include "tests/catch.h"
#include "tests/flow/fixture.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

const SmallFabric equal_links{.pods = 4, .nodes_per_pod = 4, .gpus_per_node = 2, .groups = 2, .spines = 4, .cores = 4};

using Hops = std::vector<std::pair<LinkId, bool>>;  // link, upwards

/// All ways of `up` steps up and as many down, by plain recursion.
void walk(const Fabric& fabric, DeviceId at, DeviceId goal, int up, int down, Hops& way, std::vector<Hops>& found) {
  if (up == 0 && down == 0) {
    if (at == goal) found.push_back(way);
    return;
  }
  for (const LinkId id : fabric.links_of(at)) {
    const Link& link = fabric.link(id);
    const bool upwards = link.lower == at;
    if (upwards != (up > 0)) continue;
    way.emplace_back(id, upwards);
    walk(fabric, upwards ? link.upper : link.lower, goal, upwards ? up - 1 : 0, upwards ? down : down - 1, way, found);
    way.pop_back();
  }
}

/// Seconds of the fullest link when every message is spread evenly over all its shortest paths.
double evenly_spread(const Fabric& fabric, const Traffic& traffic) {
  std::map<std::pair<LinkId, bool>, double> loads;
  for (const Message& message : traffic) {
    const LinkId first = fabric.nic_link(message.from), last = fabric.nic_link(message.to);
    std::vector<Hops> paths;
    for (int top = 0; paths.empty() && top <= 2; ++top) {
      Hops way;
      walk(fabric, fabric.link(first).upper, fabric.link(last).upper, top, top, way, paths);
    }
    REQUIRE(!paths.empty());
    loads[{first, true}] += message.bytes;
    loads[{last, false}] += message.bytes;
    for (const Hops& path : paths) {
      for (const auto& hop : path) loads[hop] += message.bytes / static_cast<double>(paths.size());
    }
  }
  double worst = 0;
  for (const auto& [hop, load] : loads) {
    worst = std::max(worst, load / fabric.link(hop.first).speed.in(byte / second));
  }
  return worst;
}

const RoutingRule hashed_straight{.spreading = Spreading::hashed, .change_rails = false};

Congestion time_of(const Fabric& fabric, const Traffic& traffic, const RoutingRule& rule = straight,
                   const EndLimits& ends = {}) {
  const FlowNetwork network(fabric, ends, rule);
  return lockstep_time(network, network.route(traffic), traffic);
}

Fabric damaged(const Fabric& whole, unsigned seed) {
  std::vector<LinkId> removed;
  std::mt19937 random(seed);
  for (const Layer layer : {Layer::leaf_spine, Layer::spine_core}) {
    const std::vector<LinkId> links = links_of(whole, layer);
    if (!links.empty()) removed.push_back(links[random() % links.size()]);
  }
  return whole.without(removed);
}

}  // namespace

TEST_CASE("a whole fabric comes down to its leaves, its spine groups and one class of cores", "[flow]") {
  CHECK(SwitchClasses(wire(doubled_two_tiers)).count() == 6 + 1);
  const SwitchClasses classes(wire(slowing_three_tiers));
  CHECK(classes.count() == 8 + 2 + 1);
  // One bundle from each leaf, one from each group.
  CHECK(classes.bundle_count() == 8 + 2);
}

TEST_CASE("a failed link sets apart what it touches and no more", "[flow]") {
  // Leaf 0 loses its link to spine 0: spine 0 parts from the three others of its group, its core plane from the three
  // other planes, and so does spine 4 of the other group.
  const Fabric whole = wire(slowing_three_tiers);
  const SwitchClasses classes(
      thinned(whole, devices_of(whole, DeviceKind::leaf)[0], devices_of(whole, DeviceKind::spine)[0], 1));
  CHECK(classes.count() == 8 + 4 + 2);
  const std::vector<DeviceId> spines = devices_of(whole, DeviceKind::spine);
  CHECK(classes.size(classes.class_of(spines[0])) == 1);
  CHECK(classes.class_of(spines[1]) == classes.class_of(spines[3]));
  CHECK(classes.class_of(spines[4]) != classes.class_of(spines[5]));
}

TEST_CASE("sprayed traffic loads links as an even split over all shortest paths does", "[flow]") {
  const SmallFabric plan = GENERATE(doubled_two_tiers, slowing_three_tiers);
  const auto seed = GENERATE(1U, 2U, 3U, 4U, 5U);
  const Fabric fabric = wire(plan);
  const Traffic traffic = permutation_traffic(plan.gpus(), 1e9, seed);
  CHECK_THAT(time_of(fabric, traffic).time, WithinRel(evenly_spread(fabric, traffic), exact));
}

TEST_CASE("sprayed traffic is not slowed down by a whole fabric, and is by a failed spine link", "[flow]") {
  const SmallFabric plan = GENERATE(doubled_two_tiers, equal_links);
  const Fabric whole = wire(plan);
  // Every GPU to its like in the next pod: all uplinks of all leaves are full.
  const Traffic traffic = shift_traffic(plan.gpus(), plan.nodes_per_pod * plan.gpus_per_node, 1e9);
  CHECK(slowdown(FlowNetwork(whole, {}), traffic) == 1);
  const Fabric broken =
      thinned(whole, devices_of(whole, DeviceKind::leaf)[0], devices_of(whole, DeviceKind::spine)[0], 1);
  // Four flows over three links, out of leaf 0 and into it.
  CHECK_THAT(slowdown(FlowNetwork(broken, {}), traffic), WithinRel(4.0 / 3, exact));
}

TEST_CASE("a spine that has lost the receiver's leaf is not entered", "[flow]") {
  // Leaf 2 hangs on spine 1 alone: traffic to it takes spine 1 from everywhere, other traffic both.
  const Fabric whole = wire({.pods = 3, .nodes_per_pod = 2, .gpus_per_node = 1, .spines = 2});
  const std::vector<DeviceId> leaves = devices_of(whole, DeviceKind::leaf),
                              spines = devices_of(whole, DeviceKind::spine);
  const Fabric broken = thinned(whole, leaves[2], spines[0], 1);
  for (const RoutingRule& rule : {straight, hashed_straight}) {
    const FlowNetwork network(broken, {}, rule);
    const Traffic traffic{{0, 4, 1e9}, {1, 5, 1e9}};
    const RoutedMessages routed = network.route(traffic);
    CHECK_THAT(lockstep_time(network, routed, traffic).time, WithinRel(2e9 / link_rate, exact));
    CHECK(routed.switches == std::vector<std::uint8_t>{3, 3});
  }
  const Traffic elsewhere{{0, 2, 1e9}, {1, 3, 1e9}};
  CHECK_THAT(time_of(broken, elsewhere).time, WithinRel(1e9 / link_rate, exact));
}

TEST_CASE("shares follow the capacity that is left towards the receiver", "[flow]") {
  // Spine 0 has three links to leaf 0 and one to leaf 1, spine 1 three and three: the way over spine 0 passes one link,
  // over spine 1 three, so a quarter and three quarters of the traffic.
  const Fabric whole = wire({.pods = 2, .nodes_per_pod = 4, .gpus_per_node = 1, .spines = 2, .bundle = 3});
  const std::vector<DeviceId> leaves = devices_of(whole, DeviceKind::leaf),
                              spines = devices_of(whole, DeviceKind::spine);
  const Fabric broken = thinned(whole, leaves[1], spines[0], 2);
  const FlowNetwork network(broken, {}, straight);
  const RoutedMessages routed = network.route(Traffic{{0, 4, 1}});
  std::map<std::string, double> shares;
  routed.flows.for_each_use(0, [&](ResourceId id, double fraction) { shares[network.name(id)] += fraction; });
  CHECK(shares == std::map<std::string, double>{{"NIC of GPU 0, sending", 1},
                                                {"NIC of GPU 4, receiving", 1},
                                                {"leaf 0 (pod 0, rail 0) to spine 0", 0.25},
                                                {"leaf 0 (pod 0, rail 0) to spine 1", 0.75},
                                                {"spine 0 to leaf 1 (pod 1, rail 0)", 0.25},
                                                {"spine 1 to leaf 1 (pod 1, rail 0)", 0.75}});
}

TEST_CASE("on damaged fabrics spraying is between the tightest cut and an even split", "[flow]") {
  const SmallFabric plan = GENERATE(doubled_two_tiers, slowing_three_tiers);
  const auto seed = GENERATE(1U, 2U, 3U, 4U, 5U);
  const Fabric fabric = damaged(wire(plan), seed);
  const Traffic traffic = permutation_traffic(plan.gpus(), 1, seed);
  std::vector<std::pair<int, int>> pairs;
  for (const Message& message : traffic) pairs.emplace_back(message.from, message.to);
  CHECK(time_of(fabric, traffic).time >= congestion(fabric, pairs) * (1 - 1e-9));
  CHECK(time_of(fabric, traffic).time <= evenly_spread(fabric, traffic) * (1 + 1e-9));
}

TEST_CASE("hashed traffic takes one shortest path a connection, and collides", "[flow]") {
  const SmallFabric plan = GENERATE(doubled_two_tiers, slowing_three_tiers);
  const Fabric fabric = wire(plan);
  const Traffic traffic = shift_traffic(plan.gpus(), plan.gpus() / 2, 1e9);
  const FlowNetwork network(fabric, {}, hashed_straight);
  const RoutedMessages routed = network.route(traffic);
  for (int flow = 0; flow < routed.flows.size(); ++flow) {
    // One link a step, each whole; as many steps as switches, and one.
    const std::span<const Use> uses = routed.flows.own_uses(flow);
    CHECK(uses.size() == routed.switches[static_cast<std::size_t>(flow)] + 1U);
    for (const Use& use : uses) CHECK(use.fraction == 1);
  }
  CHECK(time_of(fabric, traffic, hashed_straight).time > 1.5 * time_of(fabric, traffic).time);
}

TEST_CASE("hashes choose evenly: two flows over two ports collide half of the time", "[flow]") {
  const Fabric fabric = wire({.pods = 2, .nodes_per_pod = 2, .gpus_per_node = 1, .spines = 2});
  const Traffic traffic{{0, 2, 1}, {1, 3, 1}};
  std::vector<std::uint64_t> seeds(4000);
  std::iota(seeds.begin(), seeds.end(), 1);
  const std::vector<double> slow = ecmp_slowdowns(fabric, {}, hashed_straight, traffic, seeds);
  const auto collided = static_cast<double>(std::count(slow.begin(), slow.end(), 2.0));
  CHECK(static_cast<double>(std::count(slow.begin(), slow.end(), 1.0)) + collided == 4000);
  // Binomial: 2000 with a deviation of 31.6; five of them are left to chance.
  CHECK_THAT(collided, WithinAbs(2000, 160));
  CHECK(ecmp_slowdowns(fabric, {}, hashed_straight, traffic, seeds) == slow);
}

TEST_CASE("ports at the second tier do not follow from those at the first", "[flow]") {
  // All flows that chose one uplink of leaf 0 must still spread over the core links behind it: with the same hash at
  // both tiers they would all take the same one.
  const Fabric fabric = wire(
      {.pods = 2, .nodes_per_pod = 64, .gpus_per_node = 1, .groups = 2, .spines = 2, .cores = 2, .core_gigabits = 400});
  const FlowNetwork network(fabric, {}, hashed_straight);
  const RoutedMessages routed = network.route(shift_traffic(128, 64, 1));
  std::map<std::pair<std::string, std::string>, int> seen;
  for (int flow = 0; flow < 64; ++flow) {
    const std::span<const Use> uses = routed.flows.own_uses(flow);
    ++seen[{network.name(uses[2].resource), network.name(uses[3].resource)}];
  }
  CHECK(seen.size() == 4);
  for (const auto& [pair, count] : seen) CHECK_THAT(count, WithinAbs(16, 14));
}

TEST_CASE("more connections to a message bring hashing nearer to spraying", "[flow]") {
  const Fabric fabric = wire({.pods = 2, .nodes_per_pod = 16, .gpus_per_node = 1, .spines = 16});
  const Traffic traffic = shift_traffic(32, 16, 1);
  std::vector<std::uint64_t> seeds(50);
  std::iota(seeds.begin(), seeds.end(), 1);
  double before = 1e9;
  for (const int connections : {1, 4, 16, 256}) {
    RoutingRule rule = hashed_straight;
    rule.connections = connections;
    const double median = spread_of(ecmp_slowdowns(fabric, {}, rule, traffic, seeds)).median;
    CHECK(median < before);
    CHECK(median > 1);
    before = median;
  }
  CHECK(before < 1.3);
}

TEST_CASE("traffic changes rails inside the scale-up domain and then stays on its rail", "[flow]") {
  // GPU 0 to GPU 5 = node 2, rail 1: by scale-up to GPU 1, whose leaf is GPU 5's.
  const Fabric fabric = wire({.pods = 1, .nodes_per_pod = 4, .gpus_per_node = 2, .spines = 1});
  const EndLimits ends{.scale_up_gpus = 2, .scale_up_port = 400e9, .pcie = 60e9};
  const FlowNetwork network(fabric, ends);
  const RoutedMessages routed = network.route(Traffic{{0, 5, 1}, {0, 4, 1}, {0, 1, 1}, {3, 3, 1}});
  const auto names = [&](int flow) {
    std::vector<std::string> found;
    routed.flows.for_each_use(flow, [&](ResourceId id, double) { found.push_back(network.name(id)); });
    return found;
  };
  CHECK(names(0) == std::vector<std::string>{"scale-up of GPU 0, sending", "scale-up of GPU 1, receiving",
                                             "PCIe of GPU 1, sending", "PCIe of GPU 5, receiving",
                                             "NIC of GPU 1, sending", "NIC of GPU 5, receiving"});
  CHECK(names(1) == std::vector<std::string>{"PCIe of GPU 0, sending", "PCIe of GPU 4, receiving",
                                             "NIC of GPU 0, sending", "NIC of GPU 4, receiving"});
  CHECK(names(2) == std::vector<std::string>{"scale-up of GPU 0, sending", "scale-up of GPU 1, receiving"});
  CHECK(names(3).empty());
  CHECK(routed.relayed == std::vector<char>{1, 0, 0, 0});
  CHECK(routed.switches == std::vector<std::uint8_t>{1, 1, 0, 0});
  // Told to stay on its own NIC, it climbs to the spine instead.
  const FlowNetwork direct(fabric, ends, straight);
  const RoutedMessages climbed = direct.route(Traffic{{0, 5, 1}});
  CHECK(climbed.switches.front() == 3);
  CHECK(climbed.relayed.front() == 0);
}

TEST_CASE("without spines only the right rail leads to another node", "[flow]") {
  const Fabric fabric = wire({.pods = 1, .nodes_per_pod = 4, .gpus_per_node = 2});
  const EndLimits ends{.scale_up_gpus = 2};
  CHECK(FlowNetwork(fabric, ends).route(Traffic{{0, 5, 1}}).relayed.front() == 1);
  CHECK_THROWS_WITH(FlowNetwork(fabric, ends, straight).route(Traffic{{0, 5, 1}}),
                    ContainsSubstring("GPU 0 cannot reach GPU 5: no switch links leaf 0 (pod 0, rail 0) to leaf 1"));
}

TEST_CASE("a broken rail is left by another GPU of the domain", "[flow]") {
  // Two pods; leaf 0 (pod 0, rail 0) has lost its spine: GPU 0 reaches pod 1 by GPU 1's NIC.
  const Fabric whole = wire({.pods = 2, .nodes_per_pod = 2, .gpus_per_node = 2, .spines = 1});
  const Fabric broken =
      thinned(whole, devices_of(whole, DeviceKind::leaf)[0], devices_of(whole, DeviceKind::spine)[0], 1);
  const RoutedMessages routed = FlowNetwork(broken, {.scale_up_gpus = 2}).route(Traffic{{0, 4, 1}});
  CHECK(routed.relayed.front() == 1);
  CHECK(routed.switches.front() == 3);
  CHECK_THROWS_AS(FlowNetwork(broken, {.scale_up_gpus = 1}).route(Traffic{{0, 4, 1}}), InputError);
}

TEST_CASE("a GPU without a NIC link is named, and only when traffic needs it", "[flow]") {
  const Fabric whole = wire({});
  const LinkId lost = whole.nic_link(11);
  const FlowNetwork network(whole.without(std::span(&lost, 1)), {.scale_up_gpus = 8});
  CHECK_NOTHROW(network.route(Traffic{{8, 11, 1}, {0, 9, 1}}));
  CHECK_THROWS_WITH(network.route(Traffic{{3, 11, 1}}),
                    ContainsSubstring("GPU 11 (node 1, rail 3) has no link into the fabric"));
  CHECK_THROWS_WITH(network.route(Traffic{{11, 3, 1}}), ContainsSubstring("GPU 11 (node 1, rail 3)"));
}

TEST_CASE("a mesh has a link for each pair, switches a port for each GPU", "[flow]") {
  const Fabric fabric = wire({.pods = 1, .nodes_per_pod = 1, .gpus_per_node = 8});
  const Traffic two{{0, 1, 100e9}, {0, 2, 100e9}};
  const EndLimits mesh{.scale_up_gpus = 8, .scale_up = ScaleUpKind::mesh, .scale_up_link = 50e9};
  CHECK(time_of(fabric, two, {}, mesh).time == 2);
  const EndLimits switched{.scale_up_gpus = 8, .scale_up_port = 50e9};
  CHECK(time_of(fabric, two, {}, switched).time == 4);
  const FlowNetwork network(fabric, mesh);
  const Traffic other{{5, 7, 1}};
  const Congestion found = lockstep_time(network, network.route(other), other);
  CHECK(network.name(found.resource) == "scale-up of GPU 5 to GPU 7");
  CHECK(network.kind(found.resource) == ResourceKind::scale_up);
}

TEST_CASE("the library's channels bound all that a GPU sends", "[flow]") {
  const Fabric fabric = wire({.pods = 1, .nodes_per_pod = 2, .gpus_per_node = 2});
  const EndLimits ends{.scale_up_gpus = 2, .library = 25e9};
  CHECK(time_of(fabric, {{0, 1, 50e9}, {0, 2, 50e9}}, {}, ends).time == 4);
}

}  // namespace railyard
