// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "sim/study/pipeline.h"
#include "tests/catch.h"

using namespace railyard;

namespace {
ResultRow row(const char* name, double low, double typical, double high) {
  ResultRow result;
  result.cluster = name;
  result.gpus = 1024;
  result.usd_per_pflop_hour = {low, typical, high};
  return result;
}
Verdict verdict(const std::vector<ResultRow>& rows) {
  std::vector<const ResultRow*> pointers;
  for (const ResultRow& each : rows) pointers.push_back(&each);
  return compare_rows(pointers);
}
}  // namespace

TEST_CASE("verdict: ranks only when no range reaches that of the cheapest", "[study]") {
  const Verdict apart = verdict({row("A", 4, 5, 6), row("B", 1, 2, 3)});
  CHECK(apart.resolved);
  CHECK(apart.better == "B");

  const Verdict overlapping = verdict({row("A", 2.5, 5, 6), row("B", 1, 2, 3)});
  CHECK_FALSE(overlapping.resolved);
  CHECK(overlapping.better.empty());
  CHECK_THAT(overlapping.sentence, ContainsSubstring("not resolved"));
}

TEST_CASE("verdict: a third cluster that overlaps keeps the answer open", "[study]") {
  CHECK_FALSE(verdict({row("A", 4, 5, 6), row("B", 1, 2, 3), row("C", 2.9, 4.5, 7)}).resolved);
}

TEST_CASE("verdict: ranges that touch are not resolved", "[study]") {
  CHECK_FALSE(verdict({row("A", 3, 5, 6), row("B", 1, 2, 3)}).resolved);
}
