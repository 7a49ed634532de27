// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every family, over random sizes, radices, ratios and splits.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "tests/catch.h"
#include "tests/topologies/family_cluster.h"
#include "topologies/catalogue.h"
#include "topologies/design_check.h"

using namespace railyard;
using namespace railyard::test;

namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  template <class First, class... Rest>
  First one_of(First first, Rest... rest) {
    const std::array<First, 1 + sizeof...(rest)> list{first, rest...};
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random_)];
  }
  /// Evenly over orders of magnitude.
  int up_to(int largest) {
    return 1 + static_cast<int>(std::exp(std::uniform_real_distribution(0.0, std::log(largest + 0.5))(random_))) - 1;
  }

 private:
  std::mt19937 random_;
};

FamilyCluster random_cluster(const std::string& family, Dice& dice) {
  const bool dual = family == "dual-tor", dragonfly = family == "dragonfly-plus";
  const int rails = dice.one_of(1, 2, 4, 8), radix = dice.one_of(16, 24, 32, 48), planes = dual ? 2 : 1;
  FamilyCluster cluster(family, radix, dragonfly ? radix : dice.one_of(radix, radix, 64, 128), dice.one_of(radix, 64),
                        rails, rails * dice.one_of(1, 1, 2), planes, dice.one_of(0, 0, 1) == 1);
  Design& design = cluster.design;
  if (family == "scheduled-fabric") {
    const int up = dice.one_of(4, 6, 8);
    design.leaf_ports = LeafPorts{(radix - up) * design.breakout - dice.one_of(0, 2), up};
    design.tiers = dice.one_of(0, 2, 3);
  } else {
    design.oversubscription = dice.one_of(1.0, 1.0, 0.8, 1.5, 2.0, 3.0);
    design.oversubscribed_by = dice.one_of(OversubscribedBy::fewer_uplinks, OversubscribedBy::more_downlinks);
    design.reserved_ports = dice.one_of(0, 0, 2);
    if (!dragonfly) design.tiers = dice.one_of(0, 0, 0, 2, 3);
  }
  if (family == "tor-fat-tree") design.nodes_per_leaf = dice.one_of(0, 1, 2, 4);
  if (!dragonfly) design.core_oversubscription = dice.one_of(1.0, 1.0, 3.0);
  if (dual) design.planes_join = dice.one_of(PlanesJoin::never, PlanesJoin::spines, PlanesJoin::cores);
  if (family != "rail-only" && !dual) design.ufm = dice.one_of(0, 0, 1) == 1;
  design.fill_unit = dice.one_of(0, 0, 1) == 1;
  design.unit_nodes = dice.one_of(1, 1, 3);
  return cluster;
}

/// Every port at most once, split ports not used whole as well.
void check_ports_once(const Fabric& fabric, const FamilyCluster& cluster) {
  std::set<std::pair<DeviceId, int>> used;
  bool once = true, within = true;
  const auto take = [&](DeviceId device, int port, int width, int ports) {
    for (int i = 0; i < width; ++i) once = once && used.insert({device, port + i}).second;
    within = within && port + width <= ports;
  };
  const int split = cluster.design.breakout, nics = cluster.server.ports();
  for (const Link& link : fabric.links()) {
    const auto ports = [&](DeviceId id) {
      switch (fabric.device(id).kind) {
        case DeviceKind::node:
          return nics;
        case DeviceKind::leaf:
          return cluster.parts.switch_part("tiny-leaf").ports() * split;
        case DeviceKind::spine:
          return cluster.parts.switch_part("tiny-spine").ports();
        case DeviceKind::core:
          return cluster.parts.switch_part("tiny-core").ports();
        case DeviceKind::manager:
          break;
      }
      return 1;
    };
    take(link.lower, link.lower_port, link.layer == Layer::leaf_spine ? split : 1, ports(link.lower));
    take(link.upper, link.upper_port, 1, ports(link.upper));
  }
  CHECK(once);
  CHECK(within);
}

