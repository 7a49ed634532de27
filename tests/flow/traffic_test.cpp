// SPDX-License-Identifier: Apache-2.0
// Traffic patterns: who sends what, and that flow by flow they take what the closed forms over cuts say (network.h).
#include "sim/network/flow/traffic.h"

#include <map>
#include <set>

#include "base/diagnostic.h"
#include "sim/network/fabric_map.h"
#include "sim/network/flow/fluid.h"
#include "sim/network/flow/slowdown.h"
#include "sim/network/flow/solver.h"
#include "tests/catch.h"
#include "tests/flow/fixture.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

const SmallFabric two_tiers{.pods = 4, .nodes_per_pod = 4, .gpus_per_node = 8, .spines = 4};
const SmallFabric three_tiers{
    .pods = 4, .nodes_per_pod = 4, .gpus_per_node = 8, .groups = 2, .spines = 4, .bundle = 1, .cores = 32};
// Half of the uplinks that the nodes could fill.
const SmallFabric oversubscribed{.pods = 4, .nodes_per_pod = 4, .gpus_per_node = 8, .spines = 2};
const SmallFabric few_core_links{
    .pods = 4, .nodes_per_pod = 4, .gpus_per_node = 8, .groups = 2, .spines = 4, .bundle = 1, .cores = 3};

struct Cluster {
  explicit Cluster(const SmallFabric& plan, int domain = 8)
      : fabric(wire(plan)), map(fabric, 1), placement(map, domain) {}
  Fabric fabric;
  FabricMap map;
  Placement placement;
};

const SmallProfile speeds{.ring_gb = 300, .link_gb = 300};

EndLimits ends_of(ScaleUpKind kind, double link = 300e9) {
  return {.scale_up_gpus = 8, .scale_up = kind, .scale_up_port = link, .scale_up_link = link};
}

double flow_time(const Cluster& cluster, const Traffic& traffic, const EndLimits& ends) {
  const FlowNetwork network(cluster.fabric, ends);
  return lockstep_time(network, network.route(traffic), traffic).time;
}

/// Until the last byte of flows that start together, each at its max-min rate.
double fluid_time(const Cluster& cluster, const Traffic& traffic, const EndLimits& ends) {
  const FlowNetwork network(cluster.fabric, ends);
  std::vector<Transfer> transfers;
  for (const Message& message : traffic) transfers.push_back({.bytes = message.bytes});
  return simulate_flows(network.route(traffic).flows, network.capacities(), transfers).end;
}

double bytes_of(const Traffic& traffic) {
  double sum = 0;
  for (const Message& message : traffic) sum += message.bytes;
  return sum;
}

}  // namespace

TEST_CASE("rings flow by flow take what the closed form takes", "[flow]") {
  const SmallFabric plan = GENERATE(two_tiers, three_tiers, oversubscribed, few_core_links);
  const auto layout = GENERATE(GroupLayout{128, 1}, GroupLayout{16, 8}, GroupLayout{64, 2}, GroupLayout{32, 1},
                               GroupLayout{4, 32}, GroupLayout{8, 1});
  const ScaleUpKind kind = GENERATE(ScaleUpKind::switched, ScaleUpKind::mesh);
  const Cluster cluster(plan);
  const double bytes = 1e9, link = kind == ScaleUpKind::mesh ? 30e9 : 300e9;
  const SmallProfile profile{.ring_gb = 300, .link_gb = link / 1e9};
  const Network network = make_network(cluster.fabric, profile, kind, {.tree = false});
  const double expected = network.collective(Collective::all_reduce, bytes * byte, layout).time.in(second);
  EndLimits ends = ends_of(kind, link);
  ends.library = 300e9;
  const double edge = bytes * bus_bandwidth_factor(Collective::all_reduce, layout.size);
  const Traffic traffic = ring_traffic(cluster.placement.groups(layout), edge, kind);
  CHECK_THAT(flow_time(cluster, traffic, ends), WithinRel(expected, rounding));
}

