// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railyard::html {

double Axis::percent(double value) const { return std::clamp(100 * (value - begin) / (end - begin), 0.0, 100.0); }

Axis axis_to(double highest, int most_steps) { return axis_over(0, highest, most_steps); }

Axis axis_over(double lowest, double highest, int most_steps) {
  lowest = std::isfinite(lowest) ? std::min(lowest, 0.0) : 0;
  highest = std::isfinite(highest) ? std::max(highest, 0.0) : 0;
  constexpr double least = 1e-290;  // its powers of ten are numbers still
  if (highest - lowest < least) highest = 1;
  const auto below = [&](double step) { return std::max(0, static_cast<int>(std::ceil(-lowest / step - 1e-9))); };
  const auto above = [&](double step) { return std::max(0, static_cast<int>(std::ceil(highest / step - 1e-9))); };
  // A tick stands on zero, so an axis that reaches to both sides has a step to each at the least.
  const int most = std::max(most_steps, lowest < 0 && highest > 0 ? 2 : 1);
  const double rough = (highest - lowest) / most;
  double step = 0;
  for (double power = std::pow(10, std::floor(std::log10(rough))); step == 0; power *= 10) {
    for (const double round : {1.0, 2.0, 2.5, 5.0}) {
      // A hair of room, so that 0.3 / 3 may be one step of 0.1.
      const double each = round * power;
      if (each * (1 + 1e-9) >= rough && below(each) + above(each) <= most) {
        step = each;
        break;
      }
    }
  }
  Axis axis;
  axis.ticks.clear();
  for (int i = -below(step); i <= above(step); ++i) axis.ticks.push_back(step * i);
  axis.begin = axis.ticks.front();
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
