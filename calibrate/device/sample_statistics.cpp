// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace railyard::device {

SampleStatistics statistics(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  SampleStatistics result{.count = static_cast<int>(sorted.size()), .low = sorted.front(), .high = sorted.back()};
  result.median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  double sum = 0, squares = 0;
  for (const double value : sorted) sum += value;
  result.mean = sum / static_cast<double>(sorted.size());
  for (const double value : sorted) squares += (value - result.mean) * (value - result.mean);
  if (sorted.size() > 1) result.deviation = std::sqrt(squares / static_cast<double>(sorted.size() - 1));
  return result;
}

}  // namespace railyard::device
