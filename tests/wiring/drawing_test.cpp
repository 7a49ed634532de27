// SPDX-License-Identifier: Apache-2.0
// Drawings tell the counts of the graph, and stay small whatever the size.
#include "sim/report/fabric_svg/fabric_svg.h"
#include "tests/catch.h"
#include "tests/wiring/planned_cluster.h"
#include "topologies/exchange/xml_reader.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// Elements by name, and all texts.
struct Elements {
  std::map<std::string, int> count;
  std::string texts;
};

struct Gatherer : XmlHandler {
  Elements elements;
  void start(std::string_view name, const XmlAttributes&) override { ++elements.count[std::string(name)]; }
  void characters(std::string_view text) override { elements.texts += text; }
  void end(std::string_view) override { elements.texts += "\n"; }
};

Elements elements_of(const std::string& svg) {
  Gatherer gatherer;
  read_xml(svg, "drawing.svg", gatherer);
  return gatherer.elements;
}

}  // namespace

TEST_CASE("tier diagram: counts, speeds and ratios as wired", "[wiring]") {
  const PlannedCluster cluster("ndr-rail", "h100", 1024);
  const std::string svg = tier_diagram_svg(cluster.wiring());
  const Elements elements = elements_of(svg);
  for (const char* text : {"ndr-rail: 1 024 GPUs in 128 nodes", "32 leaves", "16 spines", "1 024 links of 400 Gb/s",
                           "32 up from each leaf", "1 : 1 down to up, as wired", "pod 4", "qm9700, 64 ports"}) {
    CHECK_THAT(elements.texts, ContainsSubstring(text));
  }
  // 4 pods of nodes to 4 of leaves, each to the one group of spines.
  CHECK(elements.count.at("line") == 4 + 4);
  CHECK(svg == tier_diagram_svg(cluster.wiring()));
}

TEST_CASE("tier diagram: pods alike are drawn a few times and counted", "[wiring]") {
  const PlannedCluster cluster("ndr-rail", "h100", 16384);
  const std::string svg = tier_diagram_svg(cluster.wiring());
  const Elements elements = elements_of(svg);
  for (const char* text : {"2 048 nodes", "512 leaves", "512 spines", "256 cores", "pod 64", "58", "more alike"}) {
    CHECK_THAT(elements.texts, ContainsSubstring(text));
  }
  CHECK(svg.size() < 60'000);
}

TEST_CASE("rack elevations: every rack in the hall, one of each kind from the front", "[wiring]") {
  const PlannedCluster cluster("ndr-rail", "h100", 1024);
  const std::string svg = rack_elevations_svg(cluster.wiring());
  const Elements elements = elements_of(svg);
  CHECK(elements.count.at("rect") > static_cast<int>(cluster.floor.racks().size()));
  for (const char* text : {"site air-40kw", "pod001-node001", "The hall from above"}) {
    CHECK_THAT(elements.texts, ContainsSubstring(text));
  }
  for (const Rack& rack : cluster.floor.racks()) CHECK_THAT(elements.texts, ContainsSubstring(rack.name));
}
