// SPDX-License-Identifier: Apache-2.0
// The host as a device: products and attention through Eigen, memory kernels on all threads, time from the clock. Its
// queue runs each work at once; there is nothing to block.
#pragma once

#include <memory>

#include "calibrate/device/device.h"

namespace railyard::device {

/// Takes as many threads as the process may run on.
[[nodiscard]] std::unique_ptr<Device> open_host();

}  // namespace railyard::device
