// SPDX-License-Identifier: Apache-2.0
// What is measured, in which order and how long: the grid for the fits, the shapes of published benchmarks, memory,
// links, attention, collectives, and the study of method.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/device/timed_loop.h"

namespace railyard::device {

struct PlannedMeasurement {
  std::string group;      // one of measurement_groups()
  std::string operation;  // as sample files call it: "gemm bf16", "memory copy", "attention forward d128 causal"
  std::string variant;    // empty: a sample for the profile's laws; else what is different, "cold"
  WorkRequest work;
  LoopOptions loop;
  std::optional<WorkRequest> beside;  // runs at the same time, for the slowdown of both
  double expected_s = 0;              // of the wall clock, for the time left
};

struct PlanOptions {
  bool quick = false;
  bool method_study = false;      // the study of method alone
  std::vector<std::string> only;  // groups; empty: all
};

/// Names for `only`, in the order of the plan.
[[nodiscard]] const std::vector<std::string>& measurement_groups();

/// Where a plan over many processes measures a group: on the first process alone, on all at the same time each by
/// itself, or on all together.
enum class GroupPlace { first, each, together };
[[nodiscard]] GroupPlace place_of(std::string_view group);

/// Of a device with these facts; the same facts and options give the same plan. Quick plans take at most 60 s, full
/// ones 8 minutes by their own estimate.
[[nodiscard]] std::vector<PlannedMeasurement> measurement_plan(const DeviceFacts& facts, const PlanOptions& options);

/// Wall clock of all that is planned.
[[nodiscard]] double expected_seconds(const std::vector<PlannedMeasurement>& plan);

}  // namespace railyard::device
