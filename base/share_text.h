// SPDX-License-Identifier: Apache-2.0
// Shares where a condition compares one: people write "40 %" or 0.4.
#pragma once

#include <string_view>

#include "base/quantity_text.h"

namespace railyard {

/// Reads a share as "40 %" or as a plain number, "0.4"; never throws.
[[nodiscard]] inline QuantityText parse_share_or_number(std::string_view text) {
  return text.find('%') == std::string_view::npos ? parse_number(text) : parse_quantity(text, units::share);
}

}  // namespace railyard
