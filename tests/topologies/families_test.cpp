// SPDX-License-Identifier: Apache-2.0
// What tells the families apart, by hand derivations on small switches.
#include <map>
#include <set>

#include "tests/catch.h"
#include "tests/topologies/family_cluster.h"
#include "topologies/design_check.h"

using namespace railyard;
using namespace railyard::test;

namespace {

using Counts = std::vector<std::size_t>;

/// Leaves, spines, cores; links of the four layers.
Counts counts_by_kind(const Fabric& fabric) {
  Counts counts;
  for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core})
    counts.push_back(fabric.count(kind));
  for (const Layer layer : all_layers) counts.push_back(fabric.count(layer));
  return counts;
}

Fabric shipped(std::string_view design, std::string_view server, int gpus) {
  return build_fabric(shipped_design(design), shipped_parts(), shipped_parts().server(server), gpus);
}

}  // namespace

// 4 rails on switches of 8: up to 8 nodes are one switch a rail; 16 nodes are 4 + 2 switches a rail of 4 + 4 ports.
TEST_CASE("rail-only: every rail is a switch or a tree of its own, and no link joins two", "[topologies]") {
  const FamilyCluster tiny("rail-only", 8, 8, 8, 4, 4);
  CHECK(counts_by_kind(tiny.build(32)) == Counts{4, 0, 0, 32, 0, 0, 0});
  const Fabric fabric = tiny.build(64);
  CHECK(counts_by_kind(fabric) == Counts{16, 8, 0, 64, 64, 0, 0});
  std::map<int, int> rail_of_group;
  for (const Link& link : fabric.links()) {
    const Device &lower = fabric.device(link.lower), &upper = fabric.device(link.upper);
    if (lower.kind == DeviceKind::node) {
      REQUIRE(upper.rail == link.lower_port);
      REQUIRE(upper.pod == lower.pod);
    } else {
      REQUIRE(lower.rail == upper.rail);
      REQUIRE(rail_of_group.emplace(lower.group, lower.rail).first->second == lower.rail);
    }
  }
  CHECK(fabric.shape().groups == 4);
  // Three tiers hold k^3/4 = 128 nodes a rail, 4 times as many GPUs as a fat tree that joins its rails.
  CHECK(tiny.build(512).shape().tiers == 3);
  CHECK_THROWS_WITH(tiny.build(516), ContainsSubstring("the limit is 512 GPUs, 4 too many"));
}

// Racks of 2 nodes with 4 NICs: 8 + 8 ports of a leaf of 16; 6 racks share spines of 24 ports, 3:1 above.
TEST_CASE("tor fat tree: the nodes of a rack share a leaf, groups of racks share spines", "[topologies]") {
  FamilyCluster tiny("tor-fat-tree", 16, 24, 24, 4, 4);
  tiny.design.nodes_per_leaf = 2;
  tiny.design.group_leaves = 6;
  tiny.design.core_oversubscription = 3;
  tiny.design.oversubscribed_by = OversubscribedBy::more_downlinks;
  // 18 racks of 144 GPUs are 3 groups. A spine has 18 + 6 ports; 6 x 8 uplinks / 18 = 2.7, and 4 divides 8: 12 spines,
  // each with 12 downlinks in use and hence 4 uplinks. Core plane i: 3 spines x 4 = 12 links, one core: 4 cores.
  tiny.design.tiers = 3;
  const Fabric fabric = tiny.build(144);
  CHECK(counts_by_kind(fabric) == Counts{18, 12, 4, 144, 144, 48, 0});
  for (int gpu = 0; gpu < 144; ++gpu) {
    const Device& leaf = fabric.device(fabric.link(fabric.nic_link(gpu)).upper);
    REQUIRE(leaf.index == gpu / 8);
    REQUIRE(leaf.rail == -1);
    REQUIRE(leaf.group == gpu / 48);
  }
}

