// SPDX-License-Identifier: Apache-2.0
#include "pricing/capex.h"
#include "tests/base/message_of.h"
#include "tests/catch.h"

using namespace railyard;

namespace {

constexpr const char* book_text = R"(book: test
date: 2024-12
description: a test
sources:
  near: {title: A list, date: 2024-10}
parts:
  box: {each: {low: 200 k$, typical: 250 k$, high: 300 k$, source: near}, includes: [gpu, nic]}
  bare: {each: {value: 200 k$, source: near}, includes: [gpu, installation]}
  nic: {each: {value: 2 k$, source: near}}
  switch: {each: {low: 30 k$, typical: 36 k$, high: 50 k$, source: near}}
  ib-switch: {each: {value: 40 k$, source: near}}
  module: {each: {low: 800 $, typical: 900 $, high: 1000 $, assumed: "as another"}}
branding:
  - {fabric: infiniband, times: {low: 2, typical: 2.3, high: 3, source: near}, parts: [module]}
allowances:
  storage: {label: file storage, per: gpu, category: storage, each: {low: 500 $, typical: 1000 $, high: 2000 $, assumed: "2 TB"}}
  installation: {label: racks, per: node, category: services, each: {value: 3 k$, source: near}}
  manager: {label: manager, per: cluster, category: management, each: {value: 50 k$, source: near}}
)";

PriceBook book() { return read_price_book(YamlDocument::parse(book_text, "test.yaml")); }

Parts parts() {
  Parts all;
  for (const char* id : {"box", "bare"}) {
    ServerPart server;
    server.id = id;
    server.name = std::string("the ") + id;
    server.nic = "nic";
    server.gpus = server.nics = 8;
    all.servers.emplace(id, server);
  }
  all.nics["nic"].name = "the card";
  all.switches["switch"].fabric = "ethernet";
  all.switches["ib-switch"].fabric = "infiniband";
  all.modules["module"].name = "the module";
  return all;
}

BillOfMaterials bill(const std::string& server = "box", const std::string& network_switch = "switch") {
  BillOfMaterials result;
  result.lines = {{server, BomCategory::server, false, 4},
                  {"nic", BomCategory::nic, false, 32},
                  {network_switch, BomCategory::switch_, true, 2},
                  {"module", BomCategory::module, true, 64}};
  return result;
}

Dollars line_total(const Capex& capex, std::string_view part) {
  Dollars sum;
  for (const CapexLine& line : capex.lines) {
    if (line.part == part) sum += line.total.typical;
  }
  return sum;
}

std::string bill_error(const BillOfMaterials& wrong) {
  return message_of([&] { static_cast<void>(price_bill(wrong, book(), parts(), 32, 4)); });
}

}  // namespace

