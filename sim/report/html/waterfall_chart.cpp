// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/scale.h"
#include "sim/report/html/svg.h"

namespace railyard::html {
namespace {

// Pixels of a row: the words stand above the bar, the bounds below it; no line but the grid's passes the band of words.
constexpr int step_pixels = 38, words_end = 16, text_down = 13, bar_down = 18, step_thickness = 11;
constexpr int steps_axis_pixels = 40;

std::string signed_number(double value) {
  return value == 0 ? number(0) : (value < 0 ? "\u2212" : "+") + number(std::fabs(value));
}

/// "0.24", of a change "+0.24".
std::string value_text(const WaterfallStep& step) {
  return step.change ? signed_number(step.value.typical) : number(step.value.typical);
}

std::string bounds_text(const WaterfallStep& step) {
  if (!step.change) return span(step.value);
  if (step.value.is_exact()) return {};
  return signed_number(step.value.low) + " to " + signed_number(step.value.high);
}

/// One bar from `before` to `before` + typical, its bounds as a thin bar below, and its name and figures above.
Markup draw(const WaterfallStep& step, double before, const Axis& axis, int y) {
  const std::string value = value_text(step), bounds = bounds_text(step);
  Markup words = element("text", {{"x", "6"}, {"y", std::to_string(y + text_down)}, {"class", "halo"}},
                         step.label + "  " + element("tspan", {{"class", "strong"}}, value) +
                             (bounds.empty() ? Markup() : element("tspan", {{"class", "tick"}, {"dx", "6"}}, bounds)));
  const double after = before + step.value.typical;
  const double begin = axis.percent(std::min(before, after)), end = axis.percent(std::max(before, after));
  Markup bar = element("title", step.label + ": " + value + (bounds.empty() ? "" : " (" + bounds + ")")) +
               shape("rect", {{"x", percent_text(begin)},
                              {"y", std::to_string(y + bar_down)},
                              {"width", percent_text(end - begin)},
                              {"height", std::to_string(step_thickness)}});
  Markup drawn = element("g", {{"class", "part step " + colour_class(step.colour)}}, bar);
  if (!step.value.is_exact()) {
    const std::string low = percent_text(axis.percent(before + step.value.low)),
                      high = percent_text(axis.percent(before + step.value.high));
    const int middle = y + bar_down + step_thickness + 4;
    drawn +=
        element("g", {{"class", "whisker"}},
                element("title", step.label + ": " + bounds) + svg_line(low, high, middle, middle, "") +
                    svg_line(low, low, middle - 2, middle + 2, "") + svg_line(high, high, middle - 2, middle + 2, ""));
  }
  return drawn + words;
}

/// From the end of a bar to the beginning of the next, left out where that one's words stand.
Markup joint(const std::string& across, int y) {
  return svg_line(across, across, y + bar_down, y + step_pixels, "joint") +
         svg_line(across, across, y + step_pixels + words_end, y + step_pixels + bar_down + step_thickness, "joint");
}

Markup grid(const WaterfallChart& chart, const Axis& axis, int height) {
  Markup lines;
  const int base = height - steps_axis_pixels + 4;
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    const std::string across = percent_text(axis.percent(axis.ticks[i]));
    const Anchor anchor = i == 0 ? Anchor::start : i + 1 == axis.ticks.size() ? Anchor::end : Anchor::middle;
    lines += svg_line(across, across, 0, base, axis.ticks[i] == 0 ? "base" : "grid");
    lines += svg_text(across, base + 14, anchor, "tick", short_number(axis.ticks[i]));
  }
  return lines + svg_text("100%", height - 5, Anchor::end, "axis", chart.value_axis);
}

Axis axis_of(const WaterfallChart& chart) {
  double before = 0, lowest = std::min(0.0, chart.total.value.low),
         highest = std::max(chart.highest, chart.total.value.high);
  for (const WaterfallStep& step : chart.steps) {
    lowest = std::min(lowest, before + step.value.low);
    highest = std::max(highest, before + step.value.high);
    before += step.value.typical;
  }
  return axis_over(lowest, highest, 5);
}

}  // namespace

int waterfall_pixels(const WaterfallChart& chart) {
  return step_pixels * static_cast<int>(chart.steps.size() + 1) + steps_axis_pixels;
}

Markup waterfall_picture(const WaterfallChart& chart) {
  const Axis axis = axis_of(chart);
  const int height = waterfall_pixels(chart);
  Markup joints, bars;
  double before = 0;
  int y = 0;
  for (const WaterfallStep& step : chart.steps) {
    bars += draw(step, before, axis, y);
    before += step.value.typical;
    joints += joint(percent_text(axis.percent(before)), y);
    y += step_pixels;
  }
  bars += draw(chart.total, 0, axis, y);
  return svg_picture(chart.id, chart.title, chart.description, height, grid(chart, axis, height) + joints + bars);
}

Markup waterfall_chart(const WaterfallChart& chart) { return figure(chart.title, {}, waterfall_picture(chart)); }

}  // namespace railyard::html
