// SPDX-License-Identifier: Apache-2.0
#include "sim/report/what_if_text.h"

#include "tests/catch.h"
#include "tests/report/tiny_result.h"

using namespace railyard;

TEST_CASE("waterfall of text: every bar begins where the one before it ended", "[report]") {
  // Sums are 0, 4, 10, 8, and the whole is 8, on ten columns.
  CHECK(waterfall_bars({4, 6, -2}, 10) == std::vector<std::string>{"++++", "|   ++++++", "|       --", "++++++++"});
}

TEST_CASE("waterfall of text: the bar of zero stands where sums turn negative", "[report]") {
  // Sums are 0, -5, 5 and 0: zero is in the middle.
  CHECK(waterfall_bars({-5, 10, -5}, 10) == std::vector<std::string>{"-----|", "++++++++++", "     -----", "     |"});
}

TEST_CASE("waterfall of text: what is small still shows a mark, what is nothing none", "[report]") {
  CHECK(waterfall_bars({100, 0.1, 0}, 10) == std::vector<std::string>{"++++++++++", "|        +", "|", "++++++++++"});
}

TEST_CASE("what if: the answer splits the change, and clusters that stay are named", "[report]") {
  const StudyResult result = tiny_result();
  WhatIfRow row, same;
  row.base = row.changed = same.base = same.changed = result.rows[0];
  row.changed.usd_per_pflop_hour = {3, 5, 6};
  row.changed.design_changes = "oversubscription=2";
  row.by_cost = -0.5;
  row.by_speed = 1.5;
  same.base.cluster = "Beta";
  const WhatIf asked{"A study", "2024-12", {"fabric.oversubscription=2"}, {}, {row, same}};
  const std::string text = what_if_text(asked);
  CHECK_THAT(text, ContainsSubstring("A study: what if fabric.oversubscription=2?"));
  CHECK_THAT(text, ContainsSubstring("Alpha (wide with oversubscription=2), 64 GPUs: an effective PFLOP/s costs"));
  CHECK_THAT(text, ContainsSubstring("$/h instead of 4.00 (+25.0 %): -0.50 $/h by cost, +1.5 by speed."));
  CHECK_THAT(text, ContainsSubstring("unchanged: Beta"));
  row.changed.gpus = 128;
  CHECK_THAT(what_if_answer(row), ContainsSubstring(", 128 GPUs instead of 64: an effective"));
  CHECK_THAT(text, ContainsSubstring("the capex does not change"));
}
