// SPDX-License-Identifier: Apache-2.0
// The tasks of one training step in steady state, one GPU for each pipeline stage (its tensor and data-parallel
// neighbours do the same): parameter gather, forward and backward passes by the schedule, sends, gradient reduction,
// gradient norm, optimizer. Order and overlap are those of Megatron-Core with its distributed optimizer.
#pragma once

#include <string_view>
#include <vector>

#include "sim/engine/costs.h"
#include "sim/engine/events.h"
#include "sim/engine/schedule.h"
#include "sim/engine/step.h"

namespace railyard {

/// What a task is: its work split by cause (seconds), and what is blamed when something beside it makes it longer.
struct TaskLabel {
  std::string_view name;
  std::array<double, part_count> parts{};
  Part slowed_by = Part::dp;
};

struct StepGraph {
  TaskGraph graph{0};
  std::vector<TaskLabel> labels;
  std::string_view dp_algorithm;
};

/// `schedule` has strategy.pp stages.
[[nodiscard]] StepGraph build_step(const Model& model, const Strategy& strategy, const Laws& laws,
                                   const StepCosts& costs, const Communication& communication, const Schedule& schedule,
                                   int gpus, Resolution resolution);

/// The schedule a strategy stands for.
[[nodiscard]] Schedule schedule_of(const Strategy& strategy, int gpus);

/// Rates of the laws, data and pipeline traffic halving each other on the NIC they share.
[[nodiscard]] Rates rates_of(const Laws& laws);

/// Where the time of `device` went: its own work by cause and its waits by what they waited for. Sums to the makespan.
[[nodiscard]] Breakdown breakdown_of(const StepGraph& step, const Timeline& timeline, int device);

}  // namespace railyard
