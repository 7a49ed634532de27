// SPDX-License-Identifier: Apache-2.0
// Names are unique, are kept when a cluster grows by whole pods, and follow the rules of the switches' software.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tests/catch.h"
#include "tests/wiring/random_cluster.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// Links between named ports, by layer.
std::map<Layer, std::set<std::string>> named_links(const NamedCluster& cluster) {
  std::map<Layer, std::set<std::string>> links;
  const Wiring wiring = cluster.wiring();
  for (const Link& link : cluster.fabric.links()) {
    links[link.layer].insert(std::string(wiring.device(link.lower)) + ":" + std::string(wiring.lower_port(link)) + " " +
                             std::string(wiring.device(link.upper)) + ":" + std::string(wiring.upper_port(link)));
  }
  return links;
}

std::set<std::string> device_set(const NamedCluster& cluster) {
  return {cluster.names.devices().begin(), cluster.names.devices().end()};
}

template <class Set>
bool contains(const Set& large, const Set& small) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

}  // namespace

TEST_CASE("names: unique among the devices of any fabric", "[wiring]") {
  std::mt19937 random(1);
  int seen = 0;
  for (int round = 0; round < 200; ++round) {
    const auto cluster = random_cluster(random);
    if (!cluster) continue;
    ++seen;
    CHECK(device_set(*cluster).size() == cluster->fabric.devices().size());
  }
  CHECK(seen > 60);
}

TEST_CASE("names: those of a smaller cluster are among those of one more by whole pods", "[wiring]") {
  // 8 ports, 2 rails: pods of 4 nodes; two tiers hold 4 pods, three tiers groups of 2 pods.
  for (const int tiers : {2, 3}) {
    TinyCluster tiny(8, 2, 2);
    tiny.design.tiers = tiers;
    const int pod = 8;  // GPUs
    for (int pods = 1; pods < 4; ++pods) {
      CAPTURE(tiers, pods);
      const NamedCluster small(tiny, pods * pod), large(tiny, (pods + 1) * pod);
      CHECK(contains(device_set(large), device_set(small)));
      auto small_links = named_links(small), large_links = named_links(large);
      CHECK(contains(large_links[Layer::node_leaf], small_links[Layer::node_leaf]));
      // Uplinks stay where the number of spines does: three tiers, groups that are complete (2 pods).
      if (tiers == 3 && pods % 2 == 0) {
        CHECK(contains(large_links[Layer::leaf_spine], small_links[Layer::leaf_spine]));
      }
    }
  }
}

// An uplink moves only where its group gets more spines: then every leaf must free links for them.
TEST_CASE("names: growth by pods keeps every name, and the uplinks of every group whose spines stay", "[wiring]") {
  std::mt19937 random(20261202);
  const auto one_of = [&](auto... values) {
    const std::array list{values...};
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
  };
  const auto spines_of = [](const NamedCluster& cluster) {
    std::map<std::string, int> spines;  // by group
    for (const std::string& name : cluster.names.devices()) {
      if (name.find("spine-g") != std::string::npos) ++spines[name.substr(0, name.rfind('-'))];
    }
    return spines;
  };
  int kept = 0, moved = 0;
  for (int round = 0; round < 120; ++round) {
    const int rails = one_of(1, 2, 4);
    TinyCluster tiny(one_of(8, 12, 16, 24), rails, rails);
    tiny.design.tiers = one_of(2, 3);
    tiny.design.oversubscription = one_of(1.0, 1.5, 2.0);
    const int pod = tiny.build(rails).shape().nodes_per_pod * rails, pods = one_of(1, 2, 3, 5), more = one_of(1, 2);
    if (misfit_of(tiny.design, tiny.parts, tiny.server, (pods + more) * pod)) continue;
    const NamedCluster small(tiny, pods * pod), large(tiny, (pods + more) * pod);
    CAPTURE(round, rails, pods, more, tiny.design.tiers);
    CHECK(contains(device_set(large), device_set(small)));
    auto links = named_links(small), more_links = named_links(large);
    CHECK(contains(more_links[Layer::node_leaf], links[Layer::node_leaf]));
    const auto spines = spines_of(small);
    const auto more_spines = spines_of(large);
    for (const auto& [group, count] : spines) {
      std::set<std::string> of_group;
      for (const std::string& link : links[Layer::leaf_spine]) {
        if (link.find(" " + group + "-") != std::string::npos) of_group.insert(link);
      }
      const bool stay = contains(more_links[Layer::leaf_spine], of_group);
      if (more_spines.at(group) == count) CHECK(stay);
      ++(stay ? kept : moved);
    }
  }
  CHECK(kept > 20);
  CHECK(moved > 20);
}

TEST_CASE("names: pods, rails, groups, core planes and planes count from one", "[wiring]") {
  const NamedCluster two(TinyCluster(8, 2, 2), 32);
  const std::set<std::string> names = device_set(two);
  CHECK(contains(names, std::set<std::string>{"pod001-node001", "pod004-node004", "pod001-leaf-r1", "pod004-leaf-r2",
                                              "spine-g01-01"}));
  TinyCluster tree(4, 1, 1);
  tree.design.tiers = 3;
  const std::set<std::string> three = device_set(NamedCluster(tree, 16));
  CHECK(contains(three, std::set<std::string>{"pod008-node002", "spine-g02-01", "core-p02-01"}));
  TinyCluster planes(8, 2, 2);
  planes.design.planes = 2;
  planes.design.tiers = 2;
  const std::set<std::string> two_planes = device_set(NamedCluster(planes, 32));
  CHECK(contains(two_planes, std::set<std::string>{"pod001-node001", "plane1-pod001-leaf-r1", "plane2-pod001-leaf-r1",
                                                   "plane2-spine-g01-01"}));
  TinyCluster ufm(16, 2, 2);
  ufm.design.ufm = true;
  CHECK(contains(device_set(NamedCluster(ufm, 8)), std::set<std::string>{"ufm-1", "ufm-4", "pod001-leaf-01"}));
}

TEST_CASE("names: ports as the software of the switch calls them", "[wiring]") {
  const Parts& parts = shipped_parts();
  const auto ends = [](const std::vector<std::string>& names) {
    return std::vector<std::string>{names.front(), names[1], names.back()};
  };
  using Names = std::vector<std::string>;
  CHECK(ends(port_names(parts.switch_part("qm9700"))) == Names{"1/1", "1/2", "32/2"});
  CHECK(ends(port_names(parts.switch_part("qm8790"))) == Names{"1", "2", "40"});
  CHECK(ends(port_names(parts.switch_part("q3400"))) == Names{"sw1p1", "sw1p2", "sw72p2"});
  CHECK(ends(port_names(parts.switch_part("sn5600"))) == Names{"swp1s0", "swp1s1", "swp64s1"});
  CHECK(ends(port_names(parts.switch_part("edgecore-as9736-64d"))) == Names{"swp1", "swp2", "swp64"});
  CHECK(ends(port_names(parts.nic("connectx-7"), 8)) == Names{"mlx5_0", "mlx5_1", "mlx5_7"});
  CHECK(ends(port_names(parts.nic("thor-2"), 8)) == Names{"bnxt_re0", "bnxt_re1", "bnxt_re7"});
}
