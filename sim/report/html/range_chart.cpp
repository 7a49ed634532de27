// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/scale.h"
#include "sim/report/html/svg.h"

namespace railyard::html {
namespace {

constexpr int ranges_top = 40, ranges_bottom = 310, ranges_height = 356;  // pixels
constexpr double ranges_left = 9;                                         // percent, for the numbers of the axis

int range_pixel(const Axis& axis, double value) { return pixel_of(axis, value, ranges_top, ranges_bottom); }

double highest(const RangeChart& chart) {
  double most = 0;
  for (const RangeGroup& group : chart.groups) {
    for (const std::optional<Range<double>>& value : group.values) most = std::max(most, value ? value->high : 0);
  }
  return most;
}

Markup grid(const RangeChart& chart, const Axis& axis) {
  Markup lines = svg_text("0", 11, Anchor::start, "axis", chart.value_axis);
  for (const double tick : axis.ticks) {
    const int y = range_pixel(axis, tick);
    lines += svg_line("0", "100%", y, y, tick == 0 ? "base" : "grid");
    lines += svg_text("0", y - 4, Anchor::start, "tick", short_number(tick));
  }
  return lines + svg_text("100%", ranges_height - 6, Anchor::end, "axis", chart.group_axis);
}

Markup point(const RangeChart& chart, const RangeGroup& group, std::size_t series, const Axis& axis,
             const std::string& across) {
  const Range<double>& value = *group.values[series];
  const std::string what =
      chart.series[series] + ", " + group.label + " " + chart.group_axis + ": " + number_and_span(value);
  return element("g", {{"class", "point " + colour_class(series)}},
                 element("title", what) +
                     svg_line(across, across, range_pixel(axis, value.low), range_pixel(axis, value.high), "range") +
                     marker(series, across, range_pixel(axis, value.typical)));
}

}  // namespace

Markup range_chart(const RangeChart& chart) {
  const Axis axis = axis_to(highest(chart), 6);
  Markup content = grid(chart, axis);
  const double band = (100 - ranges_left) / static_cast<double>(std::max<std::size_t>(1, chart.groups.size()));
  // Few groups and series stand close enough to be one group.
  const double spread = std::min(0.72 * band, 9.0 * static_cast<double>(chart.series.size()));
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const RangeGroup& group = chart.groups[g];
    const double middle = ranges_left + band * (static_cast<double>(g) + 0.5);
    content += svg_text(percent_text(middle), ranges_bottom + 20, Anchor::middle, "tick strong", group.label);
    for (std::size_t s = 0; s < group.values.size(); ++s) {
      if (!group.values[s]) continue;
      const double place = (static_cast<double>(s) + 0.5) / static_cast<double>(chart.series.size()) - 0.5;
      content += point(chart, group, s, axis, percent_text(middle + spread * place));
    }
  }
  std::vector<LegendEntry> entries;
  for (std::size_t s = 0; s < chart.series.size(); ++s) entries.push_back({s, chart.series[s]});
  return figure(chart.title, legend(entries, Mark::shape),
                svg_picture(chart.id, chart.title, chart.description, ranges_height, content));
}

}  // namespace railyard::html
