// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/slow_devices.h"

#include <algorithm>
#include <cmath>

#include "calibrate/device/sample_statistics.h"

namespace railyard::device {

std::vector<SlowDevice> slow_devices(std::span<const DeviceSpeed> devices, double least) {
  constexpr double to_deviation = 1.4826;  // of a normal distribution, from its median absolute deviation
  constexpr double sure = 3;
  std::vector<double> rates;
  for (const DeviceSpeed& each : devices) rates.push_back(each.rate);
  const double middle = statistics(rates).median;
  std::vector<SlowDevice> slow;
  if (!(middle > 0)) return slow;
  std::vector<double> off;
  for (const double rate : rates) off.push_back(std::abs(rate - middle));
  // Of two devices the slower one is half of the scatter itself: there only the samples tell.
  const double scatter = devices.size() > 2 ? to_deviation * statistics(off).median : 0;
  for (const DeviceSpeed& each : devices) {
    const double reference = devices.size() > 2 ? middle : *std::max_element(rates.begin(), rates.end());
    const double below = 1 - each.rate / reference;
    const double noise = std::hypot(scatter, each.deviation) / reference;
    if (below > least && below > sure * noise) slow.push_back({each.name, below});
  }
  std::sort(slow.begin(), slow.end(), [](const SlowDevice& a, const SlowDevice& b) { return a.below > b.below; });
  return slow;
}

}  // namespace railyard::device
