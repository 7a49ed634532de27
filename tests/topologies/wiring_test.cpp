// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every wired tree, over random sizes, radices and ratios.
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/catch.h"
#include "tests/topologies/fixture.h"

using namespace railyard;
using namespace railyard::test;

namespace {

int smallest_divisor(int of, int least) {
  int divisor = std::max(least, 1);
  while (of % divisor != 0) ++divisor;
  return divisor;
}

/// Switches of a tree by the closed rules of DESIGN 5.2, written without the builder's code.
struct Formula {
  int leaves = 0, spines = 0, cores = 0;
};

Formula formula_for(const FabricShape& shape, int nodes, bool by_rail) {
  const int k = shape.radix, half = k / 2, rails = shape.rails, up = shape.uplinks_per_leaf;
  if (shape.tiers == 1) return {1, 0, 0};
  const int pods = (nodes + shape.nodes_per_pod - 1) / shape.nodes_per_pod;
  Formula formula{rails * pods, 0, 0};
  if (shape.tiers == 2) {
    formula.spines = smallest_divisor(up, (formula.leaves * up + k - 1) / k);
    return formula;
  }
  std::vector<int> spines_of_group;
  for (int leaves_left = formula.leaves; leaves_left > 0;) {
    const int leaves = by_rail ? pods : std::min(leaves_left, half / rails * rails);
    spines_of_group.push_back(smallest_divisor(up, (leaves * up + half - 1) / half));
    formula.spines += spines_of_group.back();
    leaves_left -= leaves;
  }
  for (int plane = 0; plane < up; ++plane) {
    int spines = 0;
    for (const int of_group : spines_of_group) spines += of_group > plane ? 1 : 0;
    if (spines > 0) formula.cores += smallest_divisor(half, (spines * half + k - 1) / k);
  }
  return formula;
}

/// Every port of every device at most once, and within the device.
void check_ports(const Fabric& fabric, int radix, int rails) {
  std::set<std::pair<DeviceId, int>> used;
  bool within = true, once = true;
  for (const Link& link : fabric.links()) {
    once =
        once && used.insert({link.lower, link.lower_port}).second && used.insert({link.upper, link.upper_port}).second;
    const DeviceKind kind = fabric.device(link.lower).kind;
    const int ports = kind == DeviceKind::manager ? 1 : kind == DeviceKind::node ? rails : radix;
    within = within && link.lower_port < ports && link.upper_port < radix;
  }
  CHECK(once);
  CHECK(within);
}

/// Between a leaf and every spine of its group, and between a spine and every core of its plane, lie equally many
/// links.
void check_tree_links(const Fabric& fabric) {
  std::map<DeviceId, std::map<DeviceId, int>> links_up;
  for (const Link& link : fabric.links()) {
    if (link.layer != Layer::node_leaf) ++links_up[link.lower][link.upper];
  }
  std::map<std::pair<DeviceKind, int>, std::size_t> in_group;  // spines of a group, cores of a plane
  std::map<DeviceId, int> place;                               // spine among its group
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const Device& device = fabric.devices()[i];
    if (device.kind != DeviceKind::spine && device.kind != DeviceKind::core) continue;
    place[id_at(i)] = static_cast<int>(in_group[{device.kind, device.group}]++);
  }
  bool equal = true, all = true, inside = true;
  for (const auto& [lower, uppers] : links_up) {
    const Device& device = fabric.device(lower);
    const bool is_leaf = device.kind == DeviceKind::leaf;
    const int group = is_leaf ? device.group : place[lower];
    for (const auto& [upper, links] : uppers) {
      equal = equal && links == uppers.begin()->second;
      inside = inside && fabric.device(upper).group == group;
    }
    all = all && uppers.size() == in_group[{is_leaf ? DeviceKind::spine : DeviceKind::core, group}];
  }
  CHECK(equal);
  CHECK(all);
  CHECK(inside);
}

/// The NIC of rail r of a node is on the leaf of rail r in the node's pod.
void check_rails(const Fabric& fabric) {
  const FabricShape& shape = fabric.shape();
  bool right = true;
  for (int gpu = 0; gpu < shape.gpus; ++gpu) {
    const Link& link = fabric.link(fabric.nic_link(gpu));
    const Device &node = fabric.device(link.lower), &leaf = fabric.device(link.upper);
    const int rail = gpu % shape.gpus_per_node * shape.rails / shape.gpus_per_node;
    right =
        right && node.kind == DeviceKind::node && node.index == gpu / shape.gpus_per_node && link.lower_port == rail;
    right = right && leaf.kind == DeviceKind::leaf && leaf.pod == node.pod;
    right = right && (shape.tiers == 1 ? leaf.rail == -1 : leaf.rail == rail);
  }
  CHECK(right);
}

}  // namespace

