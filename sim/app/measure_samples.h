// SPDX-License-Identifier: Apache-2.0
// What a device's measurements say to the fits and to the profile: samples by operation, and figures told directly.
#pragma once

#include <string>
#include <vector>

#include "calibrate/device/measure.h"
#include "sim/study/calibration/profile_writer.h"
#include "sim/study/calibration/sample_set.h"

namespace railyard {

/// Series of all that was measured and has a rate. Measurements with a variant keep it in their operation's name ("gemm
/// bf16, cold"), so that no law takes them.
[[nodiscard]] SampleSet measured_samples(const device::MeasureReport& report, const std::string& name,
                                         const std::string& date);

/// kernel_gap, and with several GPUs compute_slowdown, collective_slowdown and speed_spread: as far as measured.
[[nodiscard]] std::vector<DirectFigure> direct_figures(const device::MeasureReport& report);

/// Driver, runtime and libraries in one line.
[[nodiscard]] std::string software_line(const device::MeasureReport& report);

}  // namespace railyard
