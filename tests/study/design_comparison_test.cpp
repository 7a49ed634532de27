// SPDX-License-Identifier: Apache-2.0
#include "sim/study/design_comparison.h"

#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

TEST_CASE("designs side by side: twice the radix saves a tier at 4 096 and 8 192 GPUs only", "[study]") {
  const std::vector<DesignRow> rows =
      compare_designs({"ndr-rail", "roce-51t-rail"}, {1024, 4096, 8192, 16384}, "", "2024-12", shipped());
  REQUIRE(rows.size() == 8);
  CHECK(rows[0].gpus == 1024);
  CHECK(rows[1].design == "roce-51t-rail");
  // k^2/2: 2 048 ports in two tiers at radix 64, 8 192 at 128.
  CHECK(tier_savings(rows) == std::vector<std::string>{"4096 GPUs: 2 tiers with roce-51t-rail; 3 tiers with ndr-rail",
                                                       "8192 GPUs: 2 tiers with roce-51t-rail; 3 tiers with ndr-rail"});
}

TEST_CASE("designs side by side: what cannot be built is a row with the reason", "[study]") {
  const std::vector<DesignRow> rows = compare_designs({"ndr-rail"}, {12, 64}, "", "2024-12", shipped());
  CHECK_FALSE(rows[0].possible);
  CHECK_THAT(rows[0].fault, ContainsSubstring("12"));
  CHECK(rows[1].possible);
  CHECK_THROWS_WITH(compare_designs({"ndr-rial"}, {64}, "", "2024-12", shipped()),
                    ContainsSubstring("did you mean 'ndr-rail'?"));
}
