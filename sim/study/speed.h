// SPDX-License-Identifier: Apache-2.0
// The speed side of a row: the strategy, given or searched, and the step at both ends of the profile's ranges.
#pragma once

#include <algorithm>
#include <optional>

#include "sim/study/pipeline.h"

namespace railyard {

/// The three values of one figure from passes at different ends, put in order.
template <class T>
[[nodiscard]] Range<T> ordered(T a, T typical, T b) {
  return {std::min({a, typical, b}), typical, std::max({a, typical, b})};
}

/// Dense peak of one GPU at a precision. Throws InputError when the GPU lacks it.
[[nodiscard]] FlopRate dense_peak(const GpuPart& gpu, Precision precision);

/// Throws InputError when the profile belongs to another GPU, lacks the precision, or is faster than the part's data
/// sheet allows.
void check_profile(const Profile& profile, const GpuPart& gpu, Precision precision);

/// Throws InputError with the remedies when the strategy does not divide or fit on these GPUs.
void check_strategy(const Strategy& strategy, const Model& model, int gpus, const GpuPart& gpu);

/// The given strategy, checked, or the fastest that fits. Throws InputError with the remedy when nothing does.
[[nodiscard]] StrategyChoice choose_strategy(const std::optional<Strategy>& given, const Workload& workload,
                                             const Model& model, const Profile& profile, const WiredDesign& wired,
                                             const GpuPart& gpu);

struct StepRange {
  StepResult typical;
  Range<Seconds> time;
};
[[nodiscard]] StepRange simulate_range(const Model& model, const Strategy& strategy, const Profile& profile,
                                       const WiredDesign& wired, const GpuPart& gpu);

}  // namespace railyard
