// SPDX-License-Identifier: Apache-2.0
// AMD's HIP runtime, opened while the program runs: hip_library.cpp gives every function of it that the plug-in calls,
// so that the plug-in loads on any machine and works with the runtime found there.
#pragma once

#include <string>
#include <vector>

namespace railyard::device::gpu {

/// Files of the runtime, newest first.
[[nodiscard]] std::vector<std::string> hip_library_names();

/// "gfx942" of device number `device`. Throws std::runtime_error when the runtime does not tell.
[[nodiscard]] std::string device_architecture(int device);

}  // namespace railyard::device::gpu
