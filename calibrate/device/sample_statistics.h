// SPDX-License-Identifier: Apache-2.0
// Statistics of timed samples.
#pragma once

#include <span>

namespace railyard::device {

/// Of times in seconds; all zero for none.
struct SampleStatistics {
  int count = 0;
  double median = 0, mean = 0, low = 0, high = 0;
  double deviation = 0;  // standard, of a single sample

  /// Deviation over mean; 0 for none.
  [[nodiscard]] double noise() const { return mean > 0 ? deviation / mean : 0; }
};

[[nodiscard]] SampleStatistics statistics(std::span<const double> samples);

}  // namespace railyard::device
