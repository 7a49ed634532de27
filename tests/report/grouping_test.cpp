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

TEST_CASE("grouping: categories cover the whole capex and keep their colour", "[report]") {
  const StudyResult result = tiny_result();
  for (const bool network_only : {false, true}) {
    for (const ResultRow& row : result.rows) {
      Range<Dollars> sum;
      for (const std::string& category : categories_of(result, network_only)) {
        sum += category_cost(row.capex, category, network_only);
      }
      const Range<Dollars> whole = network_only ? row.capex.network() : row.capex.total();
      CHECK_THAT(sum.typical.in(dollar), WithinRel(whole.typical.in(dollar), 1e-12));
    }
  }
  CHECK(categories_of(result, true) == std::vector<std::string>{"switch", "module", "cable"});
  CHECK(colours_of(categories_of(result, true)) == std::vector<std::size_t>{2, 3, 4});
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