// 2 rails, 2 planes: a pod of 4 nodes has 4 leaves of 4 + 4 ports of 8.
TEST_CASE("dual tor: both ports of a NIC end on leaves of their own, which share spines", "[topologies]") {
  FamilyCluster tiny("dual-tor", 8, 8, 8, 2, 2, 2);
  tiny.design.planes_join = PlanesJoin::spines;
  const Fabric fabric = tiny.build(16);
  CHECK(counts_by_kind(fabric) == Counts{8, 4, 0, 32, 32, 0, 0});  // 2 pods; 8 x 4 uplinks / 8 ports
  CHECK(fabric.shape().groups == 1);
  for (int gpu = 0; gpu < 16; ++gpu) {
    const Device &a = fabric.device(fabric.link(fabric.nic_link(gpu, 0)).upper),
                 &b = fabric.device(fabric.link(fabric.nic_link(gpu, 1)).upper);
    REQUIRE((a.index != b.index && a.plane == 0 && b.plane == 1 && a.rail == b.rail && a.pod == b.pod));
  }
  for (const Finding& finding : check_failures(fabric)) CHECK(finding.value.starts_with("0 GPUs"));
}

// One plane: 2 rails, pods of 4 nodes; a spine group is 2 pods, 4 leaves x 4 uplinks / 4 = 4 spines. 8 pods are 4
// groups: 16 spines a plane. Core plane i has spine i of 4 groups in 2 planes, 8 x 4 uplinks / 8 ports: 4 cores, 16.
TEST_CASE("dual tor: planes with spines of their own meet in the cores", "[topologies]") {
  FamilyCluster tiny("dual-tor", 8, 8, 8, 2, 2, 2);
  tiny.design.planes_join = PlanesJoin::cores;
  const Fabric fabric = tiny.build(64);
  CHECK(counts_by_kind(fabric) == Counts{32, 32, 16, 128, 128, 128, 0});
  std::map<DeviceId, std::set<int>> planes_of_core;
  for (const Link& link : fabric.links()) {
    if (link.layer == Layer::leaf_spine) REQUIRE(fabric.device(link.lower).plane == fabric.device(link.upper).plane);
    if (link.layer == Layer::spine_core) planes_of_core[link.upper].insert(fabric.device(link.lower).plane);
  }
  for (const auto& [core, planes] : planes_of_core) CHECK(planes == std::set<int>{0, 1});
  tiny.design.planes_join = PlanesJoin::never;
  CHECK(counts_by_kind(tiny.build(64)) == Counts{32, 32, 16, 128, 128, 128, 0});  // 8 cores a plane, each with 4 spines
}

// Alibaba HPN: a second pod of 15 segments adds cores: 60 core planes of 2 groups x 2 planes x 8 links, one core each.
TEST_CASE("dual tor: two pods of HPN meet in 60 cores", "[topologies]") {
  CHECK(counts_by_kind(shipped("dual-tor-200g", "hgx-h800-2x200g", 30720)) ==
        Counts{480, 240, 60, 61440, 28800, 1920, 0});
}

// 6 host and 8 fabric ports of 14; a pod of 2 rails is 6 nodes. 18 nodes: 6 leaves x 8 / 16 ports = 3, and 4 divides 8.
TEST_CASE("scheduled fabric: host and fabric ports of a leaf are fixed", "[topologies]") {
  FamilyCluster tiny("scheduled-fabric", 14, 16, 16, 2, 2);
  tiny.design.tiers = 2;
  CHECK_THROWS_WITH(tiny.build(4),
                    ContainsSubstring("has fixed ports") && ContainsSubstring("use leaf_ports: {node: 7, up: 7}"));
  tiny.design.leaf_ports = LeafPorts{6, 8};
  CHECK(counts_by_kind(tiny.build(36)) == Counts{6, 4, 0, 36, 48, 0, 0});
  // 16 ports of a spine: 8 pods of 6 nodes of 2.
  CHECK_THROWS_WITH(tiny.build(98),
                    ContainsSubstring("the limit is 96 GPUs, 2 too many") && ContainsSubstring("use 96 GPUs"));
}

