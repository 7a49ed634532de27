// SPDX-License-Identifier: Apache-2.0
// AMD's libraries that read clock, power and heat. Each throws NotPossible when it is not here.
#pragma once

#include <memory>
#include <string>

#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {

[[nodiscard]] std::unique_ptr<Monitor> open_amd_smi(const std::string& bus_id);
[[nodiscard]] std::unique_ptr<Monitor> open_rocm_smi(const std::string& bus_id);

}  // namespace railyard::device::gpu
