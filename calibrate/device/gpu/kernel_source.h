// SPDX-License-Identifier: Apache-2.0
// The texts of code/code.cu and of the headers it includes, carried by the plug-in for compilers at run time.
#pragma once

#include <string>

namespace railyard::device::gpu {

/// One text, each header in the place of its first inclusion: hipRTC 5.2 does not take headers by name.
[[nodiscard]] std::string kernel_source();

}  // namespace railyard::device::gpu
