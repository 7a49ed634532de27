// SPDX-License-Identifier: Apache-2.0
// One damaged fabric for every cut that can bound traffic, made so that this cut is the tightest by far. Links carry
// 50 GB/s; congestion is written as flows per link.
#include "base/diagnostic.h"
#include "sim/network/fabric_map.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

constexpr double per_link = 1 / link_rate;

struct Switches {
  explicit Switches(const Fabric& fabric)
      : leaves(devices_of(fabric, DeviceKind::leaf)),
        spines(devices_of(fabric, DeviceKind::spine)),
        cores(devices_of(fabric, DeviceKind::core)) {}
  std::vector<DeviceId> leaves, spines, cores;
};

/// Bundles of one leaf to spines 0 and 1, from three links each.
Fabric with_bundles(const Fabric& fabric, std::size_t leaf, int to_first, int to_second) {
  const Switches at(fabric);
  return thinned(thinned(fabric, at.leaves[leaf], at.spines[0], 3 - to_first), at.leaves[leaf], at.spines[1],
                 3 - to_second);
}

TEST_CASE("cut of a pair of leaves: at each spine what both have", "[network]") {
  // Leaf A has bundles (3, 1) to the spines, B (1, 3), C and D (3, 3). A sends three flows to B and one to C, D one to
  // B. A and B have four links each for four flows, but at the spines A to B finds 1 + 1.
  Fabric fabric = wire({.pods = 4, .nodes_per_pod = 4, .gpus_per_node = 1, .spines = 2, .bundle = 3});
  fabric = with_bundles(with_bundles(fabric, 0, 3, 1), 1, 1, 3);
  CHECK_THAT(FabricMap(fabric, 1).pair_bandwidth(0, 1), WithinRel(100e9, exact));
  CHECK_THAT(congestion(fabric, {{0, 4}, {1, 5}, {2, 6}, {3, 8}, {12, 7}}), WithinRel(3.0 / 2 * per_link, exact));
}

TEST_CASE("cut of a leaf: its links as far as its peers have some at the same spines", "[network]") {
  // A (3, 1) sends to B and C, (1, 3) both: spine 0 takes 2 of A's 3, spine 1 its 1. Each pair alone finds 2 links.
  Fabric fabric = wire({.pods = 3, .nodes_per_pod = 6, .gpus_per_node = 1, .spines = 2, .bundle = 3});
  fabric = with_bundles(with_bundles(with_bundles(fabric, 0, 3, 1), 1, 1, 3), 2, 1, 3);
  CHECK_THAT(congestion(fabric, {{0, 6}, {1, 7}, {2, 8}, {3, 12}, {4, 13}, {5, 14}}),
             WithinRel(6.0 / 3 * per_link, exact));
}

TEST_CASE("cut of a receiving leaf: two senders, one set of links", "[network]") {
  const Fabric fabric = wire({.pods = 3, .nodes_per_pod = 4, .gpus_per_node = 1, .spines = 1, .bundle = 2});
  CHECK_THAT(congestion(fabric, {{4, 0}, {5, 1}, {8, 2}, {9, 3}}), WithinRel(4.0 / 2 * per_link, exact));
}

TEST_CASE("cut of a leaf's way to the cores", "[network]") {
  // Leaf A: three links to spine 0, which has one core link left, and one to spine 1, which has three: 1 + 1. The other
  // leaf of its group keeps the group's way at 1 + 3.
  Fabric fabric =
      wire({.pods = 3, .nodes_per_pod = 4, .gpus_per_node = 2, .groups = 3, .spines = 2, .bundle = 3, .cores = 3});
  const Switches at(fabric);
  fabric = with_bundles(fabric, 0, 3, 1);
  fabric = thinned(thinned(fabric, at.spines[0], at.cores[1], 1), at.spines[0], at.cores[2], 1);
  CHECK_THAT(FabricMap(fabric, 1).core_bandwidth_of_group(0), WithinRel(4 * 50e9, exact));
  CHECK_THAT(congestion(fabric, {{0, 8}, {2, 10}, {4, 16}, {6, 18}}), WithinRel(4.0 / 2 * per_link, exact));
}

TEST_CASE("cut of a spine group's way to the cores", "[network]") {
  // Two leaves with two links to each of two spines, which have one core link each: eight flows, half to either of two
  // groups, over two links.
  const Fabric fabric =
      wire({.pods = 3, .nodes_per_pod = 4, .gpus_per_node = 2, .groups = 3, .spines = 2, .bundle = 2, .cores = 1});
  CHECK_THAT(FabricMap(fabric, 1).pair_bandwidth(0, 2), WithinRel(2 * 50e9, exact));  // two core links, not four
  CHECK_THAT(congestion(fabric, {{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 16}, {5, 17}, {6, 18}, {7, 19}}),
             WithinRel(8.0 / 2 * per_link, exact));
}

TEST_CASE("cut of a pair of groups: only cores that both still reach", "[network]") {
  // Plane 0: group A has lost core 1 and group B core 0, so nothing passes; plane 1 is whole: two links, although both
  // have three into the cores.
  Fabric fabric =
      wire({.pods = 3, .nodes_per_pod = 4, .gpus_per_node = 1, .groups = 3, .spines = 2, .bundle = 2, .cores = 2});
  const Switches at(fabric);
  fabric = thinned(thinned(fabric, at.spines[0], at.cores[1], 1), at.spines[2], at.cores[0], 1);
  CHECK_THAT(congestion(fabric, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}), WithinRel(4.0 / 2 * per_link, exact));
  // Plane 1 lost in the same way: the groups share no core.
  fabric = thinned(thinned(fabric, at.spines[1], at.cores[3], 1), at.spines[3], at.cores[2], 1);
  CHECK_THROWS_WITH(congestion(fabric, {{0, 4}}), ContainsSubstring("two spine groups"));
}

TEST_CASE("what a spine cannot turn may go over the cores of its plane", "[network]") {
  // Both spines in one plane. Leaf A has two links to spine 0; B one to each: one turned at spine 0, one by the cores.
  Fabric fabric = wire(
      {.pods = 2, .nodes_per_pod = 2, .gpus_per_node = 1, .spines = 2, .bundle = 2, .cores = 1, .one_plane = true});
  const Switches at(fabric);
  fabric = thinned(fabric, at.leaves[0], at.spines[1], 2);
  fabric = thinned(thinned(fabric, at.leaves[1], at.spines[0], 1), at.leaves[1], at.spines[1], 1);
  CHECK_THAT(FabricMap(fabric, 1).pair_bandwidth(0, 1), WithinRel(100e9, exact));
}

}  // namespace
}  // namespace railyard
