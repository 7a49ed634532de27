// SPDX-License-Identifier: Apache-2.0
// Which devices of a node are slower than their like. Pure arithmetic.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace railyard::device {

struct DeviceSpeed {
  std::string name;      // "GPU 3"
  double rate = 0;       // of the same work on each
  double deviation = 0;  // of the samples behind it
};

struct SlowDevice {
  std::string name;
  double below = 0;  // share by which it is slower than the median device
};

/// A device is slow when it is below the median by more than `least` and by more than three times what scatter
/// explains: the devices' own (median absolute deviation, as a standard deviation) and that of its samples. The slowest
/// first.
[[nodiscard]] std::vector<SlowDevice> slow_devices(std::span<const DeviceSpeed> devices, double least = 0.03);

}  // namespace railyard::device
