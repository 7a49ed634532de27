// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/catch.h"
#include "tests/topologies/fixture.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// Pieces of a part in one network; the back end has no name.
int quantity(const BillOfMaterials& bill, std::string_view part, std::string_view network = "") {
  int total = 0;
  for (const BomLine& line : bill.lines) total += line.part == part && line.network == network ? line.quantity : 0;
  return total;
}

struct Cluster {
  Design design;
  const ServerPart& server;
  int gpus;
  Fabric fabric = build_fabric(design, shipped_parts(), server, gpus);
  NetworkCounts counts = count_network(fabric, design, shipped_parts(), server);
  BillOfMaterials bill = list_parts(fabric, design, shipped_parts(), server, gpus / server.gpus);
};

Cluster cluster(std::string_view design, std::string_view server, int gpus) {
  return {shipped_design(design), shipped_parts().server(server), gpus};
}

int switch_modules(const NetworkCounts& counts) {
  return counts.leaf_modules + counts.spine_modules + counts.core_modules;
}

}  // namespace

// RA-11333-001 V11, table 4, 4 SU: 508 node modules (127 nodes with 4 twin-port cages), 1536 switch modules (48 x 32),
// 4 UFM modules. Occupied cages come to the same: 16 spines are full; of the 32 leaves the four without UFM end in the
// pod of 31 nodes use 63 ports, and half a cage needs its module too.
TEST_CASE("bill: modules of DGX SuperPOD H100 4 SU", "[topologies]") {
  Design design = shipped_design("ndr-rail");
  design.ufm = true;
  design.populate_full = GENERATE(false, true);
  const Cluster four_su{design, shipped_parts().server("dgx-h100"), 1016};
  CHECK(four_su.counts.node_modules == 508);
  CHECK(switch_modules(four_su.counts) == 1536);
  CHECK(four_su.counts.manager_modules == 4);
  // Its fibres: 1016 + 1024 and one for each UFM end.
  CHECK(four_su.counts.cables == 1016 + 1024 + 4);
  CHECK(quantity(four_su.bill, "ufm-appliance") == 4);
  CHECK(quantity(four_su.bill, "osfp-rhs-800g-2xsr4") == 508);
}

// 640 x 64 and 1280 x 32 twin-port cages, all occupied.
TEST_CASE("bill: 16384 GPUs need 40960 twin-port switch modules on either design", "[topologies]") {
  const auto [design, server] =
      GENERATE(std::pair{"ndr-rail", "hgx-h100"}, std::pair{"roce-51t-rail", "mi300x-server"});
  const Cluster big = cluster(design, server, 16384);
  CHECK(switch_modules(big.counts) == 40960);
  CHECK(big.counts.node_modules == 16384);
  CHECK(big.counts.cables == 3 * 16384);
  CHECK(big.counts.cables_by_medium == std::map<std::string, int>{{"multimode", 2 * 16384}, {"singlemode", 16384}});
  CHECK(quantity(big.bill, "osfp-800g-2xsr4") == big.counts.leaf_modules + big.counts.spine_modules / 2);
  CHECK(quantity(big.bill, "osfp-800g-2xdr4") == big.counts.spine_modules / 2 + big.counts.core_modules);
}

// 33 nodes: the leaves of the second pod have one node port and 32 uplinks in use, 1 + 16 cages of 32.
TEST_CASE("bill: a cage is billed when one of its ports is in use, or always when populated in full", "[topologies]") {
  Cluster part = cluster("ndr-rail", "hgx-h100", 264);
  CHECK(part.counts.leaf_modules == 8 * 32 + 8 * 17);
  CHECK(part.counts.spine_modules == 8 * 32);
  part.design.populate_full = true;
  const NetworkCounts full = count_network(part.fabric, part.design, shipped_parts(), part.server);
  CHECK(full.leaf_modules == 16 * 32);
  CHECK(full.cables == part.counts.cables);
}

// 1280 x 64 cages of one port: twice the modules for the same links.
TEST_CASE("bill: 16384 GPUs need 81920 switch modules in single-port cages", "[topologies]") {
  const Cluster big = cluster("roce-25t-rail", "mi300x-server", 16384);
  CHECK(big.counts.switches == 1280);
  CHECK(switch_modules(big.counts) == 81920);
  CHECK(big.counts.node_modules == 16384);
  CHECK(quantity(big.bill, "qsfp-dd-400g-dr4") == 81920);
}

// DGX SuperPOD B300, 1 SU: 512 twin-port cages at the nodes; 16 leaves and 8 spines of 64 cages, all in use.
TEST_CASE("bill: two planes share the cages of the nodes", "[topologies]") {
  const Cluster su = cluster("spectrum-x-dual-plane", "hgx-b300-2x400g", 512);
  CHECK(su.counts.node_modules == 512);
  CHECK(su.counts.leaf_modules == 16 * 64);
  CHECK(su.counts.spine_modules == 8 * 64);
  CHECK(su.counts.cables == 2 * 1024);  // one fibre for each 400G link
}

