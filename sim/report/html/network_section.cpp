// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/report/fields.h"
#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

const Dollars thousand = 1e3 * dollar;
/// A line of the table of bills side by side: what it says of one network.
struct Aspect {
  std::string name;
  std::function<Markup(const ResultRow&)> cell;
};

int all_modules(const NetworkCounts& counts) {
  return counts.node_modules + counts.leaf_modules + counts.spine_modules + counts.core_modules +
         counts.manager_modules;
}

/// Names of the parts of a category, "a + b".
std::string part_names(const ResultRow& row, std::string_view category) {
  std::string text;
  for (const CapexLine& line : row.capex.lines) {
    if (line.category == category && line.back_end) text += (text.empty() ? "" : " + ") + line.label;
  }
  return text;
}

std::vector<Aspect> aspects(const std::vector<Bought>& all) {
  using Row = const ResultRow&;
  const auto whole = [](const auto& number_of) {
    return [number_of](Row row) {
      const int number = number_of(row);
      return Markup(number == 0 ? "\u2013" : count(number));
    };
  };
  std::vector<Aspect> list{
      {"Design",
       [](Row row) {
         return element("span", {{"class", "words"}}, design_of(row));
       }},
      {"Switch",
       [](Row row) {
         return element("span", {{"class", "words"}}, part_names(row, "switch"));
       }},
      {"Planes", whole([](Row row) { return row.recipe.planes; })},
      {"Tiers", whole([](Row row) { return row.bill.counts.tiers; })},
      {"Ports of a switch at NIC speed", whole([](Row row) { return row.shape.radix; })},
      {"Leaf switches", whole([](Row row) { return switches_of(row.bill.counts, "leaf"); })},
      {"Spine switches", whole([](Row row) { return switches_of(row.bill.counts, "spine"); })},
      {"Core switches", whole([](Row row) { return switches_of(row.bill.counts, "core"); })},
      {"Switches", whole([](Row row) { return row.bill.counts.switches; })},
      {"Links node to leaf", whole([](Row row) { return row.bill.counts.links[0]; })},
      {"Links leaf to spine", whole([](Row row) { return row.bill.counts.links[1]; })},
      {"Links spine to core", whole([](Row row) { return row.bill.counts.links[2]; })},
      {"Modules at nodes", whole([](Row row) { return row.bill.counts.node_modules; })},
      {"Modules at leaves", whole([](Row row) { return row.bill.counts.leaf_modules; })},
      {"Modules at spines", whole([](Row row) { return row.bill.counts.spine_modules; })},
      {"Modules at cores", whole([](Row row) { return row.bill.counts.core_modules; })},
      {"Modules", whole([](Row row) { return all_modules(row.bill.counts); })},
  };
  std::vector<std::string> media;
  for (const Bought& each : all) {
    for (const auto& [medium, cables] : each.row->bill.counts.cables_by_medium) {
      if (std::find(media.begin(), media.end(), medium) == media.end()) media.push_back(medium);
    }
  }
  for (const std::string& medium : media) {
    list.push_back({"Cables, " + medium, whole([medium](Row row) {
                      const auto found = row.bill.counts.cables_by_medium.find(medium);
                      return found == row.bill.counts.cables_by_medium.end() ? 0 : found->second;
                    })});
  }
  list.push_back({"Cables", whole([](Row row) { return row.bill.counts.cables; })});
  list.push_back({"Power, kW", [](Row row) { return ranged_cell(in_unit(row.bill.network_power, kilowatt)); }});
  list.push_back({"Power per GPU, W",
                  [](Row row) { return ranged_cell(in_unit(row.bill.network_power, watt) * (1.0 / row.gpus)); }});
  list.push_back({"Capex, M$", [](Row row) { return ranged_cell(in_unit(row.capex.network(), million)); }});
  list.push_back({"Capex per GPU, $",
                  [](Row row) { return ranged_cell(in_unit(row.capex.network(), dollar) * (1.0 / row.gpus), 4); }});
  list.push_back({"Share of all capex, %", [](Row row) {
                    return Markup(number(100 * (row.capex.network().typical / row.capex.total().typical)));
                  }});
  return list;
}

