// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"
#include "sim/report/shared_texts.h"

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

Markup published_chart(const std::vector<Named>& all, const std::vector<std::string>& items) {
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

Markup published_table(const std::vector<Named>& all, const std::vector<std::string>& items) {
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

/// Colours of a bridge: where it starts, what rises, what falls, what is left over.
constexpr std::size_t ours_colour = 0, rise_colour = 1, fall_colour = 2, rest_colour = 5;

Markup bridge_chart(const Named& named, std::size_t place, double highest) {
  const OwnerComparison& comparison = *named.comparison;
  const auto exact = [](double value) { return Range<double>::exactly(value); };
  const std::string name = named.name + ", " + gpus_text(comparison.gpus);
  WaterfallChart chart{.id = fmt::format("bridge-{}", place),
                       .title = name,
                       .description = fmt::format("From the owner cost of {} in this study to the published one: each "
                                                  "bar begins where the one before it ended, the last is the "
                                                  "published cost. The table below has the same figures.",
                                                  name),
                       .value_axis = "$ per owned GPU-hour",
                       .highest = highest,
                       .steps = {{"this study", exact(comparison.ours.typical), ours_colour}},
                       .total = {"published", exact(comparison.published), published_colour}};
  for (const BridgeStep& step : comparison.bridge.steps) {
    chart.steps.push_back({step.label, exact(step.change), step.change > 0 ? rise_colour : fall_colour, true});
  }
  chart.steps.push_back({"not explained", exact(comparison.bridge.unexplained), rest_colour, true});
  return waterfall_chart(chart);
}

Markup bridge_table(const std::vector<Named>& all) {
  HtmlTable table{
      .id = "bridge",
      .caption = "From this study's owner cost to the published one, $ per owned GPU-hour",
      .header = {"Term", "ours", "published", "change", "alone", "reached", "source of the published term", "date"},
      .numeric = {false, true, true, true, true, true, false, false},
      .rows = {}};
  for (const Named& each : all) {
    const OwnerComparison& comparison = *each.comparison;
    table.rules.push_back(table.rows.size());
    table.totals.push_back(table.rows.size());
    double reached = comparison.ours.typical;
    const auto money = [](double value) { return Markup(fmt::format("{:.3f}", value)); };
    table.rows.push_back(
        {each.name + ", " + gpus_text(comparison.gpus) + ": this study", {}, {}, {}, {}, money(reached), {}, {}});
    for (const BridgeStep& step : comparison.bridge.steps) {
      reached += step.change;
      table.rows.push_back({step.label + (step.unit.empty() ? "" : ", " + step.unit), number(step.ours, 4),
                            number(step.published, 4), signed_number(step.change, 3), signed_number(step.alone, 3),
                            money(reached), step.source, step.date});
    }
    table.rows.push_back({"not explained by published terms",
                          {},
                          {},
                          signed_number(comparison.bridge.unexplained, 3),
                          {},
                          money(comparison.published),
                          comparison.source,
                          comparison.date});
  }
  return to_markup(table);
}

/// What the publisher says nothing of, and what it said at another time.
std::string left_text(const std::vector<Named>& all) {
  std::vector<std::string> far;
  for (const Named& each : all) {
    for (const BridgeStep& step : each.comparison->bridge.stated_elsewhen) {
      const std::string text = fmt::format("{} {}{}{} ({})", step.label, number(step.published),
                                           step.unit.empty() ? "" : " ", step.unit, step.date);
      if (std::find(far.begin(), far.end(), text) == far.end()) far.push_back(text);
    }
  }
  std::string text;
  if (!far.empty()) text += fmt::format("Stated more than a year away and not put in: {}. ", joined(far));
  SharedTexts nowhere;
  for (const Named& each : all) nowhere.add(joined(each.comparison->bridge.not_stated), each.name);
  for (const auto& [labels, names] : nowhere.list()) {
    text += fmt::format("Not stated for {}: {}. ", joined(names), labels.empty() ? "nothing" : labels);
  }
  return text;
}

Markup bridges_of(const std::vector<Named>& all) {
  double highest = 0;
  for (const Named& each : all) {
    double reached = each.comparison->ours.typical;
    highest = std::max({highest, reached, each.comparison->published});
    for (const BridgeStep& step : each.comparison->bridge.steps) highest = std::max(highest, reached += step.change);
  }
  Markup charts;
  for (std::size_t i = 0; i < all.size(); ++i) charts += bridge_chart(all[i], i, highest);
  return element("h3", "From this study's owner cost to the published one") +
         paragraph(
             "What the publisher says takes the place of ours, one term after another, each with all that follows from "
             "it in the formula. The order matters, since terms multiply: it runs from what is bought to what runs, "
             "and the table has beside each step what the term does alone. What is left over is explained by no "
             "published term.") +
         element("div", {{"class", "waterfalls"}}, charts) + bridge_table(all) + paragraph(left_text(all));
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
      "{}; no figure of ours is derived from theirs. The items are ours; the terms that the publisher states are put "
      "in their place below. Published: {}.",
      result.price_book, result.buyer, sources_text(all));
  return {"published-section", "Beside published owner costs",
          paragraph(text) + published_chart(all, items) + published_table(all, items) + bridges_of(all)};
}

}  // namespace railyard::html
