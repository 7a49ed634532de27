// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/fields.h"
#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

std::vector<std::string> clusters_of(const StudyResult& result) {
  std::vector<std::string> names;
  for (const ResultRow& row : result.rows) {
    if (std::find(names.begin(), names.end(), row.cluster) == names.end()) names.push_back(row.cluster);
  }
  return names;
}

Markup ranges_chart(const StudyResult& result) {
  RangeChart chart{.id = "headline-chart",
                   .title = "Cost of an effective training PFLOP/s by size",
                   .description = {},
                   .value_axis = "$/h per effective PFLOP/s",
                   .group_axis = "GPUs",
                   .series = clusters_of(result),
                   .groups = {}};
  chart.description =
      "For every size one bar a cluster, from the lowest to the highest bound, with a mark at the typical "
      "value. The table below has the same figures.";
  for (const int gpus : sizes_of(result)) {
    RangeGroup group{count(gpus), {}};
    group.values.resize(chart.series.size());
    for (const ResultRow& row : result.rows) {
      if (row.gpus != gpus) continue;
      const auto series = std::find(chart.series.begin(), chart.series.end(), row.cluster) - chart.series.begin();
      group.values[static_cast<std::size_t>(series)] = row.usd_per_pflop_hour;
    }
    chart.groups.push_back(std::move(group));
  }
  return range_chart(chart);
}

Markup headline_table(const StudyResult& result) {
  HtmlTable table{.id = "headline",
                  .caption = "By size and cluster; ranges in small letters",
                  .header = {"Cluster", "GPUs"},
                  .numeric = {false, true},
                  .rows = {}};
  const std::vector<std::string_view> keys{"usd_per_effective_pflop_hour",
                                           "effective_pflops",
                                           "step_time_s",
                                           "mfu",
                                           "goodput",
                                           "owner_usd_per_gpu_hour",
                                           "capex_usd",
                                           "power_w",
                                           "assumed_cost_share"};
  for (const std::string_view key : keys) {
    const Field& field = result_field(key);
    table.header.push_back(field.unit.empty() ? std::string(field.label)
                                              : fmt::format("{}, {}", field.label, field.unit));
    table.numeric.push_back(true);
  }
  for (const int gpus : sizes_of(result)) {
    table.rules.push_back(table.rows.size());
    for (const ResultRow& row : result.rows) {
      if (row.gpus != gpus) continue;
      std::vector<Markup> cells{row.cluster, count(gpus)};
      for (const std::string_view key : keys) {
        const Field& field = result_field(key);
        const Range<double> value = field.value(row) * (1 / field.per_unit);
        cells.push_back(ranged_cell(value));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return to_markup(table);
}

/// "H100 Spectrum-X, 3.95 (2.65 to 6.52)".
std::string named_figure(const StudyResult& result, const std::string& cluster, int gpus) {
  for (const ResultRow& row : result.rows) {
    if (row.cluster == cluster && row.gpus == gpus) return cluster + ", " + number_and_span(row.usd_per_pflop_hour);
  }
  return cluster;
}

std::string sentence_of(const StudyResult& result, const Verdict& verdict) {
  const std::string lowest = named_figure(result, verdict.lowest, verdict.gpus),
                    rival = named_figure(result, verdict.rival, verdict.gpus);
  return gpus_text(verdict.gpus) + (verdict.resolved
                                        ? ": cheapest is " + lowest + "; next is " + rival
                                        : ": not resolved; the ranges of " + lowest + ", and " + rival + ", overlap");
}

}  // namespace

Section headline_section(const StudyResult& result) {
  Markup verdicts;
  for (const Verdict& verdict : result.verdicts) verdicts += element("li", sentence_of(result, verdict));
  Markup body = ranges_chart(result);
  if (!verdicts.empty()) body += element("ul", {{"class", "verdicts"}}, verdicts);
  body += paragraph(
      "Headline: owner cost per hour of everything bought, spares too, at owned hours, over the effective PFLOP/s of "
      "the job: GPUs of the job \u00d7 model FLOP/s per GPU \u00d7 goodput.");
  body += headline_table(result);
  return {"headline-section", "Headline by cluster and size", body};
}

}  // namespace railyard::html
