// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/scale.h"
#include "sim/report/html/svg.h"

namespace railyard::html {
namespace {

constexpr int group_pixels = 26, bar_pixels = 52, bar_thickness = 18;  // pixels
constexpr int axis_pixels = 42;
constexpr std::size_t longest_label = 38;  // letters that fit beside the total on a narrow screen

std::size_t colour_of(const StackedChart& chart, std::size_t part) {
  return part < chart.colours.size() ? chart.colours[part] : part;
}

double total(const StackedBar& bar) { return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0); }

double highest(const StackedChart& chart) {
  double most = 0;
  for (const StackedBar& bar : chart.bars) most = std::max({most, total(bar), bar.range ? bar.range->high : 0});
  return most;
}

/// The text, cut at a letter (not inside one of UTF-8) when it is too long.
std::string shortened(const std::string& text) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U;
    if (begins && ++letters > longest_label) return text.substr(0, i) + "\u2026";
  }
  return text;
}

Markup draw(const StackedChart& chart, const StackedBar& bar, const Axis& axis, int y) {
  Markup drawn = element("text", {{"x", "0"}, {"y", std::to_string(y + 13)}, {"class", "halo"}},
                         shortened(bar.label) + "  " + element("tspan", {{"class", "strong"}}, bar.total));
  double before = 0;
  for (std::size_t i = 0; i < bar.parts.size(); ++i) {
    if (bar.parts[i] <= 0) continue;
    const double begin = axis.percent(before), end = axis.percent(before += bar.parts[i]);
    drawn += element("g", {{"class", "part " + colour_class(colour_of(chart, i))}},
                     element("title", bar.label + ": " + chart.parts[i] + " " + number(bar.parts[i])) +
                         shape("rect", {{"x", percent_text(begin)},
                                        {"y", std::to_string(y + 19)},
                                        {"width", percent_text(end - begin)},
                                        {"height", std::to_string(bar_thickness)}}));
  }
  if (bar.range && !bar.range->is_exact()) {
    const std::string low = percent_text(axis.percent(bar.range->low)),
                      high = percent_text(axis.percent(bar.range->high));
    const int middle = y + 19 + bar_thickness + 5;
    drawn += element("g", {{"class", "whisker"}},
                     element("title", bar.label + ": " + number_and_span(*bar.range)) +
                         svg_line(low, high, middle, middle, "") + svg_line(low, low, middle - 3, middle + 3, "") +
                         svg_line(high, high, middle - 3, middle + 3, ""));
  }
  return drawn;
}

Markup grid(const StackedChart& chart, const Axis& axis, int height) {
  Markup lines;
  const int base = height - axis_pixels + 4;
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    const std::string across = percent_text(axis.percent(axis.ticks[i]));
    const Anchor anchor = i == 0 ? Anchor::start : i + 1 == axis.ticks.size() ? Anchor::end : Anchor::middle;
    if (i > 0) lines += svg_line(across, across, 0, base, "grid");
    lines += svg_text(across, base + 14, anchor, "tick", short_number(axis.ticks[i]));
  }
  return lines + svg_text("100%", height - 6, Anchor::end, "axis", chart.value_axis);
}

}  // namespace

Markup stacked_chart(const StackedChart& chart) {
  const Axis axis = axis_to(highest(chart), 5);
  int y = 0;
  Markup bars;
  std::string group;
  for (const StackedBar& bar : chart.bars) {
    if (bar.group != group) {
      group = bar.group;
      bars += svg_text("0", y + 17, Anchor::start, "group halo", group);
      y += group_pixels;
    }
    bars += draw(chart, bar, axis, y);
    y += bar_pixels;
  }
  const int height = y + axis_pixels;
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < chart.parts.size(); ++i) {
    const auto shows = [&](const StackedBar& bar) { return bar.parts[i] > 0; };
    if (std::any_of(chart.bars.begin(), chart.bars.end(), shows))
      entries.push_back({colour_of(chart, i), chart.parts[i]});
  }
  return figure(chart.title, legend(entries, Mark::square),
                svg_picture(chart.id, chart.title, chart.description, height, grid(chart, axis, height) + bars));
}

}  // namespace railyard::html
