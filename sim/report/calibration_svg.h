// SPDX-License-Identifier: Apache-2.0
// Charts of a profile or of samples as one SVG file: rates by size, measured points and the law.
#pragma once

#include <string>

#include "sim/study/calibration/calibration_input.h"

namespace railyard {

/// GEMM rate by work, memory bandwidth by bytes, bus bandwidth by bytes; charts without anything to show are left out.
/// Laws are those of the profile, or of a fit to the samples (`like` as in fit_samples).
[[nodiscard]] std::string calibration_svg(const CalibrationInput& input, const Profile* like);

}  // namespace railyard
