// SPDX-License-Identifier: Apache-2.0
// The fabric map of families other than the rail fat tree.
#include "base/diagnostic.h"
#include "sim/network/fabric_map.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"

namespace railyard {
namespace {

Fabric shipped(const std::string& design_id, const std::string& server, int gpus) {
  const std::string data = RAILYARD_SOURCE_DIR "/topologies";
  static const Parts parts = load_parts(data + "/parts");
  return build_fabric(load_design(data + "/designs", design_id), parts, parts.server(server), gpus);
}

}  // namespace

// Groups of 1024 GPUs with 32 spines of 32 free ports: three groups have 512 links between each two.
TEST_CASE("families: two groups of a dragonfly exchange what their links carry", "[network]") {
  const Fabric fabric = shipped("ndr-dragonfly", "hgx-h100", 3072);
  const FabricMap map(fabric, 1);
  const int same = map.leaf_of_nic(map.nic(1023)), here = map.leaf_of_nic(map.nic(0)),
            there = map.leaf_of_nic(map.nic(1024));
  CHECK(map.switches_between(here, same) == 3);
  CHECK(map.switches_between(here, there) == 4);
  CHECK(map.groups() == 3);
  CHECK_THAT(map.group_pair_bandwidth(0, 1), WithinRel(512 * link_rate, 1e-12));
  std::vector<std::pair<int, int>> flows;
  for (int gpu = 0; gpu < 1024; ++gpu) flows.emplace_back(gpu, 1024 + gpu);
  CHECK_THAT(congestion(fabric, flows), WithinRel(1024 / (512 * link_rate), 1e-12));
}

TEST_CASE("families: nothing but scale-up leads from rail to rail of a rail-only fabric", "[network]") {
  const Fabric fabric = shipped("rail-only-51t", "mi300x-server", 2048);  // 256 nodes: a tree for each rail
  const FabricMap map(fabric, 1);
  const int first = map.leaf_of_nic(map.nic(0)), same_rail = map.leaf_of_nic(map.nic(2040)),
            other_rail = map.leaf_of_nic(map.nic(2041));
  CHECK(map.switches_between(first, same_rail) == 3);
  CHECK_THROWS_WITH(map.switches_between(first, other_rail), ContainsSubstring("cannot reach"));
  CHECK(map.rail_wired(first));
}

// Two 200G ports a GPU, one on each plane; 60 uplinks of 400G a plane.
TEST_CASE("families: both leaves of a dual ToR carry a GPU's traffic", "[network]") {
  const FabricMap map(shipped("dual-tor-200g", "hgx-h800-2x200g", 2048), 1);
  CHECK_THAT(map.nic_bandwidth(map.nic(0)), WithinRel(link_rate, 1e-12));
  const int first = map.leaf_of_nic(map.nic(0)), other = map.leaf_of_nic(map.nic(1024));
  CHECK(map.switches_between(first, other) == 3);
  CHECK_THAT(map.pair_bandwidth(first, other), WithinRel(2 * 60 * link_rate, 1e-12));
}

TEST_CASE("families: leaves that take whole nodes leave nothing to gain by changing the rail", "[network]") {
  const FabricMap map(shipped("roce-tor-chassis", "hgx-h100", 3072), 1);
  CHECK_FALSE(map.rail_wired(map.leaf_of_nic(map.nic(0))));
  CHECK(map.leaf_of_nic(map.nic(0)) == map.leaf_of_nic(map.nic(15)));
  CHECK(map.switches_between(map.leaf_of_nic(map.nic(0)), map.leaf_of_nic(map.nic(16))) == 3);
}

}  // namespace railyard
