// SPDX-License-Identifier: Apache-2.0
// Several disjoint fabrics, one for each NIC port of a GPU.
#include "tests/catch.h"
#include "tests/topologies/fixture.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// Nodes of `gpus` GPUs with two ports each in twin-port cages, switches of `radix` ports, two planes.
TinyCluster two_planes(int radix, int gpus) {
  TinyCluster tiny(radix, gpus, gpus);
  tiny.design.planes = 2;
  tiny.server.ports_per_cage = 2;
  return tiny;
}

}  // namespace

TEST_CASE("planes: each is the fabric of one port a GPU", "[topologies]") {
  const int gpus = GENERATE(8, 32, 60, 100);  // one, two and three tiers
  const TinyCluster one(8, 2, 2), two = two_planes(8, 2);
  const Fabric single = one.build(gpus), twin = two.build(gpus);
  CHECK(twin.shape().planes == 2);
  CHECK(twin.shape().rails == single.shape().rails);
  CHECK(twin.shape().tiers == single.shape().tiers);
  for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
    CHECK(twin.count(kind) == 2 * single.count(kind));
  }
  for (const Layer layer : {Layer::node_leaf, Layer::leaf_spine, Layer::spine_core}) {
    CHECK(twin.count(layer) == 2 * single.count(layer));
  }
  CHECK(bisection_bandwidth(twin) == 2.0 * bisection_bandwidth(single));
}

TEST_CASE("planes: no link joins two of them, and their groups have numbers of their own", "[topologies]") {
  const Fabric fabric = two_planes(8, 2).build(100);
  REQUIRE(fabric.shape().tiers == 3);
  std::map<std::pair<DeviceKind, int>, int> plane_of_group;
  for (const Link& link : fabric.links()) {
    const Device &lower = fabric.device(link.lower), &upper = fabric.device(link.upper);
    if (lower.kind == DeviceKind::node) {
      REQUIRE(link.lower_port % 2 == upper.plane);
      continue;
    }
    REQUIRE(lower.plane == upper.plane);
    REQUIRE(plane_of_group.emplace(std::pair{lower.kind, lower.group}, lower.plane).first->second == lower.plane);
    REQUIRE(plane_of_group.emplace(std::pair{upper.kind, upper.group}, upper.plane).first->second == upper.plane);
  }
}

TEST_CASE("planes: the ports of a GPU lie in one cage, one on each plane", "[topologies]") {
  const Fabric fabric = two_planes(8, 2).build(32);
  for (int gpu = 0; gpu < 32; ++gpu) {
    const Link &first = fabric.link(fabric.nic_link(gpu)), &other = fabric.link(fabric.nic_link(gpu, 1));
    REQUIRE(first.lower == other.lower);
    REQUIRE(first.lower_port / 2 == other.lower_port / 2);
    const Device &a = fabric.device(first.upper), &b = fabric.device(other.upper);
    REQUIRE((a.plane == 0 && b.plane == 1));
    REQUIRE((a.pod == b.pod && a.rail == gpu % 2 && b.rail == gpu % 2));
  }
  const Fabric cut = fabric.without(std::vector{fabric.nic_link(5, 1)});
  CHECK(cut.link(cut.nic_link(5)).lower_port == 2);
  CHECK(message_of([&] { (void)cut.nic_link(5, 1); }) ==
        "error: GPU 5 has no link to the back-end network (node 2, rail 1, plane 1)\n"
        "   keep the link, or leave the node out of the job\n");
}

TEST_CASE("planes: the NIC ports of a server must fit them", "[topologies]") {
  TinyCluster tiny = two_planes(8, 2);
  tiny.design.planes = 1;
  CHECK(message_of([&] { (void)tiny.build(8); }) ==
        "error: design 'tiny-rail': server 'tiny-server' has 4 NIC ports for 2 GPUs, but the fabric is one plane: 2 "
        "too many\n"
        "   use planes: 2; or server hgx-h100\n");
  tiny.design.planes = 3;
  CHECK(message_of([&] { (void)tiny.build(8); }) ==
        "error: design 'tiny-rail': 4 NIC ports of server 'tiny-server' cannot be divided among 3 planes: 1 left over\n"
        "   use planes: 2; or a server of 6 NICs\n");
  const YamlDocument ndr = YamlDocument::load(source_dir + "/topologies/designs/ndr-rail.yaml");
  CHECK_THROWS_WITH(read_design(ndr.with("planes", "2").with("ufm", "true")),
                    ContainsSubstring("UFM ends on a fabric of several planes"));
}
