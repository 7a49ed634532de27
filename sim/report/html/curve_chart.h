// SPDX-License-Identifier: Apache-2.0
// Measured points and the lines of laws over sizes on a logarithmic axis.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/report/html/markup.h"

namespace railyard::html {

/// Sizes (> 0) and values (>= 0), either list may be empty.
struct CurveSeries {
  std::string name;
  std::vector<std::pair<double, double>> points, law;
};
struct CurveChart {
  std::string id, title, description;
  std::string value_axis, size_axis;  // with units
  std::vector<CurveSeries> series;
};

inline constexpr int curve_chart_height = 330;  // pixels, without legend
/// Picture with its legend inside, `curve_chart_height` + 18 pixels a series high.
[[nodiscard]] Markup curve_chart(const CurveChart& chart);
[[nodiscard]] int curve_chart_pixels(const CurveChart& chart);

}  // namespace railyard::html
