// SPDX-License-Identifier: Apache-2.0
#include "sim/app/requirement.h"

#include "base/diagnostic.h"
#include "tests/catch.h"

using namespace railyard;

TEST_CASE("requirements: each comparison, on typical values", "[app]") {
  ResultRow row;
  row.cluster = "A";
  row.gpus = 8;
  row.mfu = {0.1, 0.4, 0.9};
  const std::vector<ResultRow> rows{row};
  CHECK(unmet({"mfu>=0.4", "mfu<=0.4", "mfu>0.39", "mfu < 0.41"}, rows).empty());
  CHECK(unmet({"mfu>0.4"}, rows) == std::vector<std::string>{"A with 8 GPUs: mfu is 0.4000, required mfu>0.4"});
  CHECK(unmet({"mfu<0.4", "mfu>=0.5"}, rows).size() == 2);
  CHECK(unmet({"mfu>=40 %", "mfu <= 40%"}, rows).empty());
  CHECK(unmet({"mfu>41 %"}, rows).size() == 1);
  CHECK_THROWS_WITH(unmet({"mfu>=40"}, rows), ContainsSubstring("'3 %' or '0.03'"));
  CHECK_THROWS_WITH(unmet({"step_time_s<40 %"}, rows), ContainsSubstring("no number after '<'"));  // no share
  CHECK_THROWS_WITH(unmet({"mfu=0.4"}, rows), ContainsSubstring("no comparison"));
  CHECK_THROWS_WITH(unmet({"mfu>="}, rows), ContainsSubstring("no number after '>='"));
}
