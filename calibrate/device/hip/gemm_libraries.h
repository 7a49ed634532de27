// SPDX-License-Identifier: Apache-2.0
// AMD's libraries of products. Each throws NotPossible when it is not here.
#pragma once

#include <memory>

#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {

[[nodiscard]] std::unique_ptr<GemmLibrary> open_hipblaslt();
[[nodiscard]] std::unique_ptr<GemmLibrary> open_rocblas();

}  // namespace railyard::device::gpu
