// SPDX-License-Identifier: Apache-2.0
// Charts as inline SVG that is as wide as its column: places across are percentages, letters keep their size. Every
// chart has a title and description for readers who do not see it; its data stand in a table beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/evidence.h"
#include "sim/report/html/markup.h"

namespace railyard::html {

/// A marker for the typical value on a bar from low to high: one a series in every group.
struct RangeGroup {
  std::string label;                                 // under the group: "1 024"
  std::vector<std::optional<Range<double>>> values;  // by series
};
struct RangeChart {
  std::string id;  // unique in the page
  std::string title, description;
  std::string value_axis, group_axis;  // what the axes show, with units
  std::vector<std::string> series;
  std::vector<RangeGroup> groups;
};
[[nodiscard]] Markup range_chart(const RangeChart& chart);

/// A bar of parts laid end to end.
struct StackedBar {
  std::string group;  // heading above the first bar of a group
  std::string label;
  std::vector<double> parts;           // by part of the chart, not negative
  std::optional<Range<double>> range;  // of the whole, as a thin bar below
  std::string total;                   // text of the whole
};
struct StackedChart {
  std::string id;
  std::string title, description;
  std::string value_axis;
  std::vector<std::string> parts;    // the legend leaves out those that are zero in all bars
  std::vector<std::size_t> colours;  // of the parts, when not just their order
  std::vector<StackedBar> bars;
};
[[nodiscard]] Markup stacked_chart(const StackedChart& chart);

/// A sum built up: every bar stands where the one before it ended, the whole stands on zero.
struct WaterfallStep {
  std::string label;
  Range<double> value;  // of a change: of either sign
  std::size_t colour = 0;
  bool change = false;  // written with its sign
};
struct WaterfallChart {
  std::string id;
  std::string title, description;
  std::string value_axis;
  double highest = 0;  // the axis reaches at least this far, so that charts side by side have one scale
  std::vector<WaterfallStep> steps;
  WaterfallStep total;
};
/// Pixels that the picture is high.
[[nodiscard]] int waterfall_pixels(const WaterfallChart& chart);
/// The picture alone, and with its title above it.
[[nodiscard]] Markup waterfall_picture(const WaterfallChart& chart);
[[nodiscard]] Markup waterfall_chart(const WaterfallChart& chart);

}  // namespace railyard::html
