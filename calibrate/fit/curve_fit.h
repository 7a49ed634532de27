// SPDX-License-Identifier: Apache-2.0
// Fits time = start + bytes / bandwidth: HBM kernels, copies, links. A kernel that reads more than it writes also has
// the cache to clean: what ran before left part of the last-level cache written but not yet in memory, and every line
// that is read pushes such a line out. With lines replaced at random, after b bytes a share exp(-b / C) of a cache of C
// bytes still holds the old lines, so the kernel moves
//   bytes + d C (1 - exp(-bytes / C)), d the share that is cleaned for good.
// A kernel leaves its own share of written lines behind, so d is what it finds less what it leaves: on an H200 0.6 to
// 0.7 for reading, about 0.25 for two reads a write (add, triad), below 0.1 for copies, none for writing. Without the
// term small reads are predicted up to a fifth too fast.
#pragma once

#include <cmath>
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
  double cleaned_bytes = 0, cache_bytes = 1;  // d C and C; none: no cache is cleaned

  [[nodiscard]] double seconds(double bytes) const {
    return start_s + (bytes + cleaned_bytes * -std::expm1(-bytes / cache_bytes)) / bytes_per_s;
  }
};

/// Whether the kernel reads more than it writes, behind others that wrote.
enum class CacheCleaning { none, possible };

/// Needs one sample. Sizes that do not span tell the bandwidth alone: the start is then none. The cache's cleaning is
/// told by seven sizes or more, from a sixteenth of a large cache to sixteen times it.
[[nodiscard]] Curve fit_curve(std::span<const CurveSample> samples, CacheCleaning cleaning = CacheCleaning::none);
/// The same, each size predicted by a fit to the others.
[[nodiscard]] FitReport report_curve(const std::string& subject, std::span<const CurveSample> samples,
                                     CacheCleaning cleaning = CacheCleaning::none);

}  // namespace railyard::fit