// Leaves of 4 + 4, groups of 4 leaves and 4 spines: one link each, so 4 global ports a spine, 16 a group. 3 groups: 8
// links between each two.
TEST_CASE("dragonfly plus: groups are complete, and every two of them have equally many links", "[topologies]") {
  FamilyCluster tiny("dragonfly-plus", 8, 8, 8, 2, 2);  // 2 nodes a leaf, 16 GPUs a group
  const Fabric fabric = tiny.build(48);
  CHECK(counts_by_kind(fabric) == Counts{12, 12, 0, 48, 48, 0, 24});
  std::map<std::pair<int, int>, int> links;
  std::map<DeviceId, int> of_spine;
  for (const Link& link : fabric.links()) {
    if (link.layer != Layer::spine_spine) continue;
    ++links[{fabric.device(link.lower).group, fabric.device(link.upper).group}];
    ++of_spine[link.lower], ++of_spine[link.upper];
  }
  CHECK(links == std::map<std::pair<int, int>, int>{{{0, 1}, 8}, {{0, 2}, 8}, {{1, 2}, 8}});
  for (const auto& [spine, count] : of_spine) CHECK(count == 4);
  // One link to each other group: 16 ports, 17 groups of 16 GPUs.
  CHECK(tiny.build(272).count(Layer::spine_spine) == 17 * 16 / 2);
  CHECK_THROWS_WITH(tiny.build(274),
                    ContainsSubstring("the limit is 272 GPUs, 2 too many") && ContainsSubstring("17 groups"));
  tiny.design.global_links = 3;
  CHECK(tiny.build(48).count(Layer::spine_spine) == 9);
  tiny.design.group_spines = 3;
  CHECK_THROWS_WITH(tiny.build(48), ContainsSubstring("1 left over") && ContainsSubstring("use group_spines: "));
  tiny.design.group_spines = 2;  // 2 links from a leaf to a spine, which has 8 ports
  tiny.design.group_leaves = 5;
  CHECK_THROWS_WITH(tiny.build(48), ContainsSubstring("need 10 ports of a spine") && ContainsSubstring("2 too few") &&
                                        ContainsSubstring("use group_leaves: 4"));
}

// Links that a group keeps as neighbours are added: with a fixed number between groups, those that stand do not move.
TEST_CASE("dragonfly plus: a fourth group moves no link of the first three", "[topologies]") {
  FamilyCluster tiny("dragonfly-plus", 8, 8, 8, 2, 2);
  tiny.design.global_links = 4;
  const auto ends = [](const Fabric& fabric) {
    std::set<std::tuple<int, int, int, int>> all;
    for (const Link& link : fabric.links()) {
      if (link.layer == Layer::spine_spine) {
        all.emplace(fabric.device(link.lower).index, link.lower_port, fabric.device(link.upper).index, link.upper_port);
      }
    }
    return all;
  };
  const auto three = ends(tiny.build(48)), four = ends(tiny.build(64));
  CHECK(std::includes(four.begin(), four.end(), three.begin(), three.end()));
  CHECK(four.size() == three.size() + 3 * 4);
}

// 15 leaves x 2 links leave 34 of 64 ports of a spine, 544 of a group; 24 other groups: 22 links each.
TEST_CASE("dragonfly plus: the groups of JUPITER", "[topologies]") {
  const Fabric fabric = shipped("ndr200-dragonfly", "gh200-quad", 24000);
  CHECK(fabric.shape().groups == 25);
  CHECK(fabric.shape().nodes_per_pod == 16);
  CHECK(fabric.count(Layer::spine_spine) == 25 * 24 / 2 * 22);
}

TEST_CASE("breakout: NIC links of half the speed take half a leaf port, uplinks whole ones", "[topologies]") {
  const FamilyCluster tiny("rail-fat-tree", 8, 8, 8, 2, 2, 1, true);
  // 8 node links (4 ports) and 4 uplinks a leaf: pods of 8 nodes; 4 pods are 8 leaves, 4 spines.
  const Fabric fabric = tiny.build(64);
  CHECK(counts_by_kind(fabric) == Counts{8, 4, 0, 64, 32, 0, 0});
  CHECK(fabric.shape().nodes_per_pod == 8);
  for (const Link& link : fabric.links()) {
    const double speed = link.speed.in(gigabit_per_second);
    REQUIRE(speed == (link.layer == Layer::node_leaf ? 200 : 400));
    if (link.layer == Layer::leaf_spine) REQUIRE((link.lower_port % 2 == 0 && link.lower_port >= 8));
  }
  const NetworkCounts counts = count_network(fabric, tiny.design, tiny.parts, tiny.server);
  CHECK(counts.cables == 32 + 32);      // a splitter for two nodes, a fibre for an uplink
  CHECK(counts.leaf_modules == 8 * 4);  // twin-port cages: 2 for nodes, 2 for uplinks
  CHECK(counts.node_modules == 64);
  CHECK_THAT(bisection_bandwidth(fabric).in(gigabit_per_second), WithinRel(32 * 200.0, 1e-12));
}

