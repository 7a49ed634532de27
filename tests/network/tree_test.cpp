// SPDX-License-Identifier: Apache-2.0
#include "sim/network/double_tree.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

int children(const TreeParents& parents, int node) {
  return static_cast<int>(std::count(parents.begin(), parents.end(), node));
}

TEST_CASE("double binary tree: two spanning trees, at most two children, at most one node inside both", "[network]") {
  const int nodes = GENERATE(2, 3, 4, 5, 8, 10, 31, 256, 1000);
  const auto trees = double_binary_tree(nodes);
  for (const TreeParents& parents : trees) {
    CHECK(std::count(parents.begin(), parents.end(), -1) == 1);
    for (int node = 0; node < nodes; ++node) {
      REQUIRE(children(parents, node) <= 2);
      int steps = 0;  // the root is reached, within floor(log2 nodes) + 1 steps
      for (int at = node; at >= 0; at = parents[static_cast<std::size_t>(at)]) ++steps;
      REQUIRE((1 << (steps - 1)) <= 2 * nodes);
    }
  }
  // Even counts: who has children in one tree has at most one in the other (the roots), so nobody sends more than two
  // shares a direction.
  if (nodes % 2 == 0) {
    for (int node = 0; node < nodes; ++node) REQUIRE(children(trees[0], node) + children(trees[1], node) <= 2);
  }
}

TEST_CASE("tree latency: twice the chain inside and log2 of the nodes outside", "[network]") {
  // 32 nodes of 8, LL constants of NCCL 2.21: 6.8 + 2 (7 x 0.6 + 5 x 5) = 65.2 us; measured on 256 A100: 63.0
  // (nccl#652). All nodes on one switch here, so no hop has more.
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 32};
  const Network network = make_network(wire(plan), {.base_us = 6.8, .scale_up_hop_us = 0.6, .scale_out_hop_us = 5});
  const TrafficTime traffic = network.collective(Collective::all_reduce, Bytes{}, {256, 1});
  CHECK(traffic.algorithm == "tree");
  CHECK(traffic.limit == "latency");
  CHECK_THAT(traffic.time.in(microsecond), WithinRel(65.2, 1e-12));
}

TEST_CASE("tree: every node sends each byte twice, at 0.92 of the links, and fills its pipeline", "[network]") {
  // Four nodes of one GPU: the busiest node of each tree sends half the bytes to its parent and half to each of two
  // children; over both trees 2 x 1/2 up or down as an inner node and 1/2 as a leaf. By NCCL's numbering, first tree
  // 0 <- 2 <- {1, 3}, second its mirror 3 <- 1 <- {2, 0}. Node 2 sends: tree one 1/2 up, 2 x 1/2 down, tree two 1/2 up.
  const SmallFabric plan{.pods = 1, .nodes_per_pod = 4, .gpus_per_node = 1};
  const Algorithms tree_only{.ring = false};
  const double time = make_network(wire(plan), {.scale_out_hop_us = 10}, ScaleUpKind::switched, tree_only)
                          .collective(Collective::all_reduce, gigabyte, {4, 1})
                          .time.in(second);
  const double transfer = 2.0 / 50 / 0.92, path = 4 * 10e-6;
  CHECK_THAT(time, WithinRel(transfer + path + 2 * std::sqrt(transfer * path), 1e-12));
}

TEST_CASE("tree beats ring for small messages over many nodes, ring wins for large ones", "[network]") {
  const SmallFabric plan{.pods = 4, .nodes_per_pod = 32, .spines = 32};
  const Network network =
      make_network(wire(plan), {.base_us = 8.4, .scale_up_hop_us = 2.5, .scale_out_hop_us = 5, .switch_us = 0.25});
  CHECK(network.collective(Collective::all_reduce, kibibyte, {1024, 1}).algorithm == "tree");
  CHECK(network.collective(Collective::all_reduce, 16 * gibibyte, {1024, 1}).algorithm == "ring");
  CHECK(network.collective(Collective::all_gather, kibibyte, {1024, 1}).algorithm == "ring");  // no tree in the library
}

}  // namespace
}  // namespace railyard
