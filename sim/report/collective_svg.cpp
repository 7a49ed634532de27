// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/report/collective_report.h"
#include "sim/report/html/curve_chart.h"
#include "sim/report/html/document.h"

namespace railyard {

std::string collective_svg(std::span<const NamedAnswer> answers) {
  constexpr int width = 860, margin = 24;
  html::CurveChart chart{.id = "collective",
                         .title = "Bus bandwidth by size of the larger buffer",
                         .description = "A line for each cluster and number of GPUs.",
                         .value_axis = "GB/s",
                         .size_axis = "bytes",
                         .series = {}};
  for (const auto& [name, answer] : answers) {
    if (answer.rows.empty()) continue;
    const CollectiveRow& first = answer.rows.front();
    html::CurveSeries series{.name = fmt::format("{}, {} of {} GPUs", name, to_string(first.collective), first.gpus),
                             .points = {},
                             .law = {}};
    for (const CollectiveRow& row : answer.rows)
      series.law.emplace_back(row.bytes.in(byte), row.bus_bandwidth().in(gigabyte_per_second));
    chart.series.push_back(std::move(series));
  }
  const int height = html::curve_chart_pixels(chart) + 2 * margin;
  const int picture_width = width - 2 * margin, picture_height = height - 2 * margin;
  return html::svg_document(width, height,
                            html::svg_at(margin, margin, picture_width, picture_height, html::curve_chart(chart)),
                            "svg .law { stroke-width: 1.6; fill: none; }\n");
}

}  // namespace railyard
