// SPDX-License-Identifier: Apache-2.0
// Collects planned measurements of the groups that are wanted; the loops that plans use.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/device/measurement_plan.h"

namespace railyard::device {

/// 30 ms warm-up, 200 ms of runs, cache flushed: Triton's do_bench as people call it.
[[nodiscard]] inline LoopOptions compatible_loop() { return {}; }

/// Back to back, at least `measured_s` of samples.
[[nodiscard]] inline LoopOptions hot_loop(double measured_s) {
  LoopOptions loop{.mode = Mode::hot};
  loop.stopping.least_measured_s = measured_s;
  loop.stopping.fewest_samples = 5;
  loop.stopping.longest_s = 4 * measured_s + 0.2;
  return loop;
}

/// Launches held back until all are queued.
[[nodiscard]] inline LoopOptions queued_loop() {
  LoopOptions loop = hot_loop(0.02);
  loop.mode = Mode::queued;
  return loop;
}

/// Back to back for more than a second, so that the power limit acts and power can be read.
[[nodiscard]] inline LoopOptions window_loop() {
  LoopOptions loop = hot_loop(1.2);
  loop.warm_up_s = 0.3;
  return loop;
}

/// Cold samples until the noise rule ends them, 100 at least.
[[nodiscard]] inline LoopOptions trusted_loop(double longest_s) {
  LoopOptions loop{.mode = Mode::cold};
  loop.stopping.fewest_samples = 100;
  loop.stopping.least_measured_s = 0;
  loop.stopping.longest_s = longest_s;
  return loop;
}

class PlanBuilder {
 public:
  explicit PlanBuilder(std::vector<std::string> only) : only_(std::move(only)) {}

  void add(std::string group, std::string operation, std::string variant, const WorkRequest& work,
           const LoopOptions& loop) {
    if (!wanted(group)) return;
    plan_.push_back({std::move(group), std::move(operation), std::move(variant), work, loop, {}, expected(loop)});
  }
  /// Back to back for a while before what follows; its figure is kept out of the profile.
  void preheat(const WorkRequest& work, double seconds) {
    LoopOptions loop = hot_loop(seconds);
    loop.stopping.longest_s = seconds;
    add("gemm", "gemm bf16", "preheating", work, loop);
  }
  void add_pair(std::string group, std::string operation, const WorkRequest& work, const WorkRequest& beside) {
    if (!wanted(group)) return;
    plan_.push_back({std::move(group), std::move(operation), "beside", work, hot_loop(0.2), beside, 1.5});
  }
  [[nodiscard]] std::vector<PlannedMeasurement> take() { return std::move(plan_); }

 private:
  [[nodiscard]] bool wanted(const std::string& group) const {
    return only_.empty() || std::find(only_.begin(), only_.end(), group) != only_.end();
  }
  /// Preparing, warming up, and the samples with what lies between them.
  static double expected(const LoopOptions& loop) {
    constexpr double preparing_s = 0.05;
    const double samples = loop.mode == Mode::compatible ? loop.repeat_s
                           : loop.mode == Mode::cold     ? std::min(loop.stopping.longest_s, 0.6)
                                                         : 1.3 * loop.stopping.least_measured_s;
    return preparing_s + loop.rest_s + loop.warm_up_s + samples;
  }

  std::vector<std::string> only_;
  std::vector<PlannedMeasurement> plan_;
};

}  // namespace railyard::device
