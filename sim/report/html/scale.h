// SPDX-License-Identifier: Apache-2.0
// A linear axis with round ticks, and the percentages that place things on it.
#pragma once

#include <string>
#include <vector>

namespace railyard::html {

struct Axis {
  double begin = 0, end = 1;  // values at its ends: the first and the last tick
  std::vector<double> ticks;  // equally far apart, zero among them
  /// 0 at the beginning, 100 at the end; values beyond are clamped.
  [[nodiscard]] double percent(double value) const;
};

/// The shortest axis from zero to at least `highest` whose steps are 1, 2, 2.5 or 5 times a power of ten and at most
/// `most_steps` (at least 1). A highest value that is not positive counts as 1.
[[nodiscard]] Axis axis_to(double highest, int most_steps);

/// The same from `lowest` or less to `highest` or more, each of them zero at the least (most); an axis of nothing is
/// one from zero to 1.
[[nodiscard]] Axis axis_over(double lowest, double highest, int most_steps);

/// "12.5%": at most two decimals, none that are zero.
[[nodiscard]] std::string percent_text(double percent);

/// Where a value stands on a vertical axis drawn from pixel `bottom` (its start) up to pixel `top` (its end).
[[nodiscard]] int pixel_of(const Axis& axis, double value, int top, int bottom);

}  // namespace railyard::html
