// SPDX-License-Identifier: Apache-2.0
// Fits the attention law: rate = full rate / (1 + half sequence / sequence), one direction and head dimension at a
// time.
#pragma once

#include <span>
#include <string>

#include "calibrate/fit/fit_report.h"

namespace railyard::fit {

/// Measured rate counting only the unmasked part; batch and heads large enough to fill the GPU.
struct AttentionSample {
  std::int64_t sequence = 0;
  double flop_per_s = 0;
};

struct AttentionCurve {
  double flop_per_s = 0, half_sequence = 0;

  [[nodiscard]] double rate(std::int64_t sequence) const {
    return flop_per_s / (1 + half_sequence / static_cast<double>(sequence));
  }
};

/// Needs one sample. Sequences that do not span tell their own rate alone: half is then none.
[[nodiscard]] AttentionCurve fit_attention(std::span<const AttentionSample> samples);
/// The same, each sequence predicted by a fit to the others. Times in the report are of 1 TFLOP.
[[nodiscard]] FitReport report_attention(const std::string& subject, std::span<const AttentionSample> samples);

}  // namespace railyard::fit
