// SPDX-License-Identifier: Apache-2.0
#include "sim/study/pipeline.h"

#include <numeric>

#include "base/files.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

namespace {
RowRequest request_of(const Study& study, std::size_t cluster = 0) {
  return {study.clusters()[cluster], study.workload(), study.gpus().front(), study.owner(), study.price_book()};
}
Study small() { return {YamlDocument::parse(small_study(), "s.yaml"), shipped()}; }

/// Modules of every kind on the back-end network.
int modules_of(const NetworkCounts& counts) {
  return counts.node_modules + counts.leaf_modules + counts.spine_modules + counts.core_modules +
         counts.manager_modules;
}
}  // namespace

TEST_CASE("pipeline: the parts of a step sum to it and the headline is its definition", "[study]") {
  const ResultRow row = evaluate_row(request_of(small()), shipped());
  const Seconds sum = std::accumulate(row.step.breakdown.begin(), row.step.breakdown.end(), Seconds());
  CHECK_THAT(sum.in(second), WithinRel(row.step.step_time.in(second), 1e-9));
  // Owner $/h over GPUs x model FLOP/s x goodput, written out again.
  const double pflops = row.gpus * row.model_flops_per_gpu.typical.in(petaflop_per_second)*row.goodput.typical;
  CHECK_THAT(row.usd_per_pflop_hour.typical, WithinRel(row.owner.total.typical.in(dollar_per_hour) / pflops, 1e-12));
  CHECK(row.usd_per_pflop_hour.low < row.usd_per_pflop_hour.typical);
  CHECK(row.usd_per_pflop_hour.typical < row.usd_per_pflop_hour.high);
  CHECK(row.memory.total() <= row.gpu_memory);
  CHECK(row.mfu.high < 1);
}

TEST_CASE("pipeline: 100 $ more a module move capex by exactly 100 times the modules", "[study]") {
  const PricedCluster priced = price_cluster(request_of(small()), shipped());
  PriceBook book = shipped().price_book("2024-12");
  for (auto& [part, price] : book.parts) {
    if (!shipped().parts().modules.contains(part)) continue;
    for (Dollars* value : {&price.each.value.low, &price.each.value.typical, &price.each.value.high})
      *value += 100.0 * dollar;
  }
  const int nodes = priced.row.nodes + priced.row.spare_nodes;
  const Capex dearer = price_bill(priced.wired.bill, book, shipped().parts(), nodes * priced.wired.server->gpus, nodes);
  const int modules = modules_of(priced.wired.bill.counts);
  REQUIRE(modules > 0);
  int all_modules = 0;  // storage network included
  for (const BomLine& line : priced.wired.bill.lines) {
    if (line.category == BomCategory::module) all_modules += line.quantity;
  }
  CHECK_THAT((dearer.total().typical - priced.row.capex.total().typical).in(dollar),
             WithinAbs(100.0 * all_modules, 1e-3));
  CHECK_THAT((dearer.network().high - priced.row.capex.network().high).in(dollar), WithinAbs(100.0 * modules, 1e-3));
}

TEST_CASE("pipeline: dearer capital, power and colocation never make the headline cheaper", "[study]") {
  const Study base = small();
  const double before = evaluate_row(request_of(base), shipped()).usd_per_pflop_hour.typical;
  for (const auto& [key, value] : {std::pair{"owner.wacc", "40 %/year effective"}, std::pair{"owner.energy", "1 $/kWh"},
                                   std::pair{"owner.colo", "900 $/kW/month"}, std::pair{"owner.life", "2 year"}}) {
    INFO(key);
    CHECK(evaluate_row(request_of(base.with(key, value, shipped())), shipped()).usd_per_pflop_hour.typical > before);
  }
}

TEST_CASE("pipeline: rows come in the study's order and twice the same", "[study]") {
  const Study study = small().with("gpus", "[128, 512, 256]", shipped());
  const StudyResult first = run_study(study, shipped());
  REQUIRE(first.rows.size() == 6);
  CHECK(first.rows[1].gpus == 512);
  CHECK(first.rows[3].cluster == "B");
  CHECK(first.verdicts.size() == 3);
  const StudyResult second_run = run_study(study, shipped());
  for (std::size_t i = 0; i < first.rows.size(); ++i) {
    CHECK(first.rows[i].usd_per_pflop_hour == second_run.rows[i].usd_per_pflop_hour);
    CHECK(to_text(first.rows[i].choice.strategy) == to_text(second_run.rows[i].choice.strategy));
  }
  CHECK(first.input_hash == second_run.input_hash);
  CHECK(first.input_hash != run_study(study.with("owner.pue", "1.4", shipped()), shipped()).input_hash);
}

TEST_CASE("pipeline: what cannot be run says so with the remedy", "[study]") {
  const Study study = small();
  const auto with_strategy = [&](const char* strategy) {
    return request_of(study.with("clusters[0].strategy", strategy, shipped()));
  };
  CHECK_THROWS_WITH(evaluate_row(with_strategy("tp=3 pp=1 mbs=1"), shipped()),
                    ContainsSubstring("is not possible on 512 GPUs"));
  CHECK_THROWS_WITH(evaluate_row(with_strategy("tp=1 pp=1 mbs=1"), shipped()),
                    ContainsSubstring("GB a GPU") && ContainsSubstring("raise tp or pp"));
  CHECK_THROWS_WITH(
      evaluate_row(request_of(study.with("clusters[0].profile", "mi300x-rocm-vip", shipped())), shipped()),
      ContainsSubstring("was measured on mi300x, not on h100"));
  CHECK_THROWS_WITH(evaluate_row(request_of(study.with("gpus", "[12]", shipped())), shipped()),
                    ContainsSubstring("12"));
  CHECK_THROWS_WITH(evaluate_row(request_of(study.with("workload.global_batch", "3 sequence", shipped())), shipped()),
                    ContainsSubstring("no strategy fits"));
}
