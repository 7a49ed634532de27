// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

double seconds(const TrafficTime& traffic) { return traffic.time.in(second); }

TEST_CASE("a group of one rank exchanges nothing", "[network]") {
  const Network network = make_network(wire({}), {.base_us = 8});
  const TrafficTime traffic = network.collective(Collective::all_reduce, gigabyte, {1, 1});
  CHECK(traffic.time == Seconds{});
  CHECK(traffic.algorithm == "none");
}

TEST_CASE("ring inside a switched node: two passes of seven hops and 7/4 of the bytes at ring speed", "[network]") {
  const Network network = make_network(wire({}), {.ring_gb = 350, .base_us = 8, .scale_up_hop_us = 2});
  const TrafficTime traffic = network.collective(Collective::all_reduce, gigabyte, {8, 1});
  // 8 us + 14 x 2 us + 1 GB x 2 x 7/8 / 350 GB/s = 36 us + 5 ms.
  CHECK_THAT(seconds(traffic), WithinRel(36e-6 + 5e-3, exact));
  CHECK_THAT(traffic.latency.in(second), WithinRel(36e-6, exact));
  CHECK(traffic.algorithm == "ring");
  CHECK(traffic.limit == "scale-up");
  // all_gather: half of both.
  const TrafficTime gather = network.collective(Collective::all_gather, gigabyte, {8, 1});
  CHECK_THAT(seconds(gather), WithinRel(8e-6 + 14e-6 + 2.5e-3, exact));
  CHECK(seconds(network.collective(Collective::reduce_scatter, gigabyte, {8, 1})) == seconds(gather));
}

TEST_CASE("ring over two nodes of two GPUs: both NICs carry half each", "[network]") {
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 2, .gpus_per_node = 2};
  const Network network =
      make_network(wire(plan), {.base_us = 1, .scale_up_hop_us = 2, .scale_out_hop_us = 5, .switch_us = 1});
  const TrafficTime traffic = network.collective(Collective::all_gather, gigabyte, {4, 1});
  // Ring 0-1-2-3: two edges inside (2 us), two between nodes over one switch (5 us), a chunk passes all but one:
  // 1 + 4 + 5 us. Two channels of half the bytes over 50 GB/s each: 1 GB x 3/4 / 100 GB/s.
  CHECK_THAT(seconds(traffic), WithinRel(10e-6 + 7.5e-3, exact));
  CHECK(traffic.limit == "NIC");
}

TEST_CASE("ring over spines pays each further switch", "[network]") {
  const SmallFabric plan{.pods = 2, .nodes_per_pod = 1, .gpus_per_node = 1, .spines = 1};
  const Network network = make_network(wire(plan), {.scale_out_hop_us = 5, .switch_us = 1});
  // Two ranks, one pass of one edge: leaf, spine, leaf is the hop's one switch and two more.
  CHECK_THAT(network.collective(Collective::all_gather, Bytes{}, {2, 1}).time.in(microsecond), WithinRel(7.0, exact));
}

TEST_CASE("rails add up: a group with more GPUs a node uses as many NICs", "[network]") {
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 10};
  const Network network = make_network(wire(plan), {.ring_gb = 1000});
  const auto [ranks, nics] = GENERATE(std::pair(10, 1), std::pair(20, 2), std::pair(40, 4), std::pair(80, 8));
  CHECK_THAT(bus_gigabytes(network, Collective::all_reduce, gigabyte, {ranks, 8 / nics}), WithinRel(50.0 * nics, 1e-9));
}

TEST_CASE("groups that differ in start share no NIC on rails: eight rings at once are as fast as one", "[network]") {
  // All layouts tile the job, so (10, 8) already runs eight rings; each has one NIC a node for itself.
  const Network rails = make_network(wire({.pods = 1, .nodes_per_pod = 10}));
  const Network one = make_network(wire({.pods = 1, .nodes_per_pod = 10, .gpus_per_node = 1}));
  CHECK(rails.collective(Collective::all_gather, gigabyte, {10, 8}).time ==
        one.collective(Collective::all_gather, gigabyte, {10, 1}).time);
}

TEST_CASE("mesh: a pair sees one link, fewer ranks see the links between them", "[network]") {
  // MI300X: 48 GB/s a link and 315 over the whole domain of eight.
  const Network network = make_network(wire({}), {.ring_gb = 315, .link_gb = 48}, ScaleUpKind::mesh);
  const auto [ranks, expected] = GENERATE(std::pair(2, 48.0), std::pair(4, 144.0), std::pair(8, 315.0));
  CHECK_THAT(bus_gigabytes(network, Collective::all_reduce, gigabyte, {ranks, 1}), WithinRel(expected, 1e-9));
}

TEST_CASE("mesh: a pair that is one of many pairs of a bigger ring uses its link both ways", "[network]") {
  // Two ranks a node: channel A goes 0-1 and on, channel B 1-0 and on, each half the bytes: twice the link, 96 GB/s.
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 4, .gpus_per_node = 2, .nic_gigabits = 800};
  const Network network = make_network(wire(plan), {.ring_gb = 315, .link_gb = 48}, ScaleUpKind::mesh);
  CHECK_THAT(bus_gigabytes(network, Collective::all_gather, gigabyte, {8, 1}), WithinRel(96.0, 1e-9));
}

TEST_CASE("hierarchical all_gather saves hops and is chosen only when enabled", "[network]") {
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 4, .gpus_per_node = 8};
  const SmallProfile profile{.ring_gb = 300, .base_us = 1, .scale_up_hop_us = 2, .scale_out_hop_us = 5};
  const Network library = make_network(wire(plan), profile);
  const Network more = make_network(wire(plan), profile, ScaleUpKind::switched, {.hierarchical = true});
  // Flat: 28 edges inside, three outside: 1 + 56 + 15 us, bytes 31/32 of 1 GB over min(300, 8 x 50).
  const TrafficTime flat = library.collective(Collective::all_gather, gigabyte, {32, 1});
  CHECK(flat.algorithm == "ring");
  CHECK_THAT(seconds(flat), WithinRel(72e-6 + 31.0 / 32 / 300, exact));
  // Hierarchical: 1 + 3 x 5 + 7 x 2 us, then 3/4 GB over 8 x 50 GB/s and 7/8 GB at 300 GB/s after one another.
  const TrafficTime small = more.collective(Collective::all_gather, kibibyte, {32, 1});
  CHECK(small.algorithm == "hierarchical ring");
  CHECK_THAT(seconds(small), WithinRel(30e-6 + 1024e-9 * (0.75 / 400 + 0.875 / 300), exact));
  CHECK(more.collective(Collective::all_gather, gigabyte, {32, 1}).algorithm == "ring");
}

TEST_CASE("groups that do not tile the job are refused", "[network]") {
  const Network network = make_network(wire({}));
  CHECK_THROWS_WITH(static_cast<void>(network.collective(Collective::all_reduce, gigabyte, {6, 1})),
                    ContainsSubstring("groups of 6 GPUs, 1 apart, do not tile 16 GPUs"));
}

}  // namespace
}  // namespace railyard
