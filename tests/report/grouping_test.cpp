// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/sections.h"
#include "tests/catch.h"
#include "tests/report/tiny_result.h"

using namespace railyard;
using namespace railyard::html;

TEST_CASE("grouping: one name for clusters that begin alike", "[report]") {
  CHECK(common_name({"MI300X 51.2T stable", "MI300X 51.2T VIP"}) == "MI300X 51.2T (stable, VIP)");
  CHECK(common_name({"H100", "H200"}) == "H100 and H200");
  CHECK(common_name({"H100 IB", "H1000 IB"}) == "H100 IB and H1000 IB");
  CHECK(common_name({"A"}) == "A");
  CHECK(common_name({"A b", "A b c"}) == "A (b, b c)");
}

TEST_CASE("grouping: clusters bought alike are one, others are not", "[report]") {
  StudyResult result = tiny_result("A x");
  ResultRow twin = result.rows[0];
  twin.cluster = "A y";
  twin.profile = "other software";
  result.rows.push_back(twin);
  const std::vector<Bought> all = bought_at(result, 64);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "A (x, y)");
  CHECK(all[1].name == "Beta");
  CHECK(end_sizes(result) == std::vector<int>{64, 128});
}

TEST_CASE("grouping: purchases cover the whole capex and keep their colour", "[report]") {
  const StudyResult result = tiny_result();
  for (const bool network_only : {false, true}) {
    for (const ResultRow& row : result.rows) {
      Range<Dollars> sum;
      for (const Purchase purchase : purchases_of(result, network_only)) sum += cost_of(row, purchase);
      const Range<Dollars> whole = network_only ? row.capex.network() : row.capex.total();
      CHECK_THAT(sum.typical.in(dollar), WithinRel(whole.typical.in(dollar), 1e-12));
    }
  }
  const std::vector<Purchase> network = purchases_of(result, true);
  CHECK(names_of(network) == std::vector<std::string>{"switches", "modules", "cables"});
  CHECK(colours_of(network) == std::vector<std::size_t>{3, 4, 5});
}

TEST_CASE("grouping: spare servers are told apart by their count", "[report]") {
  // Nine boxes at 200 000 $, one of them spare.
  const ResultRow row = tiny_result().rows[0];
  CHECK_THAT(cost_of(row, Purchase::servers).typical.in(dollar), WithinRel(1600000, 1e-12));
  CHECK_THAT(cost_of(row, Purchase::spare_servers).high.in(dollar), WithinRel(240000, 1e-12));
}

TEST_CASE("grouping: the networks beside the back end stand on their own", "[report]") {
  ResultRow row = tiny_result().rows[0];
  const Dollars switches = cost_of(row, Purchase::switches).typical;
  CapexLine more = row.capex.lines[1];
  more.back_end = false;
  for (const char* network : {"storage", "in-band", "out-of-band"}) {
    more.network = network;
    row.capex.lines.push_back(more);
  }
  CHECK(cost_of(row, Purchase::switches).typical == switches);
  CHECK(cost_of(row, Purchase::storage_network).typical == more.total.typical);
  CHECK(cost_of(row, Purchase::management_networks).typical == 2.0 * more.total.typical);
}

TEST_CASE("switches: clusters that differ in the switch alone are compared, others are not", "[report]") {
  StudyResult result = tiny_result();
  const std::string text = switch_section(result).body.text();
  // 64 ports against 32: half the switches, the same modules.
  CHECK_THAT(text, ContainsSubstring("At 64\u00a0GPUs, Beta against Alpha: 2 tiers both, 2.00 times the switches, 1.00 "
                                     "times the modules"));
  for (ResultRow& row : result.rows) {
    if (row.cluster == "Beta") row.recipe.fabric = "infiniband";
  }
  CHECK(switch_section(result).body.empty());
}
