// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railyard::html {

double Axis::percent(double value) const { return std::clamp(100 * value / end, 0.0, 100.0); }

Axis axis_to(double highest, int most_steps) {
  if (!(highest > 0) || !std::isfinite(highest)) highest = 1;
  const double rough = highest / std::max(1, most_steps);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double round : {1.0, 2.0, 2.5, 5.0}) {
    // A hair of room, so that 0.3 / 3 may be one step of 0.1.
    if (round * power * (1 + 1e-9) >= rough) {
      step = round * power;
      break;
    }
  }
  const int steps = std::max(1, static_cast<int>(std::ceil(highest / step - 1e-9)));
  Axis axis;
  for (int i = 0; i <= steps; ++i) axis.ticks.push_back(step * i);
  axis.end = axis.ticks.back();
  return axis;
}

std::string percent_text(double percent) {
  std::string text = fmt::format("{:.2f}", percent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0%" : text + "%";
}

int pixel_of(const Axis& axis, double value, int top, int bottom) {
  return bottom - static_cast<int>(std::lround(axis.percent(value) / 100 * (bottom - top)));
}

}  // namespace railyard::html