/// A leaf has equally many links to every spine of its group and none to others; a spine to each of its cores; every
/// two groups of a dragonfly to each other.
void check_equal_links(const Fabric& fabric) {
  std::map<DeviceId, std::map<DeviceId, int>> up;
  std::map<int, std::size_t> spines_of_group;
  std::map<std::pair<int, int>, int> between;
  for (const Device& device : fabric.devices()) {
    if (device.kind == DeviceKind::spine) ++spines_of_group[device.group];
  }
  bool inside = true;
  for (const Link& link : fabric.links()) {
    const Device &lower = fabric.device(link.lower), &upper = fabric.device(link.upper);
    if (link.layer == Layer::spine_spine) {
      ++between[{lower.group, upper.group}];
    } else if (link.layer != Layer::node_leaf) {
      ++up[link.lower][link.upper];
      if (link.layer == Layer::leaf_spine) inside = inside && lower.group == upper.group;
    }
  }
  bool equal = true, all = true;
  for (const auto& [lower, uppers] : up) {
    for (const auto& [upper, links] : uppers) equal = equal && links == uppers.begin()->second;
    if (fabric.device(lower).kind == DeviceKind::leaf) {
      all = all && uppers.size() == spines_of_group[fabric.device(lower).group];
    }
  }
  for (const auto& [groups, links] : between) equal = equal && links == between.begin()->second;
  const auto groups = static_cast<std::size_t>(fabric.shape().groups);
  if (!between.empty()) CHECK(between.size() == groups * (groups - 1) / 2);
  CHECK(inside);
  CHECK(equal);
  CHECK(all);
}

/// Parts of the network that no link joins, managers and nodes aside: a node passes nothing on.
int islands(const Fabric& fabric) {
  std::vector<int> island(fabric.devices().size(), -1);
  int count = 0;
  for (std::size_t start = 0; start < island.size(); ++start) {
    if (fabric.devices()[start].kind != DeviceKind::leaf || island[start] >= 0) continue;
    std::vector<DeviceId> queue{id_at(start)};
    island[start] = count;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const LinkId id : fabric.links_of(queue[i])) {
        const Link& link = fabric.link(id);
        if (link.layer == Layer::node_leaf) continue;
        const DeviceId peer = link.lower == queue[i] ? link.upper : link.lower;
        int& known = island[static_cast<std::size_t>(peer)];
        if (known < 0) known = count, queue.push_back(peer);
      }
    }
    ++count;
  }
  return count;
}

int islands_expected(const std::string& family, const Design& design, const FabricShape& shape) {
  if (family == "rail-only") return shape.rails * shape.planes;
  if (family != "dual-tor" || design.planes_join == PlanesJoin::spines) return 1;
  return design.planes_join == PlanesJoin::cores && shape.tiers == 3 ? 1 : shape.planes;
}

}  // namespace

TEST_CASE("families: laws hold for random clusters of each", "[topologies][slow]") {
  const std::string family = GENERATE(as<std::string>{}, "rail-fat-tree", "rail-only", "tor-fat-tree", "dual-tor",
                                      "scheduled-fabric", "dragonfly-plus");
  Dice dice(20261201);
  int built = 0, largest_groups = 0, kept = 0;
  std::set<int> tiers;
  for (int round = 0; round < 120; ++round) {
    const FamilyCluster cluster = random_cluster(family, dice);
    const Design& design = cluster.design;
    const int nodes = dice.up_to(4096 / cluster.server.gpus), gpus = nodes * cluster.server.gpus;
    CAPTURE(family, round, gpus, cluster.server.gpus, design.tiers, design.oversubscription, design.reserved_ports,
            design.breakout, design.nodes_per_leaf, design.core_oversubscription);
    std::optional<Fabric> wired;
    try {
      wired = cluster.build(gpus);
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).size() > 60);  // says more than no
      continue;
    }
    ++built;
    const FabricShape& shape = wired->shape();
    tiers.insert(shape.tiers);
    largest_groups = std::max(largest_groups, shape.groups);
    check_ports_once(*wired, cluster);
    check_equal_links(*wired);
    CHECK(islands(*wired) == islands_expected(family, design, shape));
    const std::size_t ends = design.ufm ? 4 : 0;
    CHECK(wired->count(Layer::node_leaf) == static_cast<std::size_t>(shape.nodes * cluster.server.ports()) + ends);
    CHECK(shape.nodes >= nodes);
    CHECK((design.fill_unit || shape.nodes == nodes));
    if (shape.tiers > 1) {
      CHECK(wired->count(Layer::leaf_spine) ==
            wired->count(DeviceKind::leaf) * static_cast<std::size_t>(shape.uplinks_per_leaf));
    }
    for (int gpu = 0; gpu < gpus; gpu += 1 + gpus / 50) {
      for (int plane = 0; plane < shape.planes; ++plane) {
        const Link& link = wired->link(wired->nic_link(gpu, plane));
        REQUIRE(wired->device(link.lower).index == gpu / shape.gpus_per_node);
        REQUIRE(wired->device(link.upper).pod == wired->device(link.lower).pod);
      }
    }
    for (const Finding& finding : check_bisection(*wired, design)) {
      CAPTURE(finding.what, finding.value, finding.limit);
      // A last group of fewer spines is told as such; nothing else may fall short.
      const bool told = finding.what.find("groups of fewer spines") != std::string::npos;
      CHECK((finding.verdict != CheckVerdict::fail || told));
      CHECK((finding.verdict != CheckVerdict::warn || told || family == "dragonfly-plus"));
      kept += finding.verdict == CheckVerdict::pass ? 1 : 0;
    }
    const Cabling cabling(design, cluster.parts, cluster.server);
    for (const Finding& finding : check_ports(*wired, cabling)) CHECK(finding.verdict == CheckVerdict::pass);
  }
  CAPTURE(family, built, largest_groups);
  CHECK(built > 50);  // else the rounds above tested little
  CHECK(kept > built * 3 / 4);
  CHECK(largest_groups > 1);
  if (family != "dragonfly-plus") CHECK(tiers.size() > 1);
}

