// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "base/diagnostic.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

// Loads are sums of equal shares in another order after a change; a law may miss by this rounding and no more.
constexpr double rounding = 1e-9;

const SmallProfile h100{.ring_gb = 352,
                        .link_gb = 352,
                        .base_us = 8.4,
                        .scale_up_hop_us = 2.5,
                        .scale_out_hop_us = 5,
                        .switch_us = 0.25,
                        .efficiency = 0.978};

const SmallFabric two_tiers{.pods = 4, .nodes_per_pod = 4, .gpus_per_node = 4, .spines = 4};
const SmallFabric three_tiers{.pods = 4, .nodes_per_pod = 4, .gpus_per_node = 4, .groups = 2, .spines = 4, .cores = 2};

/// All GPUs, rails, part rails and a layout that changes rails; 64 GPUs.
const std::vector<GroupLayout> layouts{{64, 1}, {16, 4}, {4, 16}, {4, 1}, {8, 8}, {2, 2}};
const std::vector<Collective> collectives{Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                          Collective::all_to_all, Collective::broadcast,  Collective::send_receive};

/// Times of many queries, for comparing one network with another.
std::vector<double> times(const Network& network) {
  std::vector<double> result;
  for (const Bytes bytes : {Bytes{}, kibibyte, mebibyte, 64 * mebibyte, gibibyte}) {
    for (const GroupLayout& layout : layouts) {
      for (const Collective collective : collectives) {
        result.push_back(network.collective(collective, bytes, layout).time.in(second));
      }
    }
    for (const int stride : {1, 4, 16, 18}) result.push_back(network.send(bytes, stride).time.in(second));
  }
  return result;
}

void check_not_faster(const std::vector<double>& changed, const std::vector<double>& before) {
  REQUIRE(changed.size() == before.size());
  for (std::size_t i = 0; i < changed.size(); ++i) REQUIRE(changed[i] >= before[i] * (1 - rounding));
}

TEST_CASE("taking links away one after another never speeds anything up", "[network]") {
  const SmallFabric plan = GENERATE(two_tiers, three_tiers);
  const unsigned seed = GENERATE(1U, 2U, 3U);
  std::mt19937 random(seed);
  Fabric fabric = wire(plan);
  std::vector<double> before = times(make_network(fabric, h100));
  for (int step = 0; step < 25; ++step) {
    std::vector<LinkId> links = links_of(fabric, Layer::leaf_spine);
    const std::vector<LinkId> cores = links_of(fabric, Layer::spine_core);
    links.insert(links.end(), cores.begin(), cores.end());
    const LinkId lost = links[random() % links.size()];
    fabric = fabric.without(std::span(&lost, 1));
    std::vector<double> changed;
    try {
      changed = times(make_network(fabric, h100));
    } catch (const InputError&) {
      break;  // a leaf is cut off
    }
    check_not_faster(changed, before);
    before = std::move(changed);
  }
}

TEST_CASE("each spine removed slows what crosses the spines and leaves the rest alone", "[network]") {
  // Four pods, rings of one rank a pod: all bytes cross. With NICs and uplinks equal, bandwidth falls with the spines.
  const Fabric whole = wire(two_tiers);
  const std::vector<DeviceId> spines = devices_of(whole, DeviceKind::spine);
  const int removed = GENERATE(0, 1, 2, 3);
  const Network network =
      make_network(whole.without_devices(std::span(spines).first(static_cast<std::size_t>(removed))));
  // Leaves have four nodes and four uplinks; (4, 16) keeps all four NICs of a leaf busy at 50 GB/s.
  CHECK_THAT(bus_gigabytes(network, Collective::all_gather, gigabyte, {4, 16}),
             WithinRel(50.0 * (4 - removed) / 4, 1e-9));
  CHECK(network.collective(Collective::all_gather, gigabyte, {4, 16}).limit ==
        (removed == 0 ? "NIC" : "leaf-spine uplinks"));
  CHECK_THAT(bus_gigabytes(network, Collective::all_gather, gigabyte, {4, 1}), WithinRel(300.0, 1e-9));
}

