// SPDX-License-Identifier: Apache-2.0
// Shares where a condition compares one: people write "40 %" or 0.4.
#pragma once

#include <cmath>
#include <string_view>

#include "base/quantity_text.h"

namespace railyard {

/// Reads a share as "40 %", or as a plain number from -1 to 1: one beyond may have been meant in percent and is
/// refused. Never throws.
[[nodiscard]] inline QuantityText parse_share_or_number(std::string_view text) {
  if (text.find('%') != std::string_view::npos) return parse_quantity(text, units::share);
  QuantityText number = parse_number(text);
  if (number.ok() && std::fabs(number.base) > 1) number.error = "a share is written as '3 %' or '0.03'";
  return number;
}

}  // namespace railyard