// RA-11333-001 V11, tables 7 and 8, 4 SU with 127 nodes.
TEST_CASE("bill: the complete list of DGX SuperPOD H100 4 SU", "[topologies]") {
  const Design design = shipped_design("superpod-h100");
  const Cluster four_su{design, shipped_parts().server("dgx-h100"), 1016};
  // Compute: table 4, and 4 UFM modules beside 508 of the nodes and 1536 of the switches; fibres 1016 + 1024 + 4.
  CHECK(quantity(four_su.bill, "dgx-h100") == 127);
  CHECK(quantity(four_su.bill, "qm9700") == 48);
  CHECK(switch_modules(four_su.counts) == 1536);
  CHECK(quantity(four_su.bill, "osfp-rhs-800g-2xsr4") == 508);
  CHECK(quantity(four_su.bill, "osfp-rhs-400g-sr4") == 4);
  CHECK(quantity(four_su.bill, "mpo12-multimode") == 2044);
  CHECK(quantity(four_su.bill, "qm9700", "storage") == 16);
  CHECK(quantity(four_su.bill, "osfp-800g-2xsr4", "storage") == 369);
  CHECK(quantity(four_su.bill, "qsfp112-400g-sr4", "storage") == 254);
  CHECK(quantity(four_su.bill, "mpo12-multimode", "storage") == 494);
  CHECK(quantity(four_su.bill, "mpo12-splitter", "storage") == 48);
  CHECK(quantity(four_su.bill, "osfp-rhs-400g-sr4", "storage") == 4);
  CHECK(quantity(four_su.bill, "sn4600c", "in-band") == 8);
  CHECK(quantity(four_su.bill, "aoc-200g-qsfp56", "in-band") == 254);
  CHECK(quantity(four_su.bill, "aoc-100g-qsfp28", "in-band") == 24);
  CHECK(quantity(four_su.bill, "sn2201", "out-of-band") == 8);
  CHECK(quantity(four_su.bill, "aoc-100g-qsfp28", "out-of-band") == 16);
  CHECK(quantity(four_su.bill, "cat5e", "out-of-band") == 127 + 64 + 108);
  CHECK(quantity(four_su.bill, "ufm-appliance") == 4);
  CHECK(quantity(four_su.bill, "management-server", "infrastructure") == 4);
  CHECK(quantity(four_su.bill, "rack", "infrastructure") == 38);
  CHECK(quantity(four_su.bill, "pdu-compute", "infrastructure") == 96);
  CHECK(quantity(four_su.bill, "pdu-management", "infrastructure") == 12);
  for (const BomLine& line : four_su.bill.lines) {
    CHECK((line.network.empty() || (!line.back_end && !line.evidence.assumed())));
  }
  // Typical: 16 x 747 W, 369 x 15 W, 258 x 8 W; 8 x 400 W, 254 x 9 W, 24 x 5 W; 8 x 100 W, 16 x 5 W; 4 x 500 W.
  CHECK_THAT(
      four_su.bill.site_power.typical.in(watt),
      WithinRel(16 * 747.0 + 369 * 15 + 258 * 8 + 8 * 400 + 254 * 9 + 24 * 5 + 8 * 100 + 16 * 5 + 4 * 500, 1e-12));
}

TEST_CASE("bill: a network beside the back end names only parts that there are", "[topologies]") {
  Cluster small = cluster("ndr-rail", "hgx-h100", 64);
  small.design.networks[0].lines[0].part = "qm970";
  CHECK_THROWS_WITH(
      list_parts(small.fabric, small.design, shipped_parts(), small.server, 8),
      ContainsSubstring("design 'ndr-rail', network 'storage': no switch, module, cable or equipment 'qm970'") &&
          ContainsSubstring("did you mean 'qm9700'?"));
}

TEST_CASE("bill: lines of MI300X at 1024 GPUs", "[topologies]") {
  const Cluster small = cluster("roce-51t-rail", "mi300x-server", 1024);
  std::vector<std::string> lines;
  for (const BomLine& line : small.bill.lines) {
    if (!line.network.empty()) continue;
    lines.push_back(std::string(to_string(line.category)) + " " + line.part + " " + std::to_string(line.quantity) +
                    (line.back_end ? " back-end" : ""));
  }
  // 16 leaves of 64 cages and 8 spines of 64 cages; one QSFP112 module a NIC; one fibre a link.
  CHECK(lines ==
        std::vector<std::string>{"server mi300x-server 128", "nic thor-2 1024", "switch arista-7060x6-64pe 24 back-end",
                                 "module osfp-800g-2xsr4 1536 back-end", "module qsfp112-400g-sr4 1024 back-end",
                                 "cable mpo12-multimode 2048 back-end"});
  REQUIRE(small.counts.layers.size() == 2);
  CHECK(small.counts.layers[0].links_down == 1024);
  CHECK(small.counts.layers[0].links_up == 1024);
  CHECK(small.counts.layers[1].links_down == 1024);
  CHECK(small.counts.layers[1].links_up == 0);
  CHECK(small.counts.switches == 24);
  CHECK(small.counts.tiers == 2);
}

