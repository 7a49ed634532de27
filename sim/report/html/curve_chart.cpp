// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/curve_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/html/figures.h"
#include "sim/report/html/scale.h"
#include "sim/report/html/svg.h"

namespace railyard::html {
namespace {

constexpr int curves_top = 60, curves_bottom = 280, legend_step = 18;
constexpr double curves_left = 9, curves_right = 97;  // percent

/// Decades from the smallest to the largest size.
struct LogAxis {
  double low = 1, high = 10;
  [[nodiscard]] std::string at(double size) const {
    const double share = std::log(size / low) / std::log(high / low);
    return percent_text(curves_left + (curves_right - curves_left) * std::clamp(share, 0.0, 1.0));
  }
};

LogAxis log_axis(const CurveChart& chart) {
  double low = 1e300, high = 0;
  for (const CurveSeries& series : chart.series) {
    for (const auto* list : {&series.points, &series.law}) {
      for (const auto& [size, value] : *list) {
        low = std::min(low, size);
        high = std::max(high, size);
      }
    }
  }
  if (!(high > 0)) return {};
  const double first = std::floor(std::log10(low)), last = std::max(first + 1, std::ceil(std::log10(high)));
  return {std::pow(10, first), std::pow(10, last)};
}

double highest(const CurveChart& chart) {
  double most = 0;
  for (const CurveSeries& series : chart.series) {
    for (const auto* list : {&series.points, &series.law}) {
      for (const auto& [size, value] : *list) most = std::max(most, value);
    }
  }
  return most;
}

int curve_pixel(const Axis& axis, double value) { return pixel_of(axis, value, curves_top, curves_bottom); }

Markup grid(const CurveChart& chart, const Axis& values, const LogAxis& sizes) {
  Markup lines = svg_text("0", 18, Anchor::start, "strong", chart.title) +
                 svg_text("0", 40, Anchor::start, "axis", chart.value_axis);
  for (const double tick : values.ticks) {
    const int y = curve_pixel(values, tick);
    lines += svg_line("0", "100%", y, y, tick == 0 ? "base" : "grid");
    lines += svg_text("0", y - 4, Anchor::start, "tick", short_number(tick));
  }
  const int decades = static_cast<int>(std::lround(std::log10(sizes.high / sizes.low)));
  const int step = decades > 8 ? 2 : 1;
  for (int i = 0; i <= decades; i += step) {
    const double size = sizes.low * std::pow(10, i);
    lines +=
        svg_text(sizes.at(size), curves_bottom + 18, Anchor::middle, "tick", fmt::format("1e{:.0f}", std::log10(size)));
  }
  return lines + svg_text("100%", curves_bottom + 38, Anchor::end, "axis", chart.size_axis);
}

}  // namespace

int curve_chart_pixels(const CurveChart& chart) {
  return curve_chart_height + legend_step * static_cast<int>(chart.series.size());
}

Markup curve_chart(const CurveChart& chart) {
  const Axis values = axis_to(highest(chart), 6);
  const LogAxis sizes = log_axis(chart);
  Markup content = grid(chart, values, sizes);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const CurveSeries& series = chart.series[i];
    Markup drawn;
    for (std::size_t p = 1; p < series.law.size(); ++p) {
      const auto& [size, value] = series.law[p - 1];
      const auto& [next_size, next_value] = series.law[p];
      drawn += svg_line(sizes.at(size), sizes.at(next_size), curve_pixel(values, value),
                        curve_pixel(values, next_value), "law");
    }
    for (const auto& [size, value] : series.points) {
      drawn += element("g", {{"class", "point"}},
                       element("title", fmt::format("{}: {} at {:.3g}", series.name, number(value), size)) +
                           marker(i, sizes.at(size), curve_pixel(values, value)));
    }
    const int y = curves_bottom + 62 + legend_step * static_cast<int>(i);
    drawn += svg_line("0", "3%", y - 4, y - 4, "law") + (series.points.empty() ? Markup() : marker(i, "1.5%", y - 4));
    content += element("g", {{"class", colour_class(i)}}, drawn) +
               svg_text("4%", y, Anchor::start, "tick", series.name + (series.law.empty() ? " (no law)" : ""));
  }
  return svg_picture(chart.id, chart.title, chart.description, curve_chart_pixels(chart), content);
}

}  // namespace railyard::html
