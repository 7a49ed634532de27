// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/scale.h"
#include "sim/report/html/svg.h"

namespace railyard::html {
namespace {

constexpr int row = 38, text_down = 13, bar_down = 18, bar_height = 11;  // pixels
constexpr int axis_height = 40;

/// One bar from `before` to `before` + typical, its bounds as a thin bar below, and its name and figures above.
Markup draw(const WaterfallStep& step, double before, const Axis& axis, int y) {
  const std::string bounds = span(step.value);
  Markup words = element("text", {{"x", "0"}, {"y", std::to_string(y + text_down)}, {"class", "halo"}},
                         step.label + "  " + element("tspan", {{"class", "strong"}}, number(step.value.typical)) +
                             (bounds.empty() ? Markup() : element("tspan", {{"class", "tick"}, {"dx", "6"}}, bounds)));
  const double begin = axis.percent(before), end = axis.percent(before + step.value.typical);
  Markup bar = element("title", step.label + ": " + number_and_span(step.value)) +
               shape("rect", {{"x", percent_text(begin)},
                              {"y", std::to_string(y + bar_down)},
                              {"width", percent_text(end - begin)},
                              {"height", std::to_string(bar_height)}});
  Markup drawn = element("g", {{"class", "part step " + colour_class(step.colour)}}, bar);
  if (!step.value.is_exact()) {
    const std::string low = percent_text(axis.percent(before + step.value.low)),
                      high = percent_text(axis.percent(before + step.value.high));
    const int middle = y + bar_down + bar_height + 4;
    drawn +=
        element("g", {{"class", "whisker"}},
                element("title", step.label + ": " + bounds) + svg_line(low, high, middle, middle, "") +
                    svg_line(low, low, middle - 2, middle + 2, "") + svg_line(high, high, middle - 2, middle + 2, ""));
  }
  return drawn + words;
}

Markup grid(const WaterfallChart& chart, const Axis& axis, int height) {
  Markup lines;
  const int base = height - axis_height + 4;
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    const std::string across = percent_text(axis.percent(axis.ticks[i]));
    const Anchor anchor = i == 0 ? Anchor::start : i + 1 == axis.ticks.size() ? Anchor::end : Anchor::middle;
    lines += svg_line(across, across, 0, base, i == 0 ? "base" : "grid");
    lines += svg_text(across, base + 14, anchor, "tick", short_number(axis.ticks[i]));
  }
  return lines + svg_text("100%", height - 5, Anchor::end, "axis", chart.value_axis);
}

}  // namespace

Markup waterfall_chart(const WaterfallChart& chart) {
  const Axis axis = axis_to(std::max(chart.highest, chart.total.value.high), 5);
  const int height = row * static_cast<int>(chart.steps.size() + 1) + axis_height;
  Markup joints, bars;
  double before = 0;
  int y = 0;
  for (const WaterfallStep& step : chart.steps) {
    bars += draw(step, before, axis, y);
    before += step.value.typical;
    const std::string across = percent_text(axis.percent(before));
    joints += svg_line(across, across, y + bar_down, y + row + bar_down + bar_height, "joint");
    y += row;
  }
  bars += draw(chart.total, 0, axis, y);
  return figure(
      chart.title, {},
      svg_picture(chart.id, chart.title, chart.description, height, grid(chart, axis, height) + joints + bars));
}

}  // namespace railyard::html