TEST_CASE("wiring: laws hold for random trees", "[topologies][slow]") {
  std::mt19937 random(20241201);
  const auto one_of = [&](auto... values) {
    const std::array list{values...};
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
  };
  int built = 0, refused = 0;
  std::map<int, int> by_tiers;
  for (int round = 0; round < 400; ++round) {
    const int radix = one_of(4, 6, 8, 12, 16, 32, 64), rails = one_of(1, 2, 4, 8), gpus_per_rail = one_of(1, 1, 2);
    TinyCluster tiny(radix, rails, rails * gpus_per_rail);
    Design& design = tiny.design;
    design.tiers = one_of(0, 0, 0, 1, 2, 3);
    design.oversubscription = one_of(1.0, 1.0, 0.8, 1.5, 2.0, 3.0);
    design.oversubscribed_by = one_of(OversubscribedBy::fewer_uplinks, OversubscribedBy::more_downlinks);
    design.spine_group_by_rail = one_of(0, 0, 1) == 1;
    design.reserved_ports = one_of(0, 0, 1, 2);
    design.ufm = one_of(0, 0, 1) == 1;
    design.fill_unit = one_of(0, 0, 1) == 1;
    const int largest = std::min(radix * radix * radix / 4, 4096) / rails;
    const int nodes =
        1 + static_cast<int>(std::exp(std::uniform_real_distribution(0.0, std::log(largest + 1.0))(random)));
    const int gpus = nodes * tiny.server.gpus;
    CAPTURE(round, radix, rails, nodes, design.tiers, design.oversubscription, design.reserved_ports, design.ufm,
            design.fill_unit, design.spine_group_by_rail);
    std::optional<Fabric> wired;
    try {
      wired = tiny.build(gpus);
    } catch (const InputError&) {
      ++refused;
      continue;
    }
    ++built;
    const Fabric& fabric = *wired;
    const FabricShape& shape = fabric.shape();
    ++by_tiers[shape.tiers];
    check_ports(fabric, radix, rails);
    check_tree_links(fabric);
    check_rails(fabric);
    const int ends = design.ufm ? 4 : 0;
    const auto links = [&](Layer layer) { return static_cast<int>(fabric.count(layer)); };
    const Formula formula = formula_for(shape, nodes, design.spine_group_by_rail);
    CHECK(static_cast<int>(fabric.count(DeviceKind::leaf)) == formula.leaves);
    CHECK(static_cast<int>(fabric.count(DeviceKind::spine)) == formula.spines);
    CHECK(static_cast<int>(fabric.count(DeviceKind::core)) == formula.cores);
    CHECK(static_cast<int>(fabric.count(DeviceKind::manager)) == ends);
    CHECK(shape.nodes >= nodes);
    CHECK((design.fill_unit || shape.nodes == nodes));
    CHECK(links(Layer::node_leaf) == shape.nodes * rails + ends);
    CHECK(links(Layer::leaf_spine) == (shape.tiers > 1 ? formula.leaves * shape.uplinks_per_leaf : 0));
    CHECK(links(Layer::spine_core) == (shape.tiers > 2 ? formula.spines * (radix / 2) : 0));
    if (shape.tiers > 1) {
      CHECK(shape.nodes_per_pod <= design.oversubscription * shape.uplinks_per_leaf + 1e-9);
      CHECK(shape.nodes_per_pod + shape.uplinks_per_leaf + design.reserved_ports <= radix);
    }
    if (design.tiers == 0 && shape.tiers > 1) {  // the fewest tiers: one fewer does not hold the nodes
      design.tiers = shape.tiers - 1;
      CHECK_THROWS_AS(tiny.build(gpus), InputError);
    }
  }
  CAPTURE(built, refused);
  CHECK(built > 200);  // else the rounds above tested little
  CHECK(by_tiers[1] > 10);
  CHECK(by_tiers[2] > 10);
  CHECK(by_tiers[3] > 10);
}

TEST_CASE("wiring: links of a device are those that name it", "[topologies]") {
  const Fabric fabric = TinyCluster(8, 2, 2).build(60);
  std::size_t ends = 0;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    for (const LinkId link : fabric.links_of(id_at(i))) {
      REQUIRE((fabric.link(link).lower == id_at(i) || fabric.link(link).upper == id_at(i)));
      ++ends;
    }
  }
  CHECK(ends == 2 * fabric.links().size());
  for (int node = 0; node < fabric.shape().nodes; ++node) {
    REQUIRE(fabric.device(fabric.node(node)).kind == DeviceKind::node);
    REQUIRE(fabric.device(fabric.node(node)).index == node);
  }
}

TEST_CASE("wiring: UFM ends take four free leaf ports of the last pod", "[topologies]") {
  TinyCluster tiny(8, 4, 4);  // 4 node ports a leaf: 3 nodes and 4 ends fill a pod of 4 leaves
  tiny.design.ufm = true;
  const Fabric fabric = tiny.build(28);  // 7 nodes
  CHECK(fabric.count(Layer::node_leaf) == 28 + 4);
  std::set<DeviceId> leaves;
  for (const Link& link : fabric.links()) {
    if (fabric.device(link.lower).kind != DeviceKind::manager) continue;
    CHECK(fabric.device(link.upper).pod == 1);
    CHECK(link.upper_port == 3);
    leaves.insert(link.upper);
  }
  CHECK(leaves.size() == 4);
  CHECK_THROWS_AS(tiny.build(32), InputError);
}

TEST_CASE("wiring: same order, same fabric", "[topologies]") {
  const TinyCluster tiny(16, 4, 8);
  const Fabric a = tiny.build(512), b = tiny.build(512);
  REQUIRE(a.links().size() == b.links().size());
  for (std::size_t i = 0; i < a.links().size(); ++i) {
    const Link &x = a.links()[i], &y = b.links()[i];
    REQUIRE((x.lower == y.lower && x.upper == y.upper && x.lower_port == y.lower_port && x.upper_port == y.upper_port));
  }
}
