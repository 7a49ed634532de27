// SPDX-License-Identifier: Apache-2.0
// Carries out a plan on a device: each measurement verified, timed, and kept with all that a reader needs to trust it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/device/measurement_plan.h"

namespace railyard::device {

struct Measurement {
  PlannedMeasurement planned;
  Timing timing;
  std::string kernel;  // as the library names it
  std::optional<Verification> verification;
  std::string waived;  // why there is no figure; empty: there is one
  // Of a pair: seconds of one run alone and beside the other.
  double alone_s = 0, beside_s = 0, other_alone_s = 0, other_beside_s = 0;

  [[nodiscard]] bool measured() const { return waived.empty(); }
  /// FLOP/s, or B/s: of a collective its bus bandwidth. 0 where neither is counted.
  [[nodiscard]] double rate() const;
  /// The rate of one run of `seconds`.
  [[nodiscard]] double rate_of(double seconds) const;
  /// FLOP per joule over the window; 0: not known.
  [[nodiscard]] double flop_per_joule() const;
};

struct MeasureReport {
  DeviceFacts facts;
  std::vector<Measurement> measurements;
  double wall_s = 0;
};

/// Told before each measurement: how many of how many, and the seconds that are probably left.
using MeasureProgress = std::function<void(std::size_t done, std::size_t all, double left_s)>;

/// Seconds that are probably left of a plan of `expected` ones, of which `passed` took `spent`: what was spent so far
/// corrects the estimate.
[[nodiscard]] double seconds_left(double expected, double passed, double spent);

/// One of a plan; as `measure` does each.
[[nodiscard]] Measurement measured(Device& device, const PlannedMeasurement& planned,
                                   const WallClock& clock = steady_seconds);

/// A measurement that the device cannot do is waived with the reason; so is one whose result is wrong or whose samples
/// were all throttled. Throws DeviceError when the device fails.
[[nodiscard]] MeasureReport measure(Device& device, const std::vector<PlannedMeasurement>& plan,
                                    const MeasureProgress& progress = {}, const WallClock& clock = steady_seconds);

}  // namespace railyard::device
