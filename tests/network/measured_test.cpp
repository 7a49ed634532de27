// SPDX-License-Identifier: Apache-2.0
// Published runs (facts/collectives-notes.md and the logs behind it). Parameters are NCCL's own constants and single
// measured speeds, none fitted to the rows they are compared with, so tolerances are those of such a model.
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

// H100: ring inside a node 367 GB/s (nccl#1455: 365 to 370); a 400G NIC 48.9 GB/s (ten nodes, one GPU each).
const SmallProfile measured_h100{.ring_gb = 367,
                                 .link_gb = 367,
                                 .base_us = 8.4,
                                 .scale_up_hop_us = 3.4,
                                 .scale_out_hop_us = 14,
                                 .switch_us = 0.25,
                                 .efficiency = 0.978};

TEST_CASE("H100 node: all_reduce by ring at 16 GiB runs at 367 GB/s", "[network]") {
  const Network network = make_network(wire({}), measured_h100);
  CHECK_THAT(bus_gigabytes(network, Collective::all_reduce, 16 * gibibyte, {8, 1}), WithinRel(367.0, 0.01));
}

TEST_CASE("ten H100 nodes: one, two and four rails measured 48.9, 98.3 and 196.4 GB/s", "[network]") {
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = 10}), measured_h100);
  const auto [ranks, stride, measured] =
      GENERATE(std::tuple(10, 8, 48.9), std::tuple(20, 4, 98.3), std::tuple(40, 2, 196.4));
  // 2 %: the runs scatter by one per cent between sizes.
  CHECK_THAT(bus_gigabytes(network, Collective::all_reduce, 8 * gibibyte, {ranks, stride}), WithinRel(measured, 0.02));
}

TEST_CASE("ten H100 nodes of eight measured 316 to 345 GB/s", "[network]") {
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = 10}), measured_h100);
  const double predicted = bus_gigabytes(network, Collective::all_reduce, 4 * gibibyte, {80, 1});
  // Four nodes ran at the node's ring speed (366, nccl-tests#309); what ten lose above 2 GiB is not understood, so the
  // band is the measured one and as much above it as 366 is above 345.
  CHECK(predicted > 316);
  CHECK(predicted < 367);
}

TEST_CASE("two MI300X nodes measured 342 to 375 GB/s: the mesh, not eight NICs", "[network]") {
  const SmallProfile mi300x{.ring_gb = 315, .link_gb = 48, .efficiency = 0.95};
  const Network network = make_network(wire({}), mi300x, ScaleUpKind::mesh);
  const double predicted = bus_gigabytes(network, Collective::all_gather, 8 * gibibyte, {16, 1});
  CHECK(predicted > 342);
  CHECK(predicted < 376);
  CHECK(network.collective(Collective::all_gather, 8 * gibibyte, {16, 1}).limit == "scale-up");
}

TEST_CASE("8-byte all_reduce of GH200 nodes of four: NCCL's LL constants within a third of the measured", "[network]") {
  // 6.8 + 2 (3 x 0.6 + 5 log2 nodes) us on one switch; the machine's Dragonfly adds switches that this fabric has not,
  // which is why the miss grows to 31 % at 2048.
  const auto [gpus, measured_us] =
      GENERATE(std::pair(8, 18.7), std::pair(16, 30.7), std::pair(32, 42.8), std::pair(64, 55.8), std::pair(128, 65.6),
               std::pair(256, 79.7), std::pair(1024, 115.0), std::pair(2048, 145.0));
  const SmallFabric plan{.pods = 1, .nodes_per_pod = gpus / 4, .gpus_per_node = 4};
  const Network network = make_network(wire(plan), {.base_us = 6.8, .scale_up_hop_us = 0.6, .scale_out_hop_us = 5});
  const TrafficTime traffic = network.collective(Collective::all_reduce, 8 * byte, {gpus, 1});
  CHECK_THAT(traffic.time.in(microsecond), WithinRel(measured_us, 0.33));
}

}  // namespace
}  // namespace railyard