TEST_CASE("capex: lines add up by hand", "[pricing]") {
  const Capex capex = price_bill(bill(), book(), parts(), 32, 4);
  // Servers 4 x 250 k$, switches 2 x 36 k$, modules 64 x 900 $, storage 32 x 1 k$, racks 4 x 3 k$, manager 50 k$.
  CHECK_THAT(capex.total().typical.in(dollar), WithinRel(1e6 + 72e3 + 57'600 + 32e3 + 12e3 + 50e3, 1e-12));
  CHECK_THAT(capex.total().low.in(dollar), WithinRel(800e3 + 60e3 + 51'200 + 16e3 + 12e3 + 50e3, 1e-12));
  CHECK_THAT(capex.total().high.in(dollar), WithinRel(1.2e6 + 100e3 + 64e3 + 64e3 + 12e3 + 50e3, 1e-12));
  CHECK_THAT(capex.network().typical.in(dollar), WithinRel(72e3 + 57'600, 1e-12));
  CHECK_THAT(capex.assumed().in(dollar), WithinRel(57'600 + 32e3, 1e-12));  // modules and storage
}

TEST_CASE("capex: categories are those of the bill, labels the names of the parts", "[pricing]") {
  const Capex capex = price_bill(bill(), book(), parts(), 32, 4);
  CHECK(capex.lines[0].label == "the box");
  CHECK(capex.lines[0].category == to_string(BomCategory::server));
  CHECK(capex.lines.back().label == "manager");
  CHECK(capex.lines.back().category == to_string(BomCategory::management));
}

TEST_CASE("capex: NICs that a server price includes are listed at 0 $", "[pricing]") {
  const Capex capex = price_bill(bill(), book(), parts(), 32, 4);
  const CapexLine& nics = capex.lines[1];
  CHECK(nics.part == "nic");
  CHECK(nics.quantity == 32);
  CHECK(nics.total.typical == 0.0 * dollar);
  CHECK(nics.evidence.source == "included in the price of box");
}

TEST_CASE("capex: NICs beyond the servers' own are billed", "[pricing]") {
  BillOfMaterials more = bill();
  more.lines[1].quantity = 40;
  const Capex capex = price_bill(more, book(), parts(), 32, 4);
  CHECK(capex.lines[1].quantity == 32);
  CHECK(capex.lines[2].quantity == 8);
  CHECK_THAT(line_total(capex, "nic").in(dollar), WithinRel(8 * 2e3, 1e-12));
}

TEST_CASE("capex: a server price without NICs is billed for them, and its installation is not billed again",
          "[pricing]") {
  const Capex capex = price_bill(bill("bare"), book(), parts(), 32, 4);
  CHECK_THAT(line_total(capex, "nic").in(dollar), WithinRel(32 * 2e3, 1e-12));
  CHECK(line_total(capex, "installation") == 0.0 * dollar);
}

TEST_CASE("capex: another 100 $ a module moves capex by 100 $ times the modules, branded or not", "[pricing]") {
  for (const char* network_switch : {"switch", "ib-switch"}) {
    PriceBook dearer = book();
    dearer.parts.at("module").each.value += Range<Dollars>::exactly(100.0 * dollar);
    const Capex before = price_bill(bill("box", network_switch), book(), parts(), 32, 4);
    const Capex after = price_bill(bill("box", network_switch), dearer, parts(), 32, 4);
    // Sums near 1e6 hold 1e-10 $.
    CHECK_THAT((after.total().typical - before.total().typical).in(dollar), WithinAbs(64 * 100, 1e-8));
    CHECK_THAT((after.total().low - before.total().low).in(dollar), WithinAbs(64 * 100, 1e-8));
    CHECK_THAT((after.total().high - before.total().high).in(dollar), WithinAbs(64 * 100, 1e-8));
  }
}

TEST_CASE("capex: InfiniBand switches bring branded modules", "[pricing]") {
  const Capex ethernet = price_bill(bill(), book(), parts(), 32, 4);
  const Capex infiniband = price_bill(bill("box", "ib-switch"), book(), parts(), 32, 4);
  CHECK_THAT(line_total(infiniband, "module").in(dollar),
             WithinRel(2.3 * line_total(ethernet, "module").in(dollar), 1e-12));
}

TEST_CASE("capex: the bill costs what its lines cost", "[pricing]") {
  const Capex capex = price_bill(bill(), book(), parts(), 32, 4);
  for (const CapexLine& line : capex.lines) {
    CHECK_THAT(line.total.typical.in(dollar), WithinAbs(line.unit.typical.in(dollar)*line.quantity, 1e-9));
  }
}

TEST_CASE("capex: a missing price and a part listed twice are told in full", "[pricing]") {
  BillOfMaterials unknown = bill();
  unknown.lines[3].part = "modul";
  CHECK(bill_error(unknown) ==
        "error: price book 'test' (test.yaml) has no price for part 'modul'\n"
        "   expected one of: bare, box, ib-switch, module, nic, switch; did you mean 'module'?\n");
  BillOfMaterials twice = bill();
  twice.lines.push_back(twice.lines[2]);
  CHECK(bill_error(twice) ==
        "error: price book 'test' (test.yaml): part 'switch' is listed twice as switch\n"
        "   expected one line a part and category, so that nothing is billed twice\n");
}
