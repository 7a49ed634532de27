// SPDX-License-Identifier: Apache-2.0
// Fits time = start + bytes / bandwidth: HBM kernels, copies, links.
#pragma once

#include <span>
#include <string>

#include "calibrate/fit/fit_report.h"

namespace railyard::fit {

struct CurveSample {
  double bytes = 0, seconds = 0;
};

/// Start and asymptotic bandwidth, at base units.
struct Curve {
  double start_s = 0, bytes_per_s = 0;

  [[nodiscard]] double seconds(double bytes) const { return start_s + bytes / bytes_per_s; }
};

/// Needs one sample. Sizes that do not span tell the bandwidth alone: the start is then none.
[[nodiscard]] Curve fit_curve(std::span<const CurveSample> samples);
/// The same, each size predicted by a fit to the others.
[[nodiscard]] FitReport report_curve(const std::string& subject, std::span<const CurveSample> samples);

}  // namespace railyard::fit