TEST_CASE("breakout: a splitter or a module makes the halves, and nothing else does", "[topologies]") {
  FamilyCluster tiny("rail-fat-tree", 8, 8, 8, 2, 2, 1, true);
  tiny.design.media[0].cable = "mpo12-multimode";
  CHECK_THROWS_WITH(tiny.build(16), ContainsSubstring("port speed 400 Gb/s of module 'osfp-800g-2xsr4'"));
  tiny.design.media[0].cable = "mpo12-splitter";
  tiny.design.breakout = 1;
  CHECK_THROWS_WITH(tiny.build(16), ContainsSubstring("port speed 200 Gb/s of server 'tiny-server' against 400 Gb/s"));
}

TEST_CASE("switches by layer: each has its ports, its name on the bill and its speed checked", "[topologies]") {
  FamilyCluster tiny("rail-fat-tree", 8, 16, 8, 2, 2);
  // Two tiers: 16 ports of a spine are 8 pods of 4 nodes: 32 nodes; with 8 they would be 16.
  const Fabric fabric = tiny.build(64);
  CHECK(counts_by_kind(fabric) == Counts{16, 4, 0, 64, 64, 0, 0});
  const BillOfMaterials bill = list_parts(fabric, tiny.design, tiny.parts, tiny.server, 32);
  std::map<std::string, int> switches;
  for (const BomLine& line : bill.lines) {
    if (line.category == BomCategory::switch_ && line.back_end) switches[line.part] += line.quantity;
  }
  CHECK(switches == std::map<std::string, int>{{"tiny-leaf", 16}, {"tiny-spine", 4}});
  CHECK_THROWS_WITH(tiny.build(600),
                    ContainsSubstring("tiny-leaf (8 ports) and tiny-spine (16 ports) and tiny-core (8 ports)"));
  tiny.parts.switches["tiny-spine"].port_speed = 800 * gigabit_per_second;
  CHECK_THROWS_WITH(
      tiny.build(64),
      ContainsSubstring("port speed 400 Gb/s of switch 'tiny-leaf' against 800 Gb/s of switch 'tiny-spine'"));
}

// 192 leaves x 16 uplinks in 16 spines: 192 links, 6 cards of 36; a core of 8 groups x 28 has 224 links: 7 cards.
TEST_CASE("modular switches: cards are bought as ports are used", "[topologies]") {
  const Design design = shipped_design("roce-tor-chassis");
  const ServerPart& server = shipped_parts().server("hgx-h100");
  const auto pieces = [&](int gpus, std::string_view part) {
    const BillOfMaterials bill =
        list_parts(build_fabric(design, shipped_parts(), server, gpus), design, shipped_parts(), server, gpus / 8);
    int total = 0;
    for (const BomLine& line : bill.lines) total += line.part == part && line.back_end ? line.quantity : 0;
    return total;
  };
  CHECK(pieces(3072, "arista-7808") == 16);
  CHECK(pieces(3072, "arista-7800-36p") == 16 * 6);
  CHECK(pieces(24576, "arista-7808") == 128 + 16);
  // With uplinks a spine has 192 + 28 links: the last 28 of its 288 ports lie on the eighth card.
  CHECK(pieces(24576, "arista-7800-36p") == 128 * 7 + 16 * 7);
  CHECK(shipped_parts().switch_part("arista-7808").ports() == 288);
}

TEST_CASE("NVL72: racks of 18 trays stay whole in a pod, and a job fills them where asked", "[topologies]") {
  CHECK(shipped("nvl72-xdr-rail", "gb300-tray", 576).shape().nodes_per_pod == 72);
  CHECK(shipped("nvl72-spectrum-x", "gb200-tray", 576).shape().nodes_per_pod == 54);
  Design design = shipped_design("nvl72-xdr-rail");
  design.fill_unit = true;
  const ServerPart& tray = shipped_parts().server("gb300-tray");
  CHECK(build_fabric(design, shipped_parts(), tray, 512).shape().nodes == 144);  // 128 trays are 7.1 racks: 8
  CHECK(tray.gpus * 18 == shipped_parts().gpu("gb300").scale_up_gpus);
}
