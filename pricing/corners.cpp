// SPDX-License-Identifier: Apache-2.0
#include "pricing/corners.h"

#include <algorithm>

namespace railyard {

Corners evaluate_corners(std::span<const Range<double>> inputs,
                         const std::function<double(std::span<const double>)>& function) {
  std::vector<double> point;
  for (const Range<double>& input : inputs) point.push_back(input.typical);
  Corners corners;
  const double typical = function(point);
  std::vector<double> lowering = point;
  std::vector<double> raising = point;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Swing swing{typical, typical};
    if (!inputs[i].is_exact()) {
      point[i] = inputs[i].low;
      swing.at_low = function(point);
      point[i] = inputs[i].high;
      swing.at_high = function(point);
      point[i] = inputs[i].typical;
      lowering[i] = swing.rises() ? inputs[i].low : inputs[i].high;
      raising[i] = swing.rises() ? inputs[i].high : inputs[i].low;
    }
    corners.swings.push_back(swing);
  }
  // An input with its typical value at one end may be flat there; the typical result still lies inside the range.
  corners.result = {std::min(function(lowering), typical), typical, std::max(function(raising), typical)};
  return corners;
}

}  // namespace railyard
