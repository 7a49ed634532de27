// SPDX-License-Identifier: Apache-2.0
#include "sim/search/search.h"

#include "sim/engine/communication.h"
#include "sim/engine/costs.h"
#include "tests/catch.h"
#include "tests/engine/fakes.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

struct Task {
  const char* model;
  const char* like;
  int gpus;
  double memory;
  int most_cp, most_ep;
};

}  // namespace

TEST_CASE("search: the best found is the best of all, though few are simulated", "[search]") {
  const Task task = GENERATE(values<Task>({
      {"llama3-70b", "gbs=128 seq=4096", 256, 80, 1, 1},
      {"llama3-8b", "gbs=32 seq=32768", 64, 80, 8, 1},
      {"mixtral-8x7b", "gbs=64 seq=4096", 64, 80, 1, 8},
  }));
  INFO(task.model);
  const Model model = shipped(task.model);
  const Laws laws(fake_profile({1.19, 1.43, 0.012}, 1.5 * microsecond), Speed::typical);
  const FakeCommunication network(40e9 * byte / second, 10 * microsecond);
  const Strategy like = parse_strategy(task.like);
  const Bytes limit = task.memory * gigabyte;
  const SearchResult found = search_strategies(model, laws, network, task.gpus, 8, limit, like);
  REQUIRE_FALSE(found.ranked.empty());
  CHECK(found.possible <= found.considered);
  CHECK(found.fitting <= found.possible);
  CHECK(found.ranked.size() < found.fitting / 4);
  // Everything that divides and fits, simulated.
  Seconds best = 1e9 * second;
  std::size_t fitting = 0;
  Strategy strategy = like;
  const auto try_one = [&] {
    if (!strategy_faults(strategy, model, task.gpus, 8).empty()) return;
    if (peak_memory(model, strategy, task.gpus).total() > limit) return;
    ++fitting;
    const StepCosts costs(model, strategy, laws, network, task.gpus);
    best = std::min(best, simulate_step(model, strategy, laws, network, costs, task.gpus).step_time);
  };
  for (const int tp : {1, 2, 4, 8}) {
    strategy.tp = tp;
    strategy.sp = tp > 1;
    for (strategy.cp = 1; strategy.cp <= task.most_cp; strategy.cp *= 2) {
      for (strategy.ep = 1; strategy.ep <= task.most_ep; strategy.ep *= 2) {
        for (strategy.pp = 1; strategy.pp <= model.layers; ++strategy.pp) {
          for (strategy.vpp = 1; strategy.vpp <= model.layers / strategy.pp; ++strategy.vpp) {
            for (strategy.micro_batch = 1; strategy.micro_batch <= 8; strategy.micro_batch *= 2) {
              for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                strategy.recompute = recompute;
                for (const int zero : {1, 3}) {
                  strategy.zero = zero;
                  try_one();
                }
              }
            }
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
  // 70 billion parameters with ZeRO-3: 16 bytes of each over 8 GPUs are 141 GB, weights at work and activations aside.
  CHECK(none.least_memory.total() > 141 * gigabyte);
}
