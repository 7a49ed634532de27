// SPDX-License-Identifier: Apache-2.0
// Switch and link counts against published tables and hand derivations.
#include <fstream>
#include <map>
#include <sstream>

#include "tests/catch.h"
#include "tests/topologies/fixture.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// A row of reference_counts.csv by the names of its columns. Rows that cannot be tested say why.
using ReferenceRow = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line + ",");
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<ReferenceRow> reference_rows() {
  std::ifstream file(source_dir + "/tests/topologies/reference_counts.csv");
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> columns = cells_of(line);
  std::vector<ReferenceRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == columns.size());
    ReferenceRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i]] = cells[i];
  }
  return rows;
}

std::vector<int> counts_of(const Fabric& fabric) {
  const auto devices = [&](DeviceKind kind) { return static_cast<int>(fabric.count(kind)); };
  const auto links = [&](Layer layer) { return static_cast<int>(fabric.count(layer)); };
  return {fabric.shape().tiers,    devices(DeviceKind::leaf), devices(DeviceKind::spine), devices(DeviceKind::core),
          links(Layer::node_leaf), links(Layer::leaf_spine),  links(Layer::spine_core)};
}

std::vector<int> counts_of(const Design& design, std::string_view server, int gpus) {
  return counts_of(build_fabric(design, shipped_parts(), shipped_parts().server(server), gpus));
}

/// The fabric that a row describes; a radix of its own stands for an invented switch.
Fabric fabric_of(const ReferenceRow& row) {
  Parts parts = shipped_parts();
  Design design = shipped_design(row.at("design"));
  design.ufm = row.at("ufm") == "1";
  if (!design.leaf_ports) design.oversubscription = std::stod(row.at("oversubscription"));
  if (!row.at("radix").empty()) {
    SwitchPart box = parts.switch_part(design.switch_id);
    box.cages = std::stoi(row.at("radix")) / box.ports_per_cage;
    parts.switches[design.switch_id] = box;
  }
  return build_fabric(design, parts, parts.server(row.at("server")), std::stoi(row.at("gpus")));
}

}  // namespace

TEST_CASE("fat tree: every published row comes out, links included, or says why not", "[topologies]") {
  int tested = 0, official = 0;
  for (const ReferenceRow& row : reference_rows()) {
    INFO(row.at("title"));
    if (row.at("leaf").empty()) {
      CHECK(!row.at("why_not_tested").empty());
      if (!row.at("design").empty()) CHECK_THROWS_AS(fabric_of(row), InputError);
      continue;
    }
    std::vector<int> expected;
    for (const char* column : {"tiers", "leaf", "spine", "core", "node_leaf", "leaf_spine", "spine_core"}) {
      expected.push_back(std::stoi(row.at(column)));
    }
    std::vector<int> counts = counts_of(fabric_of(row));
    // The table of B300 counts one cable for two 400G links.
    for (std::size_t i = 4; i < counts.size(); ++i) counts[i] /= std::stoi(row.at("links_per_cable"));
    CHECK(counts == expected);
    ++tested;
    official += row.at("confidence").starts_with("official") ? 1 : 0;
  }
  CHECK(tested == 50);
  CHECK(official == 20);
}

// Non-blocking: leaves = 2G/k, three tiers as many spines, G/k cores; each layer has G links.
TEST_CASE("fat tree: the clusters of 1k to 16k GPUs", "[topologies]") {
  const auto ndr = shipped_design("ndr-rail"), roce = shipped_design("roce-51t-rail");
  using Counts = std::vector<int>;
  CHECK(counts_of(ndr, "hgx-h100", 64) == Counts{1, 1, 0, 0, 64, 0, 0});
  CHECK(counts_of(ndr, "hgx-h100", 1024) == Counts{2, 32, 16, 0, 1024, 1024, 0});
  CHECK(counts_of(ndr, "hgx-h100", 8192) == Counts{3, 256, 256, 128, 8192, 8192, 8192});
  CHECK(counts_of(ndr, "hgx-h100", 16384) == Counts{3, 512, 512, 256, 16384, 16384, 16384});
  CHECK(counts_of(roce, "mi300x-server", 8) == Counts{1, 1, 0, 0, 8, 0, 0});
  CHECK(counts_of(roce, "mi300x-server", 64) == Counts{1, 1, 0, 0, 64, 0, 0});
  CHECK(counts_of(roce, "mi300x-server", 128) == Counts{1, 1, 0, 0, 128, 0, 0});
  CHECK(counts_of(roce, "mi300x-server", 1024) == Counts{2, 16, 8, 0, 1024, 1024, 0});
  CHECK(counts_of(roce, "mi300x-server", 8192) == Counts{2, 128, 64, 0, 8192, 8192, 0});
  CHECK(counts_of(roce, "mi300x-server", 16384) == Counts{3, 256, 256, 128, 16384, 16384, 16384});
}

