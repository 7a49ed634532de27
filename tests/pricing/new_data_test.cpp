// SPDX-License-Identifier: Apache-2.0
// A user's own parts, design and book, written by nothing but topologies/FORMAT.md and pricing/FORMAT.md.
#include "pricing/capex.h"
#include "tests/catch.h"
#include "topologies/design.h"

using namespace railyard;

namespace {

constexpr const char* users_parts_text = R"(sources:
  page: {title: A vendor's page, date: 2024-11}
gpus:
  chip:
    name: a new GPU
    vendor: new
    bf16_dense: {value: 1000 TFLOP/s, source: page}
    memory: {value: 100 GB, source: page}
    memory_bandwidth: {low: 3 TB/s, typical: 4 TB/s, high: 5 TB/s, assumed: "between two others"}
    power: {value: 700 W, source: page}
    scale_up: switched
    scale_up_bandwidth: {value: 450 GB/s, source: page}
    scale_up_gpus: 8
    source: page
nics:
  card: {name: a card, fabrics: [ethernet], ports: 1, connector: qsfp-dd, port_speed: {value: 400 Gb/s, source: page},
         lane_rate: 50 Gb/s, power: {value: 20 W, source: page}, source: page}
servers:
  crate:
    name: a server
    gpu: chip
    gpus: 4
    nic: card
    nics: 4
    connector: qsfp-dd
    cages: 4
    ports_per_cage: 1
    power: {value: 4 kW, source: page}
    source: page
switches:
  box: {name: a switch, fabric: ethernet, cages: 32, ports_per_cage: 1, connector: qsfp-dd, port_speed: 400 Gb/s,
        lane_rate: 50 Gb/s, power: {value: 500 W, source: page}, rack_units: 1, source: page}
modules:
  plug: {name: a module, connector: qsfp-dd, ports: 1, port_speed: 400 Gb/s, lane_rate: 50 Gb/s,
         optical_lane_rate: 100 Gb/s, medium: singlemode, reach: 500 m, power: {value: 10 W, source: page}, source: page}
cables:
  fibre: {name: a fibre, medium: singlemode, links: 1, reach: 500 m, source: page}
)";

constexpr const char* users_design_text = R"(design: mine
description: a tree of small switches
sources:
  page: {title: A vendor's page, date: 2024-11}
source: page
topology: rail-fat-tree
fabric: roce
switch: box
servers: [crate]
media:
  node_leaf: {cable: fibre, node_modules: [plug], upper_module: plug, length: {value: 20 m, source: page}}
  leaf_spine: {cable: fibre, lower_module: plug, upper_module: plug, length: {value: 40 m, source: page}}
  spine_core: {cable: fibre, lower_module: plug, upper_module: plug, length: {value: 90 m, source: page}}
networks:
  management:
    unit_nodes: 16
    source: page
    assumed: "one switch a unit, one fibre a node"
    parts:
      box: {unit: 1}
      fibre: {node: 1}
)";

constexpr const char* users_book_text = R"(book: 2025-01
date: 2025-01
description: my prices
sources:
  list: {title: A list, date: 2024-12}
parts:
  crate: {each: {value: 150 k$, source: list}, includes: [gpu, cpu, memory, nic]}
  card: {each: {value: 1 k$, source: list}}
  box: {each: {low: 20 k$, typical: 22 k$, high: 25 k$, source: list}}
  plug: {each: {value: 500 $, source: list}}
  fibre: {each: {value: 100 $, source: list}}
not_priced:
  another: sold later
)";

}  // namespace

TEST_CASE("new data: a cluster of parts, a design and a book that nobody shipped", "[pricing]") {
  Parts parts;
  Diagnostics diagnostics;
  read_parts(YamlDocument::parse(users_parts_text, "parts.yaml"), parts, diagnostics);
  diagnostics.throw_if_any();
  const Design design = read_design(YamlDocument::parse(users_design_text, "mine.yaml"));
  const PriceBook book = read_price_book(YamlDocument::parse(users_book_text, "2025-01.yaml"));
  const ServerPart& server = server_for(design, parts, "chip");
  // 128 GPUs, 4 rails, 32 ports: pods of 16 nodes, so 8 leaves and 4 spines; 32 nodes are two units.
  const BillOfMaterials bill = list_parts(build_fabric(design, parts, server, 128), design, parts, server, 32);
  CHECK(bill.counts.switches == 12);
  CHECK_THAT(bill.site_power.typical.in(watt), WithinRel(2 * 500.0, 1e-12));
  const Capex capex = price_bill(bill, book, parts, 128, 32);
  // 32 servers; 12 switches, 4 x 128 modules at 256 links, 256 fibres; beside them 2 switches and 32 fibres.
  CHECK_THAT(capex.network().typical.in(dollar), WithinRel(12 * 22e3 + 512 * 500 + 256 * 100, 1e-12));
  CHECK_THAT(capex.total().typical.in(dollar),
             WithinRel(32 * 150e3 + 12 * 22e3 + 512 * 500 + 256 * 100 + 2 * 22e3 + 32 * 100, 1e-12));
}
