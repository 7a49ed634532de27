// SPDX-License-Identifier: Apache-2.0
// Machine code for AMD's GPUs that the plug-in carries, one a kind of GPU (written by the build).
#pragma once

#include <vector>

namespace railyard::device::gpu {

struct CodeObject {
  const char* architecture;  // "gfx942"
  const void* code;
};
[[nodiscard]] std::vector<CodeObject> code_objects();

}  // namespace railyard::device::gpu
