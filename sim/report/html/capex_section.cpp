// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

const Dollars million = 1e6 * dollar;

Markup chart_of(const StudyResult& result, const std::vector<std::string>& categories) {
  StackedChart chart{.id = "capex-chart",
                     .title = "Capex per GPU of the job, by category",
                     .description =
                         "One bar a cluster at the smallest and at the largest size; the thin bar below spans "
                         "the bounds of the whole. The table below has the same figures.",
                     .value_axis = "k$ per GPU of the job",
                     .parts = categories,
                     .colours = colours_of(categories),
                     .bars = {}};
  for (const int gpus : end_sizes(result)) {
    for (const Bought& each : bought_at(result, gpus)) {
      const Capex& capex = each.row->capex;
      const auto per_gpu = [&](Dollars cost) { return cost.in(1000.0 * dollar) / gpus; };
      StackedBar bar{.group = gpus_text(gpus), .label = each.name, .parts = {}, .range = {}, .total = {}};
      for (const std::string& category : categories) {
        bar.parts.push_back(per_gpu(category_cost(capex, category, false).typical));
      }
      const Range<Dollars> total = capex.total();
      bar.range = Range<double>{per_gpu(total.low), per_gpu(total.typical), per_gpu(total.high)};
      bar.total = number(bar.range->typical) + " k$";
      chart.bars.push_back(std::move(bar));
    }
  }
  return stacked_chart(chart);
}

Markup table_of(const StudyResult& result, const std::vector<std::string>& categories) {
  HtmlTable table{.id = "capex",
                  .caption = "Capex by category, M$; ranges in small letters",
                  .header = {"Cluster", "GPUs"},
                  .numeric = {false, true},
                  .rows = {}};
  table.header.insert(table.header.end(), categories.begin(), categories.end());
  for (const char* name : {"total, M$", "total, $/GPU", "network, %"}) table.header.emplace_back(name);
  table.numeric.resize(table.header.size(), true);
  for (const int gpus : sizes_of(result)) {
    table.rules.push_back(table.rows.size());
    for (const Bought& each : bought_at(result, gpus)) {
      const Capex& capex = each.row->capex;
      std::vector<Markup> cells{each.name, count(gpus)};
      for (const std::string& category : categories) {
        cells.push_back(ranged_cell(in_unit(category_cost(capex, category, false), million)));
      }
      const Range<Dollars> total = capex.total();
      cells.push_back(ranged_cell(in_unit(total, million)));
      cells.push_back(count(total.typical.in(dollar) / gpus));
      cells.push_back(number(100 * (capex.network().typical / total.typical)));
      table.rows.push_back(std::move(cells));
    }
  }
  return to_markup(table);
}

}  // namespace

Section capex_section(const StudyResult& result) {
  const std::vector<std::string> categories = categories_of(result, false);
  return {"capex-section", "Capex by category",
          chart_of(result, categories) + table_of(result, categories) +
              paragraph("Everything bought is counted, spare servers too; a server's price covers what its maker "
                        "includes, which is listed at 0 $ among the assumptions and not billed again.")};
}

}  // namespace railyard::html
