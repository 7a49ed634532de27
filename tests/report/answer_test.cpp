// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/answer.h"

#include "sim/study/pipeline.h"
#include "tests/catch.h"

using namespace railyard;
using namespace railyard::html;

namespace {

ResultRow row(const char* cluster, int gpus, double low, double typical, double high) {
  ResultRow result;
  result.cluster = cluster;
  result.gpus = gpus;
  result.usd_per_pflop_hour = {low, typical, high};
  result.owner.assumed_share = 0.36;
  return result;
}

Answer answer(std::vector<ResultRow> rows) {
  StudyResult result;
  result.rows = std::move(rows);
  for (const ResultRow& first : result.rows) {
    std::vector<const ResultRow*> alike;
    for (const ResultRow& each : result.rows) {
      if (each.gpus == first.gpus) alike.push_back(&each);
    }
    if (alike.size() > 1 && alike.front() == &first) result.verdicts.push_back(compare_rows(alike));
  }
  return answer_of(result);
}

}  // namespace

TEST_CASE("answer: overlapping ranges are not resolved, and no cluster is called cheapest", "[report]") {
  const Answer given = answer({row("A", 1024, 2, 4, 6), row("B", 1024, 3, 5, 9)});
  CHECK(given.certainty == Answer::Certainty::not_resolved);
  CHECK(given.badge == "Not resolved.");
  CHECK(given.sentence ==
        "At 1\u202f024 GPUs the evidence cannot tell which cluster gives the cheapest effective training PFLOP/s. The "
        "lowest typical cost is 4.00\u00a0$/h (2.00 to 6.00) for A, and the range of another cluster reaches into it.");
  CHECK_THAT(given.sentence, !ContainsSubstring("is cheapest"));
}

TEST_CASE("answer: many sizes are told as a span", "[report]") {
  std::vector<ResultRow> rows;
  for (const int gpus : {1024, 2048, 4096, 8192}) {
    rows.push_back(row("A", gpus, 2, 4, 6));
    rows.push_back(row("B", gpus, 3, 5, 9));
  }
  CHECK_THAT(answer(rows).sentence, ContainsSubstring("At none of the 4 sizes from 1\u202f024 to 8\u202f192 GPUs"));
}

TEST_CASE("answer: ranges apart name the cheapest with its figure", "[report]") {
  const Answer given = answer({row("A", 512, 7, 8, 9), row("B", 512, 2, 3, 4)});
  CHECK(given.certainty == Answer::Certainty::resolved);
  CHECK(given.sentence ==
        "B gives the cheapest effective training PFLOP/s at 512 GPUs: 3.00\u00a0$/h (2.00 to "
        "4.00). No other cluster's range reaches into that.");
}

TEST_CASE("answer: what is resolved at some sizes only says at which", "[report]") {
  const Answer given =
      answer({row("A", 512, 7, 8, 9), row("B", 512, 2, 3, 4), row("A", 1024, 1, 2, 3), row("B", 1024, 2, 3, 4)});
  CHECK(given.certainty == Answer::Certainty::partly);
  CHECK_THAT(given.sentence, ContainsSubstring("B gives the cheapest effective training PFLOP/s at 512 GPUs"));
  CHECK_THAT(given.sentence, ContainsSubstring("Not resolved at 1\u202f024 GPUs"));
}

TEST_CASE("answer: one cluster has nothing to be compared with", "[report]") {
  const Answer given = answer({row("A", 512, 7, 8, 9), row("A", 1024, 8, 9, 10)});
  CHECK(given.certainty == Answer::Certainty::single);
  CHECK(given.sentence ==
        "An effective training PFLOP/s of A costs 8.00\u00a0$/h (7.00 to 9.00) at 512 GPUs, "
        "9.00\u00a0$/h (8.00 to 10.0) at 1\u202f024 GPUs; there is no other cluster to compare it "
        "with.");
}

TEST_CASE("answer: conditions name the assumed share and assumed speeds", "[report]") {
  std::vector<ResultRow> rows{row("A", 512, 2, 4, 6), row("B", 512, 3, 5, 9)};
  rows[1].owner.assumed_share = 0.78;
  rows[1].speed_assumed = true;
  rows[1].profile = "b-soft";
  const Answer given = answer(rows);
  REQUIRE(given.conditions.size() == 3);
  CHECK(given.conditions[0] == "36 to 78 % of owner cost rests on assumed prices, power or terms.");
  CHECK(given.conditions[1] == "Speeds of b-soft are assumed in part.");
}
