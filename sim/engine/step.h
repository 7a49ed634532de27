// SPDX-License-Identifier: Apache-2.0
// One training step by discrete events.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/units.h"
#include "calibrate/profile/profile.h"
#include "sim/network/network.h"
#include "sim/workload/operators.h"

namespace railyard {

class Communication;
struct StepCosts;

/// Where the time of a step goes on its slowest rank; the parts sum to the step time.
enum class Part { compute, tp, cp, ep, pp_bubble, pp_send, dp, optimizer, host, straggler };
inline constexpr int part_count = 10;
[[nodiscard]] constexpr std::size_t at(Part part) { return static_cast<std::size_t>(part); }
[[nodiscard]] std::string_view to_string(Part part);
using Breakdown = std::array<Seconds, part_count>;

/// chunks: the operators of a model chunk summed into one task (search); operators: one task each (traces).
enum class Resolution { chunks, operators };

struct StepResult {
  Seconds step_time;
  Breakdown breakdown{};
  int slowest_stage = 0;
  std::string_view dp_algorithm;
  std::size_t tasks = 0;  // simulated
};

/// Simulates one step. The strategy must be free of faults.
[[nodiscard]] StepResult simulate_step(const Model& model, const Strategy& strategy, const Laws& laws,
                                       const Network& network, int gpus, Resolution resolution = Resolution::chunks);

/// The same with traffic from anywhere and operator times already known (search, tests).
[[nodiscard]] StepResult simulate_step(const Model& model, const Strategy& strategy, const Laws& laws,
                                       const Communication& communication, const StepCosts& costs, int gpus,
                                       Resolution resolution = Resolution::chunks);

/// A time no step of this strategy can beat on any network: lower_bound (bound.h) with free traffic.
[[nodiscard]] Seconds step_lower_bound(const Model& model, const Strategy& strategy, const Laws& laws, int gpus);

}  // namespace railyard