TEST_CASE("shifts flow by flow take what the closed form takes", "[flow]") {
  const SmallFabric plan = GENERATE(two_tiers, three_tiers, oversubscribed, few_core_links);
  const int stride = GENERATE(1, 5, 8, 12, 32, 64, -3);
  const Cluster cluster(plan);
  const double expected = make_network(cluster.fabric, speeds).send(1e9 * byte, stride).time.in(second);
  const Traffic traffic = shift_traffic(plan.gpus(), stride, 1e9);
  CHECK_THAT(flow_time(cluster, traffic, ends_of(ScaleUpKind::switched)), WithinRel(expected, rounding));
  CHECK_THAT(fluid_time(cluster, traffic, ends_of(ScaleUpKind::switched)), WithinRel(expected, rounding));
}

TEST_CASE("all-to-all flow by flow takes what the closed form takes", "[flow]") {
  const SmallFabric plan = GENERATE(two_tiers, three_tiers, oversubscribed, few_core_links);
  const auto layout = GENERATE(GroupLayout{128, 1}, GroupLayout{16, 8}, GroupLayout{32, 1}, GroupLayout{8, 1});
  const Cluster cluster(plan);
  const double expected =
      make_network(cluster.fabric, speeds).collective(Collective::all_to_all, 1e9 * byte, layout).time.in(second);
  const Traffic traffic = all_to_all_traffic(cluster.placement.groups(layout), 1e9);
  CHECK_THAT(flow_time(cluster, traffic, ends_of(ScaleUpKind::switched)), WithinRel(expected, rounding));
  CHECK_THAT(fluid_time(cluster, traffic, ends_of(ScaleUpKind::switched)), WithinRel(expected, rounding));
}

TEST_CASE("where messages change rails, scale-up ports carry them beside those that stay", "[flow]") {
  // All-to-all of 128 GPUs over a scale-up port of 40 GB/s: of 127 / 128 bytes, 7 stay inside, 15 leave on the own rail
  // and 105 on another, after a hop to the GPU of that rail: 112 through the port, flow by flow and in closed form.
  const Cluster cluster(two_tiers);
  const Traffic traffic = all_to_all_traffic(cluster.placement.groups({128, 1}), 128e9);
  const double found = flow_time(cluster, traffic, ends_of(ScaleUpKind::switched, 40e9));
  CHECK_THAT(found, WithinRel(112.0 / 40, rounding));
  const Network closed = make_network(cluster.fabric, {.ring_gb = 40, .link_gb = 40});
  CHECK_THAT(closed.collective(Collective::all_to_all, 128e9 * byte, {128, 1}).time.in(second),
             WithinRel(112.0 / 40, rounding));
}

TEST_CASE("a permutation sends from every GPU to every GPU once, none to itself", "[flow]") {
  const Traffic traffic = permutation_traffic(1000, 5, 3);
  std::set<int> from, to;
  for (const Message& message : traffic) {
    CHECK(message.from != message.to);
    from.insert(message.from);
    to.insert(message.to);
  }
  CHECK(from.size() == 1000);
  CHECK(to.size() == 1000);
  CHECK(permutation_traffic(1000, 5, 4).front().to != traffic.front().to);
  CHECK(permutation_traffic(1, 5, 3).empty());
}

TEST_CASE("a ring sends its bytes over every edge, whatever the channels", "[flow]") {
  const Cluster cluster(two_tiers);
  // 16 domains of 8: seven edges inside and one out of each.
  for (const ScaleUpKind kind : {ScaleUpKind::switched, ScaleUpKind::mesh}) {
    CHECK_THAT(bytes_of(ring_traffic(cluster.placement.groups({128, 1}), 10, kind)), WithinRel(1280.0, rounding));
    CHECK_THAT(bytes_of(ring_traffic(cluster.placement.groups({8, 1}), 10, kind)), WithinRel(1280.0, rounding));
    // One domain is not left by the pipeline of a broadcast, eight edges less in 16 groups.
    CHECK_THAT(bytes_of(broadcast_traffic(cluster.placement.groups({128, 1}), 10, kind)), WithinRel(1270.0, rounding));
  }
}

