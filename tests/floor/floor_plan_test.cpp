// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/floor/fixture.h"

namespace railyard {
namespace {

// Four units, 127 nodes: 38 racks of the bill, 32 of them with the three power strips of a compute rack and 6 with the
// two of a management rack (96 + 12 strips). Here: 32 of nodes, 4 of leaves and the switches of storage and management,
// and 2 of spines and appliances. Management servers and storage are in none of ours.
TEST_CASE("floor plan: four units of DGX SuperPOD H100 stand in 38 racks", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "dgx-h100", test::shipped_site("air-40kw"), 1016, true);
  CHECK(cluster.plan.racks().size() == 38);
  CHECK(cluster.plan.count(RackKind::compute) == 32);
  CHECK(cluster.plan.count(RackKind::leaf) + cluster.plan.count(RackKind::network) == 6);
  // Four servers of 10.2 kW with four modules of 17 W: 41.07 of 42 kW.
  CHECK(cluster.plan.binding(RackKind::compute) == RackLimit::power);
  CHECK(cluster.plan.racks().front().power.in(kilowatt) == Approx(4 * (10.2 + 4 * 0.017)));
}

// Eight racks of four nodes and the rack of their leaves in the middle, as the units of SuperPOD H100 are drawn.
TEST_CASE("floor plan: the leaves of a pod stand between its nodes", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "dgx-h100", test::shipped_site("air-40kw"), 256);
  std::string names;
  for (const Rack& rack : cluster.plan.racks()) {
    if (rack.kind == RackKind::leaf) names += rack.name;
  }
  CHECK(names == "A05");
}

TEST_CASE("floor plan: rows are lettered past Z", "[floor]") {
  CHECK(row_name(0) == "A");
  CHECK(row_name(25) == "Z");
  CHECK(row_name(26) == "AA");
  CHECK(row_name(27) == "AB");
  CHECK(row_name(701) == "ZZ");
  CHECK(row_name(702) == "AAA");
}

}  // namespace
}  // namespace railyard
