// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

constexpr std::size_t total_colour = purchase_count;  // none of a purchase

Markup purchases_chart(const StudyResult& result, const std::vector<Purchase>& purchases) {
  StackedChart chart{.id = "capex-chart",
                     .title = "Capex per GPU of the job, clusters side by side",
                     .description =
                         "One bar a cluster at the smallest and at the largest size; the thin bar below spans "
                         "the bounds of the whole. The table below has the same figures.",
                     .value_axis = "k$ per GPU of the job",
                     .parts = names_of(purchases),
                     .colours = colours_of(purchases),
                     .bars = {}};
  for (const int gpus : end_sizes(result)) {
    for (const Bought& each : bought_at(result, gpus)) {
      const auto per_gpu = [&](Dollars cost) { return cost.in(1000.0 * dollar) / gpus; };
      StackedBar bar{.group = gpus_text(gpus), .label = each.name, .parts = {}, .range = {}, .total = {}};
      for (const Purchase purchase : purchases) {
        bar.parts.push_back(per_gpu(cost_of(*each.row, purchase).typical));
      }
      const Range<Dollars> total = each.row->capex.total();
      bar.range = Range<double>{per_gpu(total.low), per_gpu(total.typical), per_gpu(total.high)};
      bar.total = number(bar.range->typical) + " k$";
      chart.bars.push_back(std::move(bar));
    }
  }
  return stacked_chart(chart);
}

/// How the capex of each cluster adds up at one size, on one scale.
Markup waterfalls_of(const StudyResult& result, int gpus) {
  const std::vector<Bought> all = bought_at(result, gpus);
  double highest = 0;
  for (const Bought& each : all) highest = std::max(highest, each.row->capex.total().high.in(million));
  Markup charts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ResultRow& row = *all[i].row;
    WaterfallChart chart{.id = fmt::format("capex-{}-{}", gpus, i),
                         .title = all[i].name,
                         .description = fmt::format("Capex of {} with {}: each bar begins where the one before it "
                                                    "ended, the thin bar below it spans its bounds, the last is the "
                                                    "total. The table below has the same figures.",
                                                    all[i].name, gpus_text(gpus)),
                         .value_axis = "M$",
                         .highest = highest,
                         .steps = {},
                         .total = {"total", in_unit(row.capex.total(), million), total_colour}};
    for (const PurchaseCost& each : purchases_of(row)) {
      chart.steps.push_back({std::string(to_string(each.purchase)), in_unit(each.cost, million),
                             static_cast<std::size_t>(each.purchase)});
    }
    charts += waterfall_chart(chart);
  }
  return element("h3", "How the capex adds up at " + gpus_text(gpus) + ", M$") +
         element("div", {{"class", "waterfalls"}}, charts);
}

Markup purchases_table(const StudyResult& result, const std::vector<Purchase>& purchases) {
  HtmlTable table{.id = "capex",
                  .caption = "Capex by what it buys, M$; ranges in small letters",
                  .header = {"Cluster", "GPUs"},
                  .numeric = {false, true},
                  .rows = {}};
  for (const std::string& name : names_of(purchases)) table.header.push_back(name);
  for (const char* name : {"total, M$", "total per GPU, $", "back-end network, %"}) table.header.emplace_back(name);
  table.numeric.resize(table.header.size(), true);
  for (const int gpus : sizes_of(result)) {
    table.rules.push_back(table.rows.size());
    for (const Bought& each : bought_at(result, gpus)) {
      std::vector<Markup> cells{each.name, count(gpus)};
      for (const Purchase purchase : purchases) {
        cells.push_back(ranged_cell(in_unit(cost_of(*each.row, purchase), million)));
      }
      const Range<Dollars> total = each.row->capex.total();
      cells.push_back(ranged_cell(in_unit(total, million)));
      cells.push_back(count(total.typical.in(dollar) / gpus));
      cells.push_back(number(100 * (each.row->capex.network().typical / total.typical)));
      table.rows.push_back(std::move(cells));
    }
  }
  return to_markup(table);
}

}  // namespace

Section capex_section(const StudyResult& result) {
  const std::vector<Purchase> purchases = purchases_of(result, false);
  Markup body;
  for (const int gpus : end_sizes(result)) body += waterfalls_of(result, gpus);
  body += purchases_chart(result, purchases) + purchases_table(result, purchases);
  body += paragraph(
      "Everything bought is counted, spare servers too. Switches, modules and cables are those of the back-end "
      "network; "
      "the storage and management networks are whole, with theirs. A server's price covers what its maker includes, "
      "which is listed at 0 $ among the assumptions and not billed again.");
  return {"capex-section", "Capex", body};
}

}  // namespace railyard::html
