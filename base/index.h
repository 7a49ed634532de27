// SPDX-License-Identifier: Apache-2.0
// Places in arrays of what is numbered by int: -1 is "none" there, and counts are differences.
#pragma once

#include <cstddef>

namespace railyard {

[[nodiscard]] constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace railyard
