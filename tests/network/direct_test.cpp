// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

TEST_CASE("send between nodes on the same rail: one hop and the NIC's speed", "[network]") {
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = 4}), {.base_us = 8, .scale_out_hop_us = 5});
  const TrafficTime traffic = network.send(gigabyte, 8);
  CHECK_THAT(traffic.time.in(second), WithinRel(13e-6 + 0.02, 1e-12));
  CHECK(traffic.limit == "NIC");
  CHECK(traffic.algorithm == "direct");
}

TEST_CASE("send inside a node: scale-up, one link in a mesh", "[network]") {
  // Stride 2 in domains of eight: GPUs 6 and 7 send to the next node, so that the NIC is the limit there.
  const Fabric one_node = wire({.pods = 1, .nodes_per_pod = 1});
  CHECK_THAT(make_network(one_node, {.link_gb = 48}, ScaleUpKind::mesh).send(gigabyte, 2).time.in(second),
             WithinRel(1.0 / 48, 1e-12));
  const Fabric two_nodes = wire({.pods = 1, .nodes_per_pod = 2});
  CHECK(make_network(two_nodes).send(gigabyte, 2).limit == "NIC");
}

TEST_CASE("send by no distance takes no time, and distances wrap", "[network]") {
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = 4}));
  CHECK(network.send(gigabyte, 0).time == Seconds{});
  CHECK(network.send(gigabyte, 32).time == Seconds{});
  CHECK(network.send(gigabyte, 40).time == network.send(gigabyte, 8).time);
}

TEST_CASE("cross-rail traffic changes rails inside the node and stays off the spines", "[network]") {
  // GPU g to g + 12: rail r of node n to rail r + 4 of the next or next but one node. It first goes to the NIC of that
  // rail over scale-up, then meets one leaf only, as its own rail would: scale-up hop + network hop.
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 4, .spines = 4, .bundle = 1};
  const Network network =
      make_network(wire(plan), {.base_us = 1, .scale_up_hop_us = 2, .scale_out_hop_us = 5, .switch_us = 100});
  const TrafficTime traffic = network.send(gigabyte, 12);
  CHECK_THAT(traffic.time.in(second), WithinRel(8e-6 + 0.02, 1e-12));
  CHECK(traffic.limit == "NIC");
}

TEST_CASE("cross-rail traffic is bounded by the scale-up link it starts on", "[network]") {
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 4};
  const TrafficTime traffic = make_network(wire(plan), {.link_gb = 40}).send(gigabyte, 12);
  CHECK_THAT(traffic.time.in(second), WithinRel(1.0 / 40, 1e-12));
  CHECK(traffic.limit == "scale-up");
}

TEST_CASE("all_to_all over nodes: only what leaves the node uses the NIC", "[network]") {
  // Two nodes of eight: each GPU sends 8/16 of its bytes out; the published bound is 15/8 NIC (collectives-notes iii).
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = 2}), {.ring_gb = 1e6, .link_gb = 1e6});
  CHECK_THAT(bus_gigabytes(network, Collective::all_to_all, gigabyte, {16, 1}), WithinRel(50 * 15.0 / 8, 1e-9));
  const Network inside = make_network(wire({}), {.ring_gb = 350});
  CHECK_THAT(bus_gigabytes(inside, Collective::all_to_all, gigabyte, {8, 1}), WithinRel(350.0, 1e-9));
}

TEST_CASE("send_receive: every rank to the next of its group at link speed", "[network]") {
  const Network network = make_network(wire({.pods = 1, .nodes_per_pod = 4}));
  CHECK_THAT(network.collective(Collective::send_receive, gigabyte, {4, 8}).time.in(second), WithinRel(0.02, 1e-12));
  CHECK_THAT(network.collective(Collective::send_receive, gigabyte, {8, 1}).time.in(second),
             WithinRel(1.0 / 300, 1e-12));
}

}  // namespace
}  // namespace railyard
