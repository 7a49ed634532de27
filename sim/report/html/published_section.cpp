// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

constexpr std::size_t published_colour = purchase_count;  // none of an item

/// A comparison under the name of the clusters that were bought alike.
struct Named {
  const OwnerComparison* comparison = nullptr;
  std::string name;
};

std::vector<Named> comparisons_of(const StudyResult& result) {
  std::vector<Named> list;
  for (const OwnerComparison& each : result.published_costs) {
    for (const Bought& bought : bought_at(result, each.gpus)) {
      if (bought.row->cluster == each.cluster) list.push_back({&each, bought.name});
    }
  }
  return list;
}

std::vector<std::string> items_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& each : all) {
    for (const auto& [name, value] : each.comparison->items) {
      if (value > 0 && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

double item(const OwnerComparison& comparison, const std::string& name) {
  for (const auto& [each, value] : comparison.items) {
    if (each == name) return value;
  }
  return 0;
}

Markup chart_of(const std::vector<Named>& all, const std::vector<std::string>& items) {
  StackedChart chart{.id = "published-chart",
                     .title = "Owner cost per owned GPU-hour, this study's by item beside the published total",
                     .description =
                         "Two bars a cluster: this study's owner cost split by item, with its bounds as a thin bar "
                         "below, and the published total. The table below has the same figures.",
                     .value_axis = "$ per owned GPU-hour",
                     .parts = items,
                     .colours = {},
                     .bars = {}};
  for (std::size_t i = 0; i < items.size(); ++i) chart.colours.push_back(i);
  chart.parts.emplace_back("published, not itemised");
  chart.colours.push_back(published_colour);
  for (const Named& each : all) {
    const OwnerComparison& comparison = *each.comparison;
    StackedBar ours{.group = each.name + ", " + gpus_text(comparison.gpus),
                    .label = "this study",
                    .parts = {},
                    .range = comparison.ours,
                    .total = number(comparison.ours.typical) + " $/h"};
    for (const std::string& name : items) ours.parts.push_back(item(comparison, name));
    ours.parts.push_back(0);
    StackedBar published{.group = ours.group,
                         .label = "published " + comparison.date,
                         .parts = std::vector<double>(chart.parts.size()),
                         .range = {},
                         .total = number(comparison.published) + " $/h"};
    published.parts.back() = comparison.published;
    chart.bars.push_back(std::move(ours));
    chart.bars.push_back(std::move(published));
  }
  return stacked_chart(chart);
}

std::string signed_number(double value, int decimals) {
  return fmt::format("{}{:.{}f}", value < 0 ? "\u2212" : "+", std::abs(value), decimals);
}

Markup table_of(const std::vector<Named>& all, const std::vector<std::string>& items) {
  HtmlTable table{.id = "published",
                  .caption = "The difference by item, $ per owned GPU-hour, typical values; range in small letters",
                  .header = {"Item"},
                  .numeric = {false},
                  .rows = {}};
  for (const Named& each : all) table.header.push_back(each.name + ", " + gpus_text(each.comparison->gpus));
  table.numeric.resize(table.header.size(), true);
  const auto add = [&](const std::string& name, const auto& cell_of) {
    std::vector<Markup> cells{name};
    for (const Named& each : all) cells.push_back(cell_of(*each.comparison));
    table.rows.push_back(std::move(cells));
  };
  for (const std::string& name : items) {
    add(name, [&](const OwnerComparison& each) { return Markup(fmt::format("{:.3f}", item(each, name))); });
  }
  table.rules.push_back(table.rows.size());
  table.totals.push_back(table.rows.size());
  add("this study", [](const OwnerComparison& each) { return ranged_cell(each.ours); });
  table.totals.push_back(table.rows.size());
  add("published", [](const OwnerComparison& each) { return Markup(number(each.published)); });
  add("difference", [](const OwnerComparison& each) { return Markup(signed_number(each.difference, 2)); });
  add("difference, %",
      [](const OwnerComparison& each) { return Markup(signed_number(100 * each.difference / each.published, 0)); });
  add("published is", [](const OwnerComparison& each) {
    return Markup(each.published < each.ours.low    ? "below our range"
                  : each.published > each.ours.high ? "above our range"
                                                    : "within our range");
  });
  return to_markup(table);
}

std::string sources_text(const std::vector<Named>& all) {
  std::vector<std::string> sources;
  for (const Named& each : all) {
    const std::string source = fmt::format("{} ({})", each.comparison->source, each.comparison->date);
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
  return joined(sources);
}

}  // namespace

Section published_section(const StudyResult& result) {
  const std::vector<Named> all = comparisons_of(result);
  if (all.empty()) return {};
  const std::vector<std::string> items = items_of(all);
  const std::string text = fmt::format(
      "This study's owner cost, at its prices of {} and its terms, beside what others published for the GPU and a "
      "{}; no figure of ours is derived from theirs. They publish a total without items, so the items are ours: they "
      "show what would have to be cheaper or dearer to close the difference. Published: {}.",
      result.price_book, result.buyer, sources_text(all));
  return {"published-section", "Beside published owner costs",
          paragraph(text) + chart_of(all, items) + table_of(all, items)};
}

}  // namespace railyard::html