// 384 nodes are 12 pods: 96 leaves in 3 groups of 32, so 3 x 32 spines; a plane has 3 spines with 32 uplinks each, 1.5
// switches' worth, and 2 divides 32: 32 planes x 2 cores.
TEST_CASE("fat tree: 3072 GPUs on 64 ports are 96 leaves, 96 spines, 64 cores", "[topologies]") {
  CHECK(counts_of(shipped_design("ndr-rail"), "hgx-h100", 3072) == std::vector<int>{3, 96, 96, 64, 3072, 3072, 3072});
}

// 2304 GPUs are 9 pods: groups of 32, 32 and 8 leaves. The last needs 8 x 32 / 32 = 8 spines. Planes 0 to 7 have 3
// spines (96 uplinks: 2 cores), planes 8 to 31 have 2 (64 uplinks: 1 core): 16 + 24 cores.
TEST_CASE("fat tree: a group of few leaves has few spines, and only their planes grow", "[topologies]") {
  CHECK(counts_of(shipped_design("ndr-rail"), "hgx-h100", 2304) == std::vector<int>{3, 72, 72, 40, 2304, 2304, 2304});
}

// 128 ports: 8 rails of 32 leaves (16 384 GPUs), each group 32 leaves x 64 uplinks / 64 = 32 spines; 32 planes of 8
// spines x 64 uplinks / 128 = 4 cores.
TEST_CASE("fat tree: three tiers may group spines by rail", "[topologies]") {
  Design design = shipped_design("roce-51t-rail");
  design.spine_group_by_rail = true;
  const Fabric fabric = build_fabric(design, shipped_parts(), shipped_parts().server("mi300x-server"), 16384);
  CHECK(counts_of(fabric) == std::vector<int>{3, 256, 256, 128, 16384, 16384, 16384});
  for (const Link& link : fabric.links()) {
    if (link.layer == Layer::leaf_spine) REQUIRE(fabric.device(link.lower).rail == fabric.device(link.upper).group);
  }
}

TEST_CASE("fat tree: spines are the smallest divisor of the uplinks that offers enough ports", "[topologies]") {
  CHECK(spine_count(32, 768, 64) == 16);  // DGX SuperPOD H100, 3 SU: 16, where plain rounding up gives 12
  CHECK(spine_count(32, 1024, 64) == 16);
  CHECK(spine_count(32, 256, 64) == 4);
  CHECK(spine_count(16, 512, 64) == 8);  // SemiAnalysis, 1024 GPUs at 2:1
  CHECK(spine_count(21, 64, 64) == 1);
  CHECK(spine_count(21, 65, 64) == 3);
  CHECK(spine_count(4, 5 * 64, 64) == 0);
}

TEST_CASE("fat tree: a pod that is partly filled is wired in full above its leaves", "[topologies]") {
  const Design design = shipped_design("ndr-rail");
  const Fabric fabric = build_fabric(design, shipped_parts(), shipped_parts().server("hgx-h100"), 264);
  CHECK(counts_of(fabric) == std::vector<int>{2, 16, 8, 0, 264, 512, 0});  // 33 nodes: 32 and 1
  CHECK(fabric.shape().pods == 2);
  Design full = design;
  full.fill_unit = true;
  CHECK(counts_of(full, "hgx-h100", 264) == std::vector<int>{2, 16, 8, 0, 512, 512, 0});
  full.ufm = true;  // the node that UFM displaces is not filled in: 63 nodes and 4 ends
  CHECK(counts_of(full, "hgx-h100", 264) == std::vector<int>{2, 16, 8, 0, 508, 512, 0});
}

// d node ports and ceil(d / ratio) uplinks share the ports of a leaf.
TEST_CASE("fat tree: oversubscription", "[topologies]") {
  Design design = shipped_design("ndr-rail");
  design.oversubscription = 2;
  // SemiAnalysis, AI Neocloud Playbook, 2024-10: 1024 H100 at 2:1 have 8 spines, 32 leaves and so 512 leaf-spine links.
  CHECK(counts_of(design, "hgx-h100", 1024) == std::vector<int>{2, 32, 8, 0, 1024, 512, 0});
  design.oversubscribed_by = OversubscribedBy::more_downlinks;
  // 42 + 21 of 64 ports; 128 nodes are 4 pods, 32 leaves x 21 uplinks / 64 = 10.5, and 21 is the next divisor.
  CHECK(counts_of(design, "hgx-h100", 1024) == std::vector<int>{2, 32, 21, 0, 1024, 672, 0});
  design.oversubscription = 3;  // 48 + 16: 3 pods, 24 x 16 / 64 = 6, and 8 divides 16
  CHECK(counts_of(design, "hgx-h100", 1024) == std::vector<int>{2, 24, 8, 0, 1024, 384, 0});
  // AMD recommends 16 % more uplinks than downlinks: 59 node ports need 68.44 uplinks, 69; 60 would need 70, 130 ports.
  Design amd = shipped_design("roce-51t-rail");
  amd.oversubscription = 1 / 1.16;
  const FabricShape shape = build_fabric(amd, shipped_parts(), shipped_parts().server("mi300x-server"), 1024).shape();
  CHECK(shape.nodes_per_pod == 59);
  CHECK(shape.uplinks_per_leaf == 69);
}

