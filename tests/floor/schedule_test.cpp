// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/floor/fixture.h"

namespace railyard {
namespace {

/// Fibre 10 + 1 a metre, modules 100 at nodes and 200 at switches, copper as told. Parts without a price are none.
PartCost costs(double passive, double active, double singlemode_module = 500) {
  return [=](std::string_view part, std::optional<Metres> length) -> std::optional<double> {
    if (part.starts_with("dac-")) return passive;
    if (part.starts_with("lacc-")) return active;
    if (part.starts_with("mpo12-")) return 10 + length.value().in(metre);
    if (part.ends_with("dr4")) return singlemode_module;
    return part.starts_with("osfp-rhs") ? 100 : 200;
  };
}

/// Eight nodes of one switch: all in one row, in racks of four nodes with the leaf in a rack of its own in the middle.
test::PlannedCluster eight_nodes() {
  Site site = test::round_site();
  site.rack.most_nodes = 4;
  return {"ndr-rail", "hgx-h100", site, 64};
}

// Nodes of 8 U fill units 1 to 32 of a rack from the floor; the leaf is at unit 40 of A02, between A01 and A03. Middle
// of node i: 8 i + 4 U; of the leaf 39.5 U. Racks of 42 U, trays 1 m above, 1 m to the next rack, 1 m of slack in all:
//   (42 - 4 - 8 i + 2.5) U + 2 + 1 + 1 = (40.5 - 8 i) U + 4 m: 5.80, 5.44, 5.09, 4.73 m.
// Active copper reaches 5 m: for the top node of each rack alone. 16 links of 8 cages a node: the two ports of a leaf's
// cage lead to one node (8 rails in order), so each node has four cables of two links.
TEST_CASE("schedule: media by reach and cost, as a hand finds them", "[floor]") {
  const test::PlannedCluster cluster = eight_nodes();
  REQUIRE(cluster.plan.racks().size() == 3);
  const Fabric& fabric = cluster.fabric;
  const DeviceId leaf{8};
  REQUIRE(fabric.device(leaf).kind == DeviceKind::leaf);
  CHECK(cluster.plan.rack_of(leaf).name == "A02");
  CHECK(cluster.plan.place(leaf).bottom == 40);
  // Fibre costs a cage of the leaf 200 + 2 x (100 + 10 + 7) = 434 at 7 m, 430 at 5 m; active copper 400 a pair.
  const CableSchedule schedule = cluster.schedule(costs(300, 400));
  const std::vector<CableBin> bins = cable_bins(schedule);
  REQUIRE(bins.size() == 2);
  CHECK(bins[0].part == "lacc-800g-2x400g");
  CHECK(bins[0].stock.in(metre) == 5);
  CHECK(bins[0].cables == 2 * 4);
  CHECK(bins[0].longest.in(metre) == Approx(16.5 * 0.04445 + 4));
  CHECK(bins[1].part == "mpo12-multimode");
  CHECK(bins[1].stock.in(metre) == 7);
  CHECK(bins[1].cables == 6 * 8);
  CHECK(bins[1].longest.in(metre) == Approx(40.5 * 0.04445 + 4));
  CHECK(schedule.choices()[schedule.cables().back().choice].rule == "cheapest of 3 media in reach");
  // At 431 a pair it is dearer than fibre.
  const std::vector<CableBin> dearer = cable_bins(cluster.schedule(costs(300, 431)));
  REQUIRE(dearer.size() == 2);
  CHECK(dearer[0].part == "mpo12-multimode");
  CHECK(dearer[0].stock.in(metre) == 5);
  CHECK(dearer[0].cables == 2 * 8);
}

// Single-mode with modules cheaper than multimode's wins everywhere, although fibre costs the same.
TEST_CASE("schedule: modules decide where fibre does not", "[floor]") {
  const test::PlannedCluster cluster = eight_nodes();
  const CableSchedule schedule = cluster.schedule(costs(300, 1000, 99));
  for (const CableBin& bin : cable_bins(schedule)) CHECK(bin.part == "mpo12-singlemode");
}

TEST_CASE("schedule: at equal cost the design's own media stay", "[floor]") {
  const test::PlannedCluster cluster = eight_nodes();
  const CableSchedule schedule = cluster.schedule([](std::string_view, std::optional<Metres>) { return 1.0; });
  // Copper needs one piece for two links, fibre five: it is cheaper where it reaches. Between the fibres it is a tie.
  for (const CableBin& bin : cable_bins(schedule)) CHECK(bin.part != "mpo12-singlemode");
}

TEST_CASE("schedule: without prices the design's own media are taken", "[floor]") {
  const test::PlannedCluster cluster = eight_nodes();
  const CableSchedule schedule =
      cluster.schedule([](std::string_view, std::optional<Metres>) { return std::optional<double>(); });
  for (const Cable& cable : schedule.cables()) CHECK(schedule.choice_of(cable).cable->id == "mpo12-multimode");
  CHECK(schedule.choices().front().rule == "the design's own of 2 media in reach, without prices");
}

TEST_CASE("schedule: a medium without a price gives way to one that has it", "[floor]") {
  const test::PlannedCluster cluster = eight_nodes();
  const PartCost cost = [](std::string_view part, std::optional<Metres>) -> std::optional<double> {
    return part == "osfp-800g-2xsr4" ? std::nullopt : std::optional(1000.0);
  };
  for (const CableBin& bin : cable_bins(cluster.schedule(cost))) CHECK(bin.part != "mpo12-multimode");
}

// DGX servers have cages of two ports that lead to two leaves: a plug with two legs cannot serve them.
TEST_CASE("schedule: copper is left out where the ports of a cage part", "[floor]") {
  Site site = test::round_site();
  site.rack.most_nodes = 4;
  const test::PlannedCluster cluster("ndr-rail", "dgx-h100", site, 1024);
  for (const CableBin& bin : cable_bins(cluster.schedule(costs(1, 1)))) {
    if (bin.layer == Layer::node_leaf) CHECK(bin.medium == "multimode");
  }
}

TEST_CASE("schedule: an alternative whose ends do not fit is told, not used", "[floor]") {
  const test::PlannedCluster cluster("roce-51t-rail", "mi300x-server", test::shipped_site("air-40kw"), 256);
  const CableSchedule schedule = cluster.schedule(costs(1, 1));
  REQUIRE(schedule.refused().size() == 2);
  CHECK(schedule.refused()[0] ==
        "design 'roce-51t-rail', node-leaf links: connector osfp-rhs of cable 'dac-800g-2x400g' against qsfp112 of "
        "server 'mi300x-server'");
}

// Appliances have one port and a module of their own; copper cannot serve them, and their fibre ends in it.
TEST_CASE("schedule: appliances keep fibre and their own module", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 248, true);
  const CableSchedule schedule = cluster.schedule(costs(1, 1));
  int managers = 0;
  for (std::uint32_t i = 0; i < cluster.fabric.links().size(); ++i) {
    if (cluster.fabric.device(cluster.fabric.links()[i].lower).kind != DeviceKind::manager) continue;
    ++managers;
    const CableChoice& choice = schedule.choice_of(LinkId{i});
    CHECK(choice.cable->needs_modules);
    REQUIRE(choice.lower_module != nullptr);
    CHECK(choice.lower_module->id == cluster.design.manager_module);
  }
  CHECK(managers == 4);
}

// Rows 30 m apart: the racks of the last pod are beyond the 50 m of multimode, and the design is given nothing else.
TEST_CASE("schedule: what nothing reaches is told with length, reach and excess", "[floor]") {
  Site site = test::round_site();
  site.hall.cold_aisle.value = site.hall.hot_aisle.value = {60 * metre, 60 * metre, 60 * metre};
  Design design = test::shipped_design("ndr-rail");
  for (LayerMedia& media : design.media) media.alternatives.clear();
  const test::PlannedCluster cluster(design, "hgx-h100", site, 1024);
  const std::string message = message_of([&] { (void)cluster.schedule(costs(1, 1)); });
  CHECK(message.starts_with("error: design 'ndr-rail' at site 'round', leaf-spine links: "));
  CHECK(message.find("but the longest reach is 50 m ('mpo12-multimode'), ") != std::string::npos);
  CHECK(message.ends_with(
      " m too little\n   add an alternative of longer reach to the design's media, or let racks stand closer\n"));
}

TEST_CASE("schedule: fibre beyond the stock is made to order in whole steps, within its reach", "[floor]") {
  Site site = test::round_site();
  site.hall.cold_aisle.value = site.hall.hot_aisle.value = {50 * metre, 50 * metre, 50 * metre};
  const test::PlannedCluster cluster("ndr-rail", "hgx-h100", site, 2048);
  bool beyond = false;
  for (const CableBin& bin : cable_bins(cluster.schedule(costs(1, 1)))) {
    if (bin.stock <= 200 * metre) continue;
    beyond = true;
    CHECK(bin.part == "mpo12-singlemode");
    CHECK(bin.stock / (50 * metre) == Approx(std::round(bin.stock / (50 * metre))));
    CHECK(bin.stock <= 500 * metre);
  }
  CHECK(beyond);
}

}  // namespace
}  // namespace railyard