// What a refusal advises is built: counts below and above, and the options it names.
TEST_CASE("families: odd orders are refused with a limit and an advice that works", "[topologies][slow]") {
  const auto [name, server_id] =
      GENERATE(std::pair{"rail-only-51t", "mi300x-server"}, std::pair{"roce-tor-chassis", "hgx-h100"},
               std::pair{"dual-tor-200g", "hgx-h800-2x200g"}, std::pair{"scheduled-jericho3", "hgx-h100"},
               std::pair{"ndr-dragonfly", "hgx-h100"}, std::pair{"ndr200-dragonfly", "gh200-quad"},
               std::pair{"ndr-rail", "hgx-h100"}, std::pair{"nvl72-xdr-rail", "gb300-tray"},
               std::pair{"roce-25t-200g", "hgx-a100"});
  const ServerPart& server = shipped_parts().server(server_id);
  for (const int gpus : {0, 1, 7, 8, 9, 1000, 1001, 9216, 9224, 65536, 131072, 131080, 4194304}) {
    const Design design = shipped_design(name);
    CAPTURE(name, gpus);
    const std::string message = message_of([&] { (void)build_fabric(design, shipped_parts(), server, gpus); });
    if (message == "nothing thrown") continue;
    if (gpus % server.gpus != 0 || gpus == 0) {
      CHECK_THAT(message, ContainsSubstring("use ") && ContainsSubstring(" GPUs"));
      continue;
    }
    CHECK_THAT(message, ContainsSubstring("the limit is ") && ContainsSubstring(" too many"));
    const std::size_t use = message.find("   use ");
    REQUIRE(use != std::string::npos);
    const int advised = std::stoi(message.substr(use + 7));
    CHECK(advised > 0);
    CHECK(advised < gpus);
    if (advised <= 300000) CHECK_NOTHROW(build_fabric(design, shipped_parts(), server, advised));
  }
}

TEST_CASE("families: reserved ports, odd NICs and extreme ratios never pass silently", "[topologies]") {
  for (const std::string& family : topology_names()) {
    for (const int reserved : {0, 1, 15, 16, 17, 4000}) {
      for (const double ratio : {0.1, 1.0, 64.0}) {
        for (const int rails : {1, 3, 5, 7}) {
          FamilyCluster cluster(family, 16, 16, 16, rails, rails, family == "dual-tor" ? 2 : 1);
          cluster.design.reserved_ports = reserved;
          if (family == "scheduled-fabric") {
            cluster.design.leaf_ports = LeafPorts{8, 8};
          } else {
            cluster.design.oversubscription = ratio;
          }
          CAPTURE(family, reserved, ratio, rails);
          const std::string message = message_of([&] {
            const Fabric fabric = cluster.wire(4 * rails);
            check_ports_once(fabric, cluster);
            REQUIRE(fabric.shape().nodes == 4);
          });
          if (reserved >= 16) CHECK_THAT(message, ContainsSubstring("error: "));
        }
      }
    }
  }
}
