// SPDX-License-Identifier: Apache-2.0
#include "sim/study/difference.h"

#include "tests/catch.h"

using namespace railyard;

namespace {
CapexLine line(const char* part, const char* category, bool back_end, int quantity, Range<double> unit) {
  CapexLine result;
  result.part = part;
  result.category = category;
  result.back_end = back_end;
  result.quantity = quantity;
  result.unit = {unit.low * dollar, unit.typical * dollar, unit.high * dollar};
  result.total = result.unit * quantity;
  return result;
}

ResultRow row(const char* name, std::vector<CapexLine> lines) {
  ResultRow result;
  result.cluster = name;
  result.nodes = 10;
  result.gpus = 80;
  result.capex.lines = std::move(lines);
  return result;
}
}  // namespace

TEST_CASE("difference: the network's share and the server gap that makes it 40 %", "[study]") {
  // Network 600 - 200 = 400, servers 10 x 160 - 10 x 100 = 600, nothing else: 400 of 1 000.
  const CapexDifference difference = capex_difference(
      row("A", {line("x", "server", false, 10, {160, 160, 160}), line("s", "switch", true, 6, {100, 100, 100})}),
      row("B", {line("y", "server", false, 10, {100, 100, 100}), line("t", "switch", true, 2, {100, 100, 100})}));
  REQUIRE(difference.network_share);
  CHECK_THAT(*difference.network_share, WithinRel(0.4, 1e-12));
  CHECK_THAT(server_gap(difference).in(dollar), WithinRel(60, 1e-12));
  CHECK_THAT(server_gap_for_share(difference, 0.4).in(dollar), WithinRel(60, 1e-12));
  // At half the gap the network is 400 of 700.
  CHECK_THAT(server_gap_for_share(difference, 400.0 / 700).in(dollar), WithinRel(30, 1e-12));
  CHECK(difference.categories.front().category == "servers");
}

TEST_CASE("difference: what both buy at one price differs by quantity, other prices by opposite ends", "[study]") {
  const CapexDifference difference =
      capex_difference(row("A", {line("m", "module", true, 5, {1, 2, 4}), line("x", "server", false, 1, {10, 20, 40})}),
                       row("B", {line("m", "module", true, 3, {1, 2, 4}), line("y", "server", false, 1, {5, 15, 30})}));
  const auto of = [&](const char* name) {
    for (const CategoryDifference& category : difference.categories) {
      if (category.category == name) return category.difference;
    }
    FAIL("no category");
    return Range<Dollars>{};
  };
  CHECK(of("modules") == Range<Dollars>{2.0 * dollar, 4.0 * dollar, 8.0 * dollar});
  CHECK(of("servers") == Range<Dollars>{-20.0 * dollar, 5.0 * dollar, 35.0 * dollar});
  // Two fewer: the sign turns, and so do the ends.
  const CapexDifference turned = capex_difference(row("B", {line("m", "module", true, 3, {1, 2, 4})}),
                                                  row("A", {line("m", "module", true, 5, {1, 2, 4})}));
  CHECK(turned.categories.front().difference == Range<Dollars>{-8.0 * dollar, -4.0 * dollar, -2.0 * dollar});
  CHECK_FALSE(turned.network_share);
}
