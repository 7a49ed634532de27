// SPDX-License-Identifier: Apache-2.0
#include "sim/search/search.h"

#include "sim/engine/communication.h"
#include "sim/engine/costs.h"
#include "tests/catch.h"
#include "tests/engine/fakes.h"
#include "tests/workload/models.h"

using namespace railyard;

TEST_CASE("search: the best found is the best of all, though few are simulated", "[search]") {
  const Model model = llama3_70b();
  const Laws laws(fake_profile({1.19, 1.43, 0.012}, 1.5 * microsecond), Speed::typical);
  const FakeCommunication network(40e9 * byte / second, 10 * microsecond);
  const Strategy like = parse_strategy("gbs=128 seq=8192");
  const int gpus = 256;
  const Bytes limit = 80 * gigabyte;
  const SearchResult found = search_strategies(model, laws, network, gpus, 8, limit, like);
  REQUIRE_FALSE(found.ranked.empty());
  CHECK(found.possible <= found.considered);
  CHECK(found.fitting <= found.possible);
  CHECK(found.ranked.size() < found.fitting / 4);
  // Everything that divides and fits, simulated.
  Seconds best = 1e9 * second;
  std::size_t fitting = 0;
  for (const int tp : {1, 2, 4, 8}) {
    for (const int pp : {1, 2, 4, 5, 8, 10, 16, 20, 40, 80}) {
      for (const int vpp : {1, 2, 4, 5, 8, 10, 16, 20, 40, 80}) {
        for (const int micro_batch : {1, 2, 4, 8}) {
          for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
            Strategy strategy = like;
            strategy.tp = tp;
            strategy.sp = tp > 1;
            strategy.pp = pp;
            strategy.vpp = vpp;
            strategy.micro_batch = micro_batch;
            strategy.recompute = recompute;
            if (!strategy_faults(strategy, model, gpus, 8).empty()) continue;
            if (peak_memory(model, strategy, gpus).total() > limit) continue;
            ++fitting;
            const StepCosts costs(model, strategy, laws, network, gpus);
            best = std::min(best, simulate_step(model, strategy, laws, network, costs, gpus).step_time);
          }
        }
      }
    }
  }
  CHECK(found.fitting == fitting);
  CHECK(found.ranked.front().step.step_time == best);
  for (std::size_t i = 1; i < found.ranked.size(); ++i) {
    CHECK(found.ranked[i - 1].step.step_time <= found.ranked[i].step.step_time);
    CHECK(found.ranked[i].bound <= found.ranked[i].step.step_time * (1 + 1e-9));
  }
}

TEST_CASE("search: when nothing fits it says what would be needed", "[search]") {
  const Laws laws(fake_profile(), Speed::typical);
  const SearchResult none =
      search_strategies(llama3_70b(), laws, FreeCommunication(), 8, 8, 10 * gigabyte, parse_strategy("gbs=8 seq=8192"));
  CHECK(none.ranked.empty());
  CHECK(none.fitting == 0);
  CHECK(none.possible > 0);
  // 70 billion parameters in 18 bytes over 8 GPUs are 159 GB, activations aside.
  CHECK(none.least_memory.total() > 150 * gigabyte);
}
