// SPDX-License-Identifier: Apache-2.0
// The range of a result whose inputs are ranges, when it rises or falls with each of them: two corner evaluations.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/evidence.h"

namespace railyard {

/// How far one input alone moves the result, the others typical (a bar of a tornado chart).
struct Swing {
  double at_low = 0, at_high = 0;  // result at the input's low and high end
  [[nodiscard]] bool rises() const { return at_high >= at_low; }
  [[nodiscard]] double width() const { return rises() ? at_high - at_low : at_low - at_high; }
};

struct Corners {
  Range<double> result;
  std::vector<Swing> swings;  // one an input, in order
};

/// Evaluates `function` with all inputs typical, finds numerically which end of each input lowers it, then evaluates
/// the two corners in which every input sits at its lowering (raising) end. These are the true extremes when the
/// function is monotone in each input in the same direction over the whole box.
[[nodiscard]] Corners evaluate_corners(std::span<const Range<double>> inputs,
                                       const std::function<double(std::span<const double>)>& function);

}  // namespace railyard
