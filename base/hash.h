// SPDX-License-Identifier: Apache-2.0
// A short name for the inputs of a result: equal inputs give equal names.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace railyard {

/// 16 hexadecimal digits, FNV-1a of 64 bits over the texts in order; identity, not security.
[[nodiscard]] std::string hash_text(std::initializer_list<std::string_view> texts);

}  // namespace railyard