TEST_CASE("cores removed slow what crosses the groups, and are named", "[network]") {
  const Fabric whole = wire(three_tiers);
  // A spine has 8 leaves below at one link each, but only two links up: 4 x 2 links for 32 NICs. Shift by half the job:
  // every byte crosses: 8/32 of 50 GB/s; with one of eight cores gone, 7/32.
  CHECK_THAT(1 / make_network(whole).send(gigabyte, 32).time.in(second), WithinRel(50.0 * 8 / 32, 1e-9));
  const DeviceId core = devices_of(whole, DeviceKind::core).front();
  const TrafficTime traffic = make_network(whole.without_devices(std::span(&core, 1))).send(gigabyte, 32);
  CHECK_THAT(1 / traffic.time.in(second), WithinRel(50.0 * 7 / 32, 1e-9));
  CHECK(traffic.limit == "spine-core uplinks");
}

TEST_CASE("more bandwidth anywhere never slows", "[network]") {
  const std::vector<double> before = times(make_network(wire(three_tiers), h100));
  SmallFabric faster = three_tiers;
  SmallProfile profile = h100;
  SECTION("NICs") { faster.nic_gigabits *= 2; }
  SECTION("leaf uplinks") { faster.uplink_gigabits *= 2; }
  SECTION("core links") { faster.core_gigabits *= 2; }
  SECTION("scale-up") { profile.ring_gb *= 2; }
  SECTION("scale-up links") { profile.link_gb *= 2; }
  SECTION("more links in a bundle") { faster.bundle *= 2; }
  check_not_faster(before, times(make_network(wire(faster), profile)));
}

TEST_CASE("time grows with bytes and never falls below its latency", "[network]") {
  const Network network = make_network(wire(three_tiers), h100);
  for (const GroupLayout& layout : layouts) {
    for (const Collective collective : collectives) {
      TrafficTime before;
      for (double bytes = 1; bytes < 1e11; bytes *= 3) {
        const TrafficTime now = network.collective(collective, bytes * byte, layout);
        REQUIRE(now.time > before.time);
        REQUIRE(now.time >= now.latency);
        before = now;
      }
    }
  }
}

TEST_CASE("no bus bandwidth exceeds what the links allow", "[network]") {
  const int nodes = GENERATE(1, 2, 3, 4, 8);
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = nodes}), {.ring_gb = 370});
  const double bound = nodes == 1 ? 370 : std::min(370.0, 8 * 50.0);
  for (const Collective collective : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter}) {
    for (double bytes = 1e3; bytes < 1e11; bytes *= 10) {
      REQUIRE(bus_gigabytes(network, collective, bytes * byte, {8 * nodes, 1}) <= bound * (1 + rounding));
    }
  }
}

TEST_CASE("slow, typical and fast ends stand in this order", "[network]") {
  Profile profile = make_profile(h100);
  CollectiveParameters& range = profile.collectives.at("infiniband");
  range.scale_up_ring.value = {340 * gigabyte_per_second, 352 * gigabyte_per_second, 367 * gigabyte_per_second};
  range.scale_out_efficiency.value = {0.9, 0.95, 0.98};
  range.scale_out_hop.value = {2.7 * microsecond, 5 * microsecond, 14 * microsecond};
  const Fabric fabric = wire(two_tiers);
  const auto of = [&](Speed speed) {
    return times(Network(fabric, profile, speed, "infiniband", 4, ScaleUpKind::switched));
  };
  check_not_faster(of(Speed::slow), of(Speed::typical));
  check_not_faster(of(Speed::typical), of(Speed::fast));
  CHECK(of(Speed::slow) != of(Speed::fast));
}

TEST_CASE("the same question gets the same answer, bit by bit, in any order", "[network]") {
  const Network first = make_network(wire(three_tiers), h100);
  const std::vector<double> once = times(first);
  CHECK(once == times(first));
  const Network second = make_network(wire(three_tiers), h100);
  static_cast<void>(second.send(gibibyte, 5));
  static_cast<void>(second.collective(Collective::all_to_all, mebibyte, {64, 1}));
  CHECK(once == times(second));
}

}  // namespace
}  // namespace railyard
