// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/cable_lists.h"

#include <set>

#include "base/csv_scanner.h"
#include "tests/catch.h"
#include "tests/wiring/planned_cluster.h"
#include "tests/wiring/random_cluster.h"
#include "topologies/exchange/validation_files.h"

using namespace railyard;
using namespace railyard::test;

namespace {

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  const std::string name = "list.csv";
  CsvScanner scanner(text, name);
  std::vector<std::vector<std::string>> rows;
  for (std::vector<std::string> cells; scanner.next(cells);) rows.push_back(cells);
  return rows;
}

}  // namespace

TEST_CASE("cut sheet: a row for each cable, named by its switch port, with the links it carries", "[wiring]") {
  const auto [design, gpu, gpus] = GENERATE(table<const char*, const char*, int>(
      {{"ndr-rail", "h100", 512}, {"xdr-rail", "b300", 256}, {"spectrum-x-dual-plane", "b300", 256}}));
  CAPTURE(design, gpus);
  const PlannedCluster cluster(design, gpu, gpus);
  const auto rows = csv_rows(text_of(cut_sheet_of(cluster.wiring())));
  REQUIRE(rows.size() == cluster.cables.cables().size() + 1);
  std::set<std::string> names;
  std::size_t links = 0, optical_ends = 0, expected_ends = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    REQUIRE(rows[i].size() == rows[0].size());
    names.insert(rows[i][0]);
    links += std::stoul(rows[i][20]);
    optical_ends += (rows[i][6].empty() ? 0U : 1U) + (rows[i][12].empty() ? 0U : 1U);
    const CableChoice& choice = cluster.cables.choice_of(cluster.cables.cables()[i - 1]);
    expected_ends += choice.cable->needs_modules ? 2U : 0U;
  }
  CHECK(names.size() == cluster.cables.cables().size());
  CHECK(links == cluster.fabric.links().size());
  CHECK(optical_ends == expected_ends);
}

TEST_CASE("cut sheet: both labels name both ends, the near one first", "[wiring]") {
  const PlannedCluster cluster("ndr-rail", "h100", 64);
  const auto rows = csv_rows(text_of(cut_sheet_of(cluster.wiring())));
  CHECK(rows[1][0] == "pod001-leaf-01:1/1");
  CHECK(rows[1][7] == "pod001-node001:mlx5_0 > pod001-leaf-01:1/1");
  CHECK(rows[1][13] == "pod001-leaf-01:1/1 > pod001-node001:mlx5_0");
}

TEST_CASE("point-to-point: the columns that NVIDIA's tool reads, hosts of InfiniBand by port number", "[wiring]") {
  const NamedCluster cluster(TinyCluster(8, 2, 2), 16);
  const auto lines = lines_of(text_of(point_to_point_of(cluster.wiring())));
  REQUIRE(lines.size() == cluster.fabric.links().size() + 1);
  CHECK(lines[0] == "A-Rack,A-U,A-Node Name,A-Type,A-Port,Z-Rack,Z-RU,Z-Node Name,Z-Type,Z-Port");
  CHECK(lines[1] == ",,pod001-node001,Host,1,,,pod001-leaf-r1,Switch,1/1");
  CHECK(lines[2] == ",,pod001-node001,Host,2,,,pod001-leaf-r2,Switch,1/1");
  // Leaves have 4 uplinks on their last ports, one to each of 2 spines and twice over.
  CHECK(lines[17] == ",,pod001-leaf-r1,Switch,3/1,,,spine-g01-01,Switch,1/1");
}

TEST_CASE("topo: every switch with its links, speed by lanes, ports by number", "[wiring]") {
  // One switch, two nodes of two ports: ports 1 to 4 of the switch.
  const NamedCluster cluster(TinyCluster(8, 2, 2), 4);
  CHECK(text_of(topo_of(cluster.wiring())) ==
        "TINY pod001-leaf-01\n"
        "   P1 -4x-100G-> HCA_mlx5_2 pod001-node001 mlx5_0/P1\n"
        "   P2 -4x-100G-> HCA_mlx5_2 pod001-node001 mlx5_1/P1\n"
        "   P3 -4x-100G-> HCA_mlx5_2 pod001-node002 mlx5_0/P1\n"
        "   P4 -4x-100G-> HCA_mlx5_2 pod001-node002 mlx5_1/P1\n\n");
  // Of a link between switches both switches tell.
  const NamedCluster two(TinyCluster(8, 2, 2), 16);
  std::size_t lines = 0;
  for (const std::string& line : lines_of(text_of(topo_of(two.wiring())))) lines += line.starts_with("   P") ? 1U : 0U;
  CHECK(lines == two.fabric.count(Layer::node_leaf) + 2 * two.fabric.count(Layer::leaf_spine));
}

TEST_CASE("topo: refused for Ethernet with what to use instead", "[wiring]") {
  const PlannedCluster cluster("roce-51t-rail", "mi300x", 64);
  CHECK_THAT(message_of([&] { static_cast<void>(topo_of(cluster.wiring())); }), ContainsSubstring("use dot"));
}

TEST_CASE("dot: roles and ports as NVIDIA's tool has them", "[wiring]") {
  TinyCluster tiny(8, 2, 2);
  tiny.design.fabric = "roce";
  tiny.parts.switches["tiny"].fabric = "ethernet";
  const NamedCluster cluster(tiny, 2);
  CHECK(text_of(dot_of(cluster.wiring())) ==
        "graph network {\n"
        "  \"pod001-node001\" [ label=\"pod001-node001\" role=\"host\" ]\n"
        "  \"pod001-leaf-01\" [ label=\"pod001-leaf-01\" role=\"leaf\" ]\n"
        "  \"pod001-leaf-01\":\"swp1s0\" -- \"pod001-node001\":\"mlx5_0\"\n"
        "  \"pod001-leaf-01\":\"swp1s1\" -- \"pod001-node001\":\"mlx5_1\"\n"
        "}\n");
}

TEST_CASE("patch lists: every rack has a page, every link stands on the pages of both its racks", "[wiring]") {
  const PlannedCluster cluster("ndr-rail", "h100", 512);
  const std::string text = text_of(patch_lists_of(cluster.wiring()));
  const auto pages = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\f')) + 1;
  CHECK(pages == cluster.floor.racks().size());
  std::size_t expected = 0, rows = 0, widest = 0;
  for (const Link& link : cluster.fabric.links()) {
    expected += cluster.floor.place(link.lower).rack == cluster.floor.place(link.upper).rack ? 1U : 2U;
  }
  bool table = false;
  for (const std::string& line : lines_of(text)) {
    if (line.find("Rack ") != std::string::npos && line.find("   ") != std::string::npos) table = false;
    rows += table ? 1U : 0U;
    if (line.starts_with("  here ")) table = true;
    widest = std::max(widest, line.size());
  }
  CHECK(rows == expected);
  CHECK(widest <= 112);  // a landscape page
}
