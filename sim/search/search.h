// SPDX-License-Identifier: Apache-2.0
// The best strategy for a model on given GPUs: all that divide and fit are ordered by a proven bound and simulated
// until no bound is left that could beat the best.
#pragma once

#include <vector>

#include "base/units.h"
#include "calibrate/profile/profile.h"
#include "sim/engine/step.h"
#include "sim/network/network.h"
#include "sim/workload/operators.h"

namespace railyard {

class Communication;

struct RankedStrategy {
  Strategy strategy;
  Seconds bound;  // no step of it is shorter
  StepResult step;
  MemoryUse memory;
};

struct SearchResult {
  std::vector<RankedStrategy> ranked;  // those simulated, best first
  std::size_t considered = 0;          // combinations of what is tried
  std::size_t possible = 0;            // without faults
  std::size_t fitting = 0;             // in memory, hence bounded
  MemoryUse least_memory;              // of the possible one that needs least: what to say when none fits
};

/// The objective is the step time: on a given cluster every price of an effective PFLOP falls with it. Tries tp, pp,
/// vpp, micro-batch and recompute; cp in powers of two that leave 4096 tokens a GPU; ep where the model has experts;
/// ZeRO-3 where `like` has ZeRO-1 and there is no pipeline. Batch, sequence, precision, attention, gradients and
/// overlaps are taken from `like`. Sequence parallelism goes with tp > 1. `ranked` is empty when nothing divides and
/// fits.
[[nodiscard]] SearchResult search_strategies(const Model& model, const Laws& laws, const Network& network, int gpus,
                                             int gpus_per_node, Bytes memory_limit, const Strategy& like);
/// The same with traffic from anywhere (tests).
[[nodiscard]] SearchResult search_strategies(const Model& model, const Laws& laws, const Communication& communication,
                                             int gpus, int gpus_per_node, Bytes memory_limit, const Strategy& like);

}  // namespace railyard