Markup side_by_side(const StudyResult& result, int gpus) {
  const std::vector<Bought> all = bought_at(result, gpus);
  HtmlTable table{.id = fmt::format("network-{}", gpus),
                  .caption = "Back-end networks for " + gpus_text(gpus) + ", counted from the wired graph",
                  .header = {"Back-end network"},
                  .numeric = {false},
                  .rows = {}};
  for (const Bought& each : all) table.header.push_back(each.name);
  table.numeric.resize(table.header.size(), true);
  for (const Aspect& aspect : aspects(all)) {
    std::vector<Markup> cells{aspect.name};
    for (const Bought& each : all) cells.push_back(aspect.cell(*each.row));
    const auto is = [&](std::string_view name) { return aspect.name == name; };
    if (is("Leaf switches") || is("Links node to leaf") || is("Modules at nodes") || is("Power, kW") ||
        aspect.name.rfind("Cables, ", 0) == 0) {
      table.rules.push_back(table.rows.size());
    }
    if (is("Switches") || is("Modules") || is("Cables") || is("Capex, M$")) table.totals.push_back(table.rows.size());
    table.rows.push_back(std::move(cells));
  }
  return to_markup(table);
}

Markup priced_lines(const StudyResult& result, int gpus) {
  HtmlTable table{.id = fmt::format("network-lines-{}", gpus),
                  .caption = "Priced lines of these networks for " + gpus_text(gpus),
                  .header = {"Network", "Part", "Quantity", "Each, $", "Total, k$", "Price is"},
                  .numeric = {false, false, true, true, true, false},
                  .rows = {}};
  for (const Bought& each : bought_at(result, gpus)) {
    table.rules.push_back(table.rows.size());
    for (const CapexLine& line : each.row->capex.lines) {
      if (!line.back_end) continue;
      table.rows.push_back({each.name, line.label, count(line.quantity), ranged_cell(in_unit(line.unit, dollar), 4),
                            ranged_cell(in_unit(line.total, thousand), 4),
                            line.evidence.assumed() ? "assumed" : "sourced"});
    }
  }
  return to_markup(table);
}

Markup network_chart(const StudyResult& result) {
  const std::vector<Purchase> purchases = purchases_of(result, true);
  StackedChart chart{.id = "network-chart",
                     .title = "Back-end network capex per GPU of the job",
                     .description =
                         "One bar a network at the smallest and at the largest size; the thin bar below spans "
                         "the bounds of the whole. The tables below have the same figures.",
                     .value_axis = "$ per GPU of the job",
                     .parts = names_of(purchases),
                     .colours = colours_of(purchases),
                     .bars = {}};
  for (const int gpus : end_sizes(result)) {
    for (const Bought& each : bought_at(result, gpus)) {
      StackedBar bar{.group = gpus_text(gpus), .label = each.name, .parts = {}, .range = {}, .total = {}};
      for (const Purchase purchase : purchases) {
        bar.parts.push_back(cost_of(*each.row, purchase).typical.in(dollar) / gpus);
      }
      bar.range = in_unit(each.row->capex.network(), dollar) * (1.0 / gpus);
      bar.total = count(bar.range->typical) + " $";
      chart.bars.push_back(std::move(bar));
    }
  }
  return stacked_chart(chart);
}

}  // namespace

Section network_section(const StudyResult& result) {
  Markup body = network_chart(result);
  for (const int gpus : end_sizes(result)) body += side_by_side(result, gpus);
  for (const int gpus : end_sizes(result)) body += priced_lines(result, gpus);
  body += paragraph(
      "Switch power is without modules; the network's power adds modules at both ends and active cables. "
      "NICs are in the servers' "
      "price and power unless listed. Storage and management networks are not in these figures.");
  return {"network-section", "Back-end networks side by side", body};
}

}  // namespace railyard::html
