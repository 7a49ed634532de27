// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "tests/catch.h"
#include "tests/floor/fixture.h"

namespace railyard {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string shipped_text() { return read_file(test::source_dir + "/topologies/sites/air-40kw.yaml"); }

Site read(const std::string& text) { return read_site(YamlDocument::parse(text, "air-40kw.yaml")); }

TEST_CASE("site: every shipped one is read and named as its file", "[floor]") {
  const std::vector<std::string> names = site_names(test::source_dir + "/topologies/sites");
  CHECK(names == std::vector<std::string>{"air-15kw", "air-40kw", "liquid-135kw"});
  for (const std::string& name : names) {
    const Site site = test::shipped_site(name);
    CHECK(site.id == name);
    CHECK(site.rack.power.value.low > Watts{});
    CHECK(site.stock.size() == 5);
  }
}

TEST_CASE("site: an unknown name is told with the nearest", "[floor]") {
  const std::string message = message_of([] { (void)test::shipped_site("air-40k"); });
  CHECK(message ==
        "error: unknown site 'air-40k'\n   expected one of: air-15kw, air-40kw, liquid-135kw; did you "
        "mean 'air-40kw'?\n");
}

TEST_CASE("site: mistakes are told at their place", "[floor]") {
  const auto told = [](const std::string& from, const std::string& to) {
    return message_of([&] { (void)read(replaced(shipped_text(), from, to)); });
  };
  CHECK(told("reserved_units: 4", "reserved_units: 48").find("rack.reserved_units: leaves no rack unit free") !=
        std::string::npos);
  CHECK(told("places: 2, source", "places: 20, source").find("network.places: leaves no place in a row for nodes") !=
        std::string::npos);
  CHECK(told("[0.5 m, 1 m, 1.5 m", "[0.5 m, 1.5 m, 1 m").find("expected lengths in ascending order") !=
        std::string::npos);
  CHECK(told("leaves: own-racks", "leaves: own-rack").find("did you mean 'own-racks'?") != std::string::npos);
  CHECK(told("  units: 48", "  unts: 48").find("did you mean 'units'?") != std::string::npos);
  CHECK(told("value: 17 kg", "value: 17 kW").find("expected a mass with its unit") != std::string::npos);
  CHECK(told("low: 600 mm", "low: 600 km").find("expected a length from 0.01 m to 100 m") != std::string::npos);
}

TEST_CASE("site: measured routes are read", "[floor]") {
  const Site site = read(shipped_text() + "measured:\n  - {from: A01, to: A05, length: 6.5 m}\n");
  REQUIRE(site.measured.size() == 1);
  CHECK(site.measured[0].from == "A01");
  CHECK(site.measured[0].length.in(metre) == 6.5);
}

// Server 14.3 kW and eight modules of 9 W: 14.37 kW of 12.
TEST_CASE("site: a server that draws more than a rack is told with the excess and what fits", "[floor]") {
  Site site = test::round_site();
  site.rack.power.value = {12 * kilowatt, 12 * kilowatt, 12 * kilowatt};
  const std::string message = message_of([&] { (void)test::PlannedCluster("ndr-rail", "hgx-b200", site, 64); });
  CHECK(message ==
        "error: site 'round': server 'hgx-b200' draws up to 14.37 kW with its modules, 2.372 kW more than "
        "the 12 kW of a rack\n   choose a site whose racks hold it, or take a server that fits: hgx-h100, "
        "dgx-h100, hgx-h200, hgx-h800, hgx-h20\n");
}

TEST_CASE("site: a server heavier or higher than a rack is told with the excess", "[floor]") {
  Site light = test::round_site();
  light.rack.weight.value = {120 * kilogram, 120 * kilogram, 120 * kilogram};
  CHECK(message_of([&] { (void)test::PlannedCluster("ndr-rail", "dgx-h100", light, 64); })
            .starts_with("error: site 'round': server 'dgx-h100' weighs up to 130.4 kg, 10.45 kg more than the 120 kg "
                         "of a rack\n"));
  Site low = test::round_site();
  low.rack.units = 9;
  CHECK(message_of([&] {
          (void)test::PlannedCluster("ndr-rail", "dgx-h100", low, 64);
        }).starts_with("error: site 'round': server 'dgx-h100' is 8 U high, 1 U more than the 7 U of a rack\n"));
}

TEST_CASE("site: findings tell head-room, or why there is no plan", "[floor]") {
  const Design design = test::shipped_design("ndr-rail");
  const Parts& parts = test::shipped_parts();
  const ServerPart& server = parts.server("dgx-h100");
  const Fabric fabric = build_fabric(design, parts, server, 256);
  Site site = test::shipped_site("air-40kw");
  const std::vector<FloorFinding> findings = floor_findings(fabric, design, parts, server, site);
  REQUIRE(findings.size() == 3);
  CHECK(findings[0].check == "rack power");
  CHECK(findings[0].text == "rack A01 has 41.072 of 42 kW, 0.928 kW free");
  CHECK(findings[1].used == Approx(4 * 130.45));
  CHECK_FALSE(findings[0].fault);
  site.rack.power.value = {5 * kilowatt, 5 * kilowatt, 5 * kilowatt};
  const std::vector<FloorFinding> none = floor_findings(fabric, design, parts, server, site);
  REQUIRE(none.size() == 1);
  CHECK(none[0].fault);
  CHECK(none[0].text.find("5.268 kW more than the 5 kW of a rack") != std::string::npos);
}

TEST_CASE("design: an alternative with an unknown part is told with its place and the nearest name", "[floor]") {
  Design design = test::shipped_design("ndr-rail");
  design.media[index_of(Layer::leaf_spine)].alternatives[0].cable = "dac-800g-twins";
  const std::vector<Diagnostic> faults = design_faults(design, test::shipped_parts());
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].path == "media.leaf_spine.alternatives[0].cable");
  CHECK(faults[0].message == "unknown cable 'dac-800g-twins'");
  CHECK(faults[0].expected.find("did you mean 'dac-800g-twin'?") != std::string::npos);
}

// Multimode ends at 50 m: a single-mode module as alternative on multimode fibre fits nothing.
TEST_CASE("design: an alternative whose module and fibre differ is refused with the reason", "[floor]") {
  Design design = test::shipped_design("ndr-rail");
  design.media[index_of(Layer::leaf_spine)].alternatives = {
      {"mpo12-multimode", {"osfp-800g-2xdr4"}, "osfp-800g-2xdr4"}};
  const test::PlannedCluster cluster(design, "hgx-h100", test::shipped_site("air-40kw"), 1024);
  const CableSchedule schedule =
      cluster.schedule([](std::string_view, std::optional<Metres>) { return std::optional<double>(); });
  REQUIRE(schedule.refused().size() == 1);
  CHECK(schedule.refused()[0] ==
        "design 'ndr-rail', leaf-spine links: module 'osfp-800g-2xdr4' is singlemode, but cable 'mpo12-multimode' is "
        "multimode");
}

}  // namespace
}  // namespace railyard
