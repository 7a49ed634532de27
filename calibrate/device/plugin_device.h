// SPDX-License-Identifier: Apache-2.0
// Devices of this machine: GPUs through plug-ins that are opened while the program runs, and the host itself. Without
// GPU software everything else still works; what is missing is said.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "calibrate/device/device.h"

namespace railyard::device {

/// No such device answers; what() says what is missing (exit code 77).
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class DeviceChoice { automatic, cuda, hip, host };

/// Folders that are searched for railyard_cuda.so and railyard_hip.so, in this order: RAILYARD_PLUGINS, that of
/// `program`, and the install's lib/railyard beside it.
[[nodiscard]] std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& program);

/// Opens the plug-in `name` ("cuda") found first in `folders` and its devices. Throws NoDevice.
[[nodiscard]] std::unique_ptr<Device> open_plugin(std::string_view name,
                                                  const std::vector<std::filesystem::path>& folders);

/// `automatic` takes CUDA, else HIP, else the host. Throws NoDevice.
[[nodiscard]] std::unique_ptr<Device> open_device(DeviceChoice choice,
                                                  const std::vector<std::filesystem::path>& folders);

}  // namespace railyard::device
