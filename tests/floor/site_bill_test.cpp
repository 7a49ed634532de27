// SPDX-License-Identifier: Apache-2.0
// What a floor plan does to a bill and its price.
#include "pricing/capex.h"
#include "tests/catch.h"
#include "tests/floor/fixture.h"

namespace railyard {
namespace {

const PriceBook& book() {
  static const PriceBook newest = load_price_book(test::source_dir + "/pricing/books", "2026-09");
  return newest;
}

// 48 $ and 2.6 $/m: 30 m of single-mode fibre are 126 $, of 100 m 308 $, the book's typical piece.
TEST_CASE("price: fibre is priced by the length bought", "[floor]") {
  const Price& fibre = book().price("mpo12-singlemode");
  CHECK(fibre.of(30 * metre).value.typical.in(dollar) == Approx(126));
  CHECK(fibre.of(100 * metre).value.typical == fibre.each.value.typical);
  CHECK(fibre.of(std::nullopt).value == fibre.each.value);
  // Copper has no law of length: a piece is a piece.
  CHECK(book().price("dac-800g-twin").of(2 * metre).value == book().price("dac-800g-twin").each.value);
}

TEST_CASE("price: a bill of a floor plan has a line a length, priced by it", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 1024);
  const CableSchedule schedule = cluster.schedule(part_cost(book(), "infiniband"));
  const BillOfMaterials bill = list_parts(cluster.fabric, cluster.design, cluster.parts, cluster.server, 128, schedule);
  const Capex capex = price_bill(bill, book(), cluster.parts, 1024, 128);
  int lines = 0;
  for (const CapexLine& line : capex.lines) {
    if (line.length == Metres{}) continue;
    ++lines;
    CHECK(line.category == "cable");
    if (line.part != "mpo12-multimode") continue;
    CHECK(line.unit.typical.in(dollar) == Approx(48 + 2.6 * line.length.in(metre)));
    CHECK(line.label == "MPO-12 fibre, multimode, " + std::to_string(static_cast<int>(line.length.in(metre))) + " m");
  }
  CHECK(lines >= 3);
}

// Branded modules are dear, so copper that reaches is cheaper than two modules and fibre; what is chosen costs less
// than the design's plan of 126 $ for every fibre.
TEST_CASE("price: real lengths and media cost less than the planning lengths", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 1024);
  const CableSchedule schedule = cluster.schedule(part_cost(book(), "infiniband"));
  const auto network = [&](const BillOfMaterials& bill) {
    return price_bill(bill, book(), cluster.parts, 1024, 128).network().typical;
  };
  CHECK(network(list_parts(cluster.fabric, cluster.design, cluster.parts, cluster.server, 128, schedule)) <
        network(list_parts(cluster.fabric, cluster.design, cluster.parts, cluster.server, 128)));
}

TEST_CASE("price: populate full fills the empty cages of a schedule too", "[floor]") {
  Design design = test::shipped_design("ndr-rail");
  design.populate_full = true;
  const test::PlannedCluster cluster(design, "dgx-h100", test::shipped_site("air-40kw"), 1008);
  const CableSchedule schedule = cluster.schedule(part_cost(book(), "infiniband"));
  const BillOfMaterials bill = list_parts(cluster.fabric, cluster.design, cluster.parts, cluster.server, 126, schedule);
  // 48 switches of 32 cages, all filled with the multimode module.
  CHECK(bill.counts.leaf_modules + bill.counts.spine_modules == 48 * 32);
}

}  // namespace
}  // namespace railyard
