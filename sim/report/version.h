// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace railyard {

/// railyard's version, as in CMakeLists.txt.
[[nodiscard]] constexpr std::string_view version() { return RAILYARD_VERSION; }

}  // namespace railyard