TEST_CASE("messages that start one after the other share an uplink while both run", "[flow]") {
  // Two GPUs of pod 0 send 100 GB each to pod 1 over the leaf's one uplink of 50 GB/s, the second a second later: 50 GB
  // alone, then 25 GB/s each. The first has 50 GB left and arrives at 3 s; the second then has 50 of 100 GB to go: 4 s.
  const Fabric fabric = wire({.pods = 2, .nodes_per_pod = 2, .gpus_per_node = 1, .spines = 1});
  const FlowNetwork network(fabric, {});
  const RoutedMessages routed = network.route(Traffic{{0, 2, 100e9}, {1, 3, 100e9}});
  const FluidResult found = simulate_flows(routed.flows, network.capacities(),
                                           std::vector<Transfer>{{.bytes = 100e9}, {.bytes = 100e9, .start = 1}});
  CHECK_THAT(found.arrivals[0], WithinRel(3.0, rounding));
  CHECK_THAT(found.arrivals[1], WithinRel(4.0, rounding));
  CHECK(network.name(found.bottlenecks[0]) == "leaf 0 (pod 0, rail 0) to spine 0");
  CHECK_THAT(found.utilisation(found.bottlenecks[0], 50e9), WithinRel(1.0, rounding));
}

TEST_CASE("incast is bound by the receiver's NIC", "[flow]") {
  // Groups of 16 with stride 8: fifteen senders into one NIC of 50 GB/s.
  const Cluster cluster(two_tiers);
  const Traffic traffic = incast_traffic(cluster.placement.groups({16, 8}), 1e9);
  CHECK(traffic.size() == 8 * 15);
  CHECK_THAT(flow_time(cluster, traffic, {.scale_up_gpus = 8}), WithinRel(15.0 / 50, rounding));
  CHECK_THAT(fluid_time(cluster, traffic, {.scale_up_gpus = 8}), WithinRel(15.0 / 50, rounding));
}

TEST_CASE("dispatch without skew is nearly uniform, with skew the ranks of popular experts receive most", "[flow]") {
  const Cluster cluster(two_tiers);
  const std::vector<RankGroup> groups = cluster.placement.groups({32, 1});
  const auto most_received = [&](double skew) {
    const Traffic traffic =
        dispatch_traffic(groups, 1, {.experts = 64, .top_k = 4, .tokens = 2048, .skew = skew, .seed = 11});
    std::map<int, double> received;
    for (const Message& message : traffic) received[message.to] += message.bytes;
    double most = 0;
    for (const auto& [gpu, bytes] : received) most = std::max(most, bytes);
    return most;
  };
  // 31 of 32 parts come from others; a rank's share of 31 x 8192 copies has a deviation of 1.1 %.
  CHECK_THAT(most_received(0), WithinRel(31.0 / 32, 0.05));
  CHECK(most_received(0.5) > 1.5 * most_received(0));
  CHECK(most_received(1) > 1.5 * most_received(0.5));
}

TEST_CASE("a token goes to different experts, and its bytes to all of them", "[flow]") {
  // As many experts as a token takes, one on each rank: every rank gets a quarter of each sender's bytes, for any skew.
  const Cluster cluster(two_tiers);
  const std::vector<RankGroup> groups = cluster.placement.groups({4, 8});
  const Traffic traffic = dispatch_traffic(groups, 1, {.experts = 4, .top_k = 4, .tokens = 100, .skew = 3});
  CHECK(traffic.size() == 128 * 3);
  for (const Message& message : traffic) CHECK_THAT(message.bytes, WithinRel(0.25, rounding));
}

TEST_CASE("experts are drawn by their weight", "[flow]") {
  // Two experts on two ranks, one for a token, weights 1 and 1/4: four fifths go to the popular one.
  const Cluster cluster(two_tiers);
  const std::vector<RankGroup> groups = cluster.placement.groups({2, 8});
  const Traffic traffic = dispatch_traffic(groups, 1, {.experts = 2, .top_k = 1, .tokens = 4000, .skew = 2});
  double low = 1, high = 0;
  for (const Message& message : traffic) {
    low = std::min(low, message.bytes);
    high = std::max(high, message.bytes);
  }
  CHECK_THAT(high, WithinAbs(0.8, 0.03));
  CHECK_THAT(low, WithinAbs(0.2, 0.03));
}

TEST_CASE("experts that do not divide among the ranks are refused", "[flow]") {
  const Cluster cluster(two_tiers);
  const std::vector<RankGroup> groups = cluster.placement.groups({16, 1});
  CHECK_THROWS_AS(dispatch_traffic(groups, 1, {.experts = 24, .top_k = 2, .tokens = 1}), InputError);
  CHECK_THROWS_AS(dispatch_traffic(groups, 1, {.experts = 16, .top_k = 17, .tokens = 1}), InputError);
}

}  // namespace railyard
