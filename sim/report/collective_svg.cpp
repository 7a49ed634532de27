// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/report/collective_report.h"
#include "sim/report/html/assets.h"
#include "sim/report/html/curve_chart.h"
#include "sim/report/html/svg.h"

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
  const std::string style = std::string(html::report_style()) + "svg .law { stroke-width: 1.6; fill: none; }\n";
  const html::Markup picture = html::element("svg",
                                             {{"x", std::to_string(margin)},
                                              {"y", std::to_string(margin)},
                                              {"width", std::to_string(width - 2 * margin)},
                                              {"height", std::to_string(height - 2 * margin)}},
                                             html::curve_chart(chart));
  const html::Markup page =
      html::element("svg",
                    {{"xmlns", "http://www.w3.org/2000/svg"},
                     {"width", std::to_string(width)},
                     {"height", std::to_string(height)},
                     {"font-family", "system-ui, DejaVu Sans, sans-serif"}},
                    html::element("style", html::Markup::trusted("\n" + style)) +
                        html::shape("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "var(--paper)"}}) +
                        html::marker_shapes() + picture);
  return page.text() + "\n";
}

}  // namespace railyard