TEST_CASE("fat tree: reserved ports of a leaf stay free", "[topologies]") {
  Design design = shipped_design("ndr-rail");
  design.reserved_ports = 4;  // 30 + 30: 32 nodes are two pods; 16 x 30 / 64 = 7.5, and 10 divides 30
  const Fabric fabric = build_fabric(design, shipped_parts(), shipped_parts().server("hgx-h100"), 256);
  CHECK(counts_of(fabric) == std::vector<int>{2, 16, 10, 0, 256, 480, 0});
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const DeviceId id{static_cast<std::uint32_t>(i)};
    if (fabric.device(id).kind == DeviceKind::leaf) REQUIRE(fabric.links_of(id).size() <= 60);
  }
}

// Two tiers hold k^2/2 GPUs, three k^3/4; one switch holds k.
TEST_CASE("fat tree: the tiers end at k, k^2/2 and k^3/4 GPUs", "[topologies]") {
  const auto [radix, rails] =
      GENERATE(std::pair{4, 1}, std::pair{4, 2}, std::pair{8, 1}, std::pair{8, 2}, std::pair{8, 4});
  CAPTURE(radix, rails);
  const TinyCluster tiny(radix, rails, rails);
  const int two = radix * radix / 2, three = radix * radix * radix / 4;
  CHECK(tiny.build(radix).shape().tiers == 1);
  CHECK(tiny.build(radix + rails).shape().tiers == 2);
  CHECK(tiny.build(two).shape().tiers == 2);
  CHECK(tiny.build(two + rails).shape().tiers == 3);
  CHECK(counts_of(tiny.build(three)) ==
        std::vector<int>{3, 2 * three / radix, 2 * three / radix, three / radix, three, three, three});
  CHECK_THROWS_AS(tiny.build(three + rails), InputError);
}

TEST_CASE("fat tree: what does not fit is refused with the limit, the excess and what would work", "[topologies]") {
  const Parts& parts = shipped_parts();
  const ServerPart& server = parts.server("hgx-h100");
  Design design = shipped_design("ndr-rail");
  const auto message = [&](int gpus) { return message_of([&] { (void)build_fabric(design, parts, server, gpus); }); };
  CHECK(message(1001) ==
        "error: 1001 GPUs are no whole number of nodes: server 'hgx-h100' has 8, 1 too many\n"
        "   use 1000 GPUs, or 1008\n");
  CHECK(message(-8) ==
        "error: -8 GPUs are no whole number of nodes: server 'hgx-h100' has 8, 16 too few\n"
        "   use 8 GPUs\n");
  CHECK(message(70000) ==
        "error: design 'ndr-rail': 70000 GPUs do not fit 3 tiers of qm9700 with 64 ports: the limit is 65536 GPUs, "
        "4464 too "
        "many\n   use 65536 GPUs; or oversubscription: 1.5 with oversubscribed_by: more-downlinks\n");
  design.tiers = 1;
  CHECK(message(72) ==
        "error: design 'ndr-rail': 72 GPUs do not fit one switch of qm9700 with 64 ports: the limit is 64 GPUs, 8 too "
        "many\n"
        "   use 64 GPUs; or tiers: 2\n");
  design.tiers = 0;
  design.ufm = true;
  CHECK(message(256) ==
        "error: design 'ndr-rail': 256 GPUs and the 4 UFM ends do not fit one pod of 32 nodes: there is room for 248 "
        "GPUs, "
        "8 too "
        "many\n   use 248 GPUs, or 264, which takes another pod\n");
  CHECK(message(1024) ==
        "error: design 'ndr-rail': 1024 GPUs and the 4 UFM ends do not fit 4 pods of 32 nodes: there is room for 1016 "
        "GPUs, "
        "8 too "
        "many\n   use 1016 GPUs, or 1032, which takes another pod\n");
  CHECK(message(8) == "nothing thrown");
  // What the messages advise works: 33 nodes are two pods of 32, so 31 places of the second are free for the ends.
  for (const int gpus : {248, 264, 1016, 1032}) CHECK(message(gpus) == "nothing thrown");
  CHECK(build_fabric(design, shipped_parts(), shipped_parts().server("hgx-h100"), 264).shape().pods == 2);
  design.ufm = false;
  design.reserved_ports = 64;
  CHECK(
      message(8) ==
      "error: design 'ndr-rail': 8 GPUs do not fit 3 tiers of qm9700 with 64 ports: the limit is 0 GPUs, 8 too many: a "
      "leaf has 0 ports left and needs 2, 2 too few\n   use at most 62 reserved_ports\n");
}