TEST_CASE("bill: power is that of switches, modules at both ends, and servers", "[topologies]") {
  const Cluster small = cluster("roce-51t-rail", "mi300x-server", 1024);
  // 24 x 540, 940, 1125 W; 1536 x 14, 15, 17 W; 1024 x 8, 8, 9 W.
  CHECK_THAT(small.bill.network_power.low.in(watt), WithinRel(24 * 540.0 + 1536 * 14 + 1024 * 8, 1e-12));
  CHECK_THAT(small.bill.network_power.typical.in(watt), WithinRel(24 * 940.0 + 1536 * 15 + 1024 * 8, 1e-12));
  CHECK_THAT(small.bill.network_power.high.in(watt), WithinRel(24 * 1125.0 + 1536 * 17 + 1024 * 9, 1e-12));
  CHECK_THAT(small.bill.server_power.typical.in(kilowatt), WithinRel(128 * 10.5, 1e-12));
}

TEST_CASE("bill: spare servers add servers and NICs, nothing to the network", "[topologies]") {
  const Cluster small = cluster("ndr-rail", "hgx-h100", 1024);
  const BillOfMaterials spares = list_parts(small.fabric, small.design, shipped_parts(), small.server, 130);
  CHECK(quantity(spares, "hgx-h100") == 130);
  CHECK(quantity(spares, "connectx-7") == 1040);
  CHECK(spares.network_power == small.bill.network_power);
  CHECK(spares.counts.cables == small.bill.counts.cables);
}

TEST_CASE("bill: one link less is one cable less, and a module less where it empties a cage", "[topologies]") {
  const Cluster small = cluster("ndr-rail", "hgx-h100", 1024);
  const LinkId nic = small.fabric.nic_link(5);
  const LinkId neighbour = small.fabric.nic_link(13);  // next node, same rail: the other port of the leaf's cage
  const Fabric one_less = small.fabric.without(std::vector{nic});
  const NetworkCounts counts = count_network(one_less, small.design, shipped_parts(), small.server);
  CHECK(counts.links[index_of(Layer::node_leaf)] == 1023);
  CHECK(counts.layers[0].links_down == 1023);
  CHECK(counts.cables == small.counts.cables - 1);
  CHECK(counts.node_modules == 1023);
  CHECK(counts.leaf_modules == small.counts.leaf_modules);
  const BillOfMaterials bill = list_parts(one_less, small.design, shipped_parts(), small.server, 128);
  CHECK(quantity(bill, "mpo12-multimode") == quantity(small.bill, "mpo12-multimode") - 1);
  CHECK(quantity(bill, "osfp-rhs-400g-sr4") == 1023);
  CHECK_THROWS_AS(one_less.nic_link(5), InputError);
  CHECK(one_less.link(one_less.nic_link(6)).lower_port == 6);
  const Fabric two_less = small.fabric.without(std::vector{nic, neighbour});
  CHECK(count_network(two_less, small.design, shipped_parts(), small.server).leaf_modules ==
        small.counts.leaf_modules - 1);
}

// Twin-port cage to two single-port cages: one cable for two links, no module at either end.
TEST_CASE("bill: copper is billed by the cage, without optics", "[topologies]") {
  Cluster small = cluster("ndr-rail", "hgx-h100", 64);
  small.design.node_modules.clear();
  small.design.media[0] = {"dac-800g-2x400g", "", "", 2.0 * metre, 3.0 * metre, {}};
  const Fabric fabric = build_fabric(small.design, shipped_parts(), small.server, 64);
  const NetworkCounts counts = count_network(fabric, small.design, shipped_parts(), small.server);
  CHECK(counts.links[0] == 64);
  CHECK(counts.cables_by_medium == std::map<std::string, int>{{"copper", 32}});
  CHECK(counts.node_modules + switch_modules(counts) == 0);
  const auto cables_without = [&](std::vector<LinkId> links) {
    return count_network(fabric.without(links), small.design, shipped_parts(), small.server).cables;
  };
  CHECK(cables_without({fabric.nic_link(0)}) == 32);  // its cable still serves GPU 1
  CHECK(cables_without({fabric.nic_link(0), fabric.nic_link(1)}) == 31);
}
