// SPDX-License-Identifier: Apache-2.0
// Numbers as the report writes them: three or four digits, thousands apart by a blank that does not break.
#pragma once

#include <string>
#include <vector>

#include "base/evidence.h"

namespace railyard::html {

/// "1 234.5" with `digits` significant digits.
[[nodiscard]] std::string number(double value, int digits = 3);
/// The same without zeros at the end: "1.5", "730".
[[nodiscard]] std::string short_number(double value, int digits = 5);
/// With as many decimals as `like` has at `digits` significant digits: parts beside their sum. What would round to zero
/// is "< 0.001".
[[nodiscard]] std::string number_like(double value, double like, int digits = 4);
/// A whole number.
[[nodiscard]] std::string count(double value);
/// "2.71 to 6.69"; empty for an exact range.
[[nodiscard]] std::string span(const Range<double>& range, int digits = 3);
/// "4.01 (2.71 to 6.69)".
[[nodiscard]] std::string number_and_span(const Range<double>& range, int digits = 3);
/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

}  // namespace railyard::html
