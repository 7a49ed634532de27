// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/schedule.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "sim/workload/operators.h"
#include "tests/catch.h"

using namespace railyard;

TEST_CASE("schedule: 1F1B of two stages and three micro-batches", "[engine]") {
  // Stage 0 runs one forward ahead (SC21, arXiv:2104.04473, figure 4).
  const Schedule schedule = one_forward_one_backward(2, 3);
  CHECK(schedule[0] == std::vector<Slot>{{true, 0}, {true, 1}, {false, 0}, {true, 2}, {false, 1}, {false, 2}});
  CHECK(schedule[1] == std::vector<Slot>{{true, 0}, {false, 0}, {true, 1}, {false, 1}, {true, 2}, {false, 2}});
}

TEST_CASE("schedule: interleaved order of two stages with two chunks", "[engine]") {
  // Megatron-Core schedules.py: warm-up of 2 (p - s - 1) + (v - 1) p: 4 on stage 0, 2 on stage 1.
  const Schedule schedule = interleaved(2, 2, 2);
  CHECK(schedule[0] == std::vector<Slot>{{true, 0, 0},
                                         {true, 1, 0},
                                         {true, 0, 1},
                                         {true, 1, 1},
                                         {false, 0, 1},
                                         {false, 1, 1},
                                         {false, 0, 0},
                                         {false, 1, 0}});
  CHECK(schedule[1] == std::vector<Slot>{{true, 0, 0},
                                         {true, 1, 0},
                                         {true, 0, 1},
                                         {false, 0, 1},
                                         {true, 1, 1},
                                         {false, 1, 1},
                                         {false, 0, 0},
                                         {false, 1, 0}});
}

TEST_CASE("schedule: every pass once, and as many in flight as memory counts", "[engine]") {
  const auto [stages, chunks, micro_batches] =
      GENERATE(table<int, int, int>({{1, 1, 4}, {4, 1, 2}, {4, 1, 9}, {4, 3, 4}, {4, 3, 16}, {8, 12, 128}}));
  const Schedule schedule =
      chunks == 1 ? one_forward_one_backward(stages, micro_batches) : interleaved(stages, chunks, micro_batches);
  Strategy strategy;
  strategy.pp = stages;
  strategy.vpp = chunks;
  strategy.global_batch = {micro_batches};
  for (int stage = 0; stage < stages; ++stage) {
    std::set<std::tuple<bool, int, int>> seen;
    std::int64_t in_flight = 0;
    std::int64_t most = 0;
    for (const Slot& slot : schedule[static_cast<std::size_t>(stage)]) {
      CHECK(seen.insert({slot.forward, slot.micro_batch, slot.chunk}).second);
      in_flight += slot.forward ? 1 : -1;
      most = std::max(most, in_flight);
    }
    CHECK(seen.size() == static_cast<std::size_t>(2 * chunks * micro_batches));
    CHECK(in_flight == 0);
    CHECK(most == chunks_in_flight(strategy, stages, stage));
  }
}
