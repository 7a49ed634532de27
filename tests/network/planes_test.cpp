// SPDX-License-Identifier: Apache-2.0
// A design of several planes as traffic sees it: one fabric of their added speeds.
#include "base/diagnostic.h"
#include "sim/network/fabric_map.h"
#include "tests/catch.h"
#include "tests/network/fixtures.h"
#include "topologies/design.h"

namespace railyard {
namespace {

struct Planes {
  Parts parts = load_parts(RAILYARD_SOURCE_DIR "/topologies/parts");
  Design design = load_design(RAILYARD_SOURCE_DIR "/topologies/designs", "spectrum-x-dual-plane");
  Fabric fabric;

  /// The shipped dual-plane design, or the same with the first port of every GPU alone.
  explicit Planes(int planes, int gpus) : fabric(build(planes, gpus)) {}

 private:
  Fabric build(int planes, int gpus) {
    ServerPart server = parts.server("hgx-b300-2x400g");
    design.planes = planes;
    if (planes == 1) {
      parts.nics["connectx-8-2x400g"].ports = 1;
      server.ports_per_cage = 1;
      design.node_modules = {"osfp-rhs-400g-sr4"};
    }
    return build_fabric(design, parts, server, gpus);
  }
};

}  // namespace

TEST_CASE("planes: switches are counted once, speeds are added", "[network]") {
  const int gpus = GENERATE(64, 1024);  // one switch; two tiers
  const Planes two(2, gpus), one(1, gpus);
  const FabricMap twin(two.fabric, 1), single(one.fabric, 1);
  CHECK(twin.nics() == gpus);
  CHECK(twin.leaves() == single.leaves());
  CHECK(twin.groups() == single.groups());
  CHECK(twin.planes() == single.planes());
  CHECK(twin.nic_bandwidth(twin.nic(3)) == 2 * link_rate);
  CHECK(twin.leaf_of_nic(twin.nic(3)) == single.leaf_of_nic(single.nic(3)));
  for (int leaf = 1; leaf < twin.leaves(); ++leaf) {
    REQUIRE(twin.switches_between(0, leaf) == single.switches_between(0, leaf));
    REQUIRE(twin.pair_bandwidth(0, leaf) == 2 * single.pair_bandwidth(0, leaf));
  }
}

TEST_CASE("planes: a GPU that loses one port keeps the other", "[network]") {
  const Planes two(2, 128);
  const LinkId port_a = two.fabric.nic_link(9, 0), port_b = two.fabric.nic_link(9, 1);
  for (const LinkId lost : {port_a, port_b}) {
    const FabricMap map(two.fabric.without(std::vector{lost}), 1);
    CHECK(map.nic_bandwidth(map.nic(9)) == link_rate);
    CHECK(map.nic_bandwidth(map.nic(8)) == 2 * link_rate);
  }
  const FabricMap map(two.fabric.without(std::vector{port_a, port_b}), 1);
  CHECK_THROWS_AS(map.nic(9), InputError);
}

TEST_CASE("planes: large transfers between nodes are twice as fast on two", "[network]") {
  const Planes two(2, 128), one(1, 128);
  const GroupLayout one_rail{.size = 16, .stride = 8};
  const Bytes large = 1e9 * byte;
  const SmallProfile fast{.ring_gb = 1e6, .link_gb = 1e6};
  const double on_two = bus_gigabytes(make_network(two.fabric, fast), Collective::all_reduce, large, one_rail);
  const double on_one = bus_gigabytes(make_network(one.fabric, fast), Collective::all_reduce, large, one_rail);
  CHECK_THAT(on_two, WithinRel(2 * on_one, 1e-9));
}

}  // namespace railyard
