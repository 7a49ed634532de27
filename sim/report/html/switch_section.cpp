// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tuple>

#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

/// The same servers on the same kind of fabric, with another switch. Its modules and cables go with it.
bool switch_alone_differs(const ResultRow& a, const ResultRow& b) {
  const auto rest = [](const ResultRow& row) {
    const Design& design = row.recipe;
    return std::tie(row.gpus, row.gpu, row.server, row.price_book, row.shape.rails, design.topology, design.planes,
                    design.fabric, design.oversubscription, design.oversubscribed_by, design.spine_group_by_rail,
                    design.tiers, design.reserved_ports, design.ufm, design.populate_full, design.fill_unit);
  };
  return rest(a) == rest(b) && a.recipe.switch_id != b.recipe.switch_id;
}

std::string switch_name(const ResultRow& row) {
  for (const CapexLine& line : row.capex.lines) {
    if (line.back_end && line.part == row.recipe.switch_id) return line.label;
  }
  return row.recipe.switch_id;
}

int modules(const ResultRow& row) {
  const NetworkCounts& counts = row.bill.counts;
  return counts.node_modules + counts.leaf_modules + counts.spine_modules + counts.core_modules +
         counts.manager_modules;
}

std::vector<Markup> cells_of(const Bought& bought) {
  const ResultRow& row = *bought.row;
  return {bought.name,
          count(row.gpus),
          switch_name(row),
          count(row.shape.radix),
          count(row.bill.counts.tiers),
          count(row.bill.counts.switches),
          count(modules(row)),
          count(row.bill.counts.cables),
          ranged_cell(in_unit(row.bill.network_power, kilowatt)),
          ranged_cell(in_unit(row.capex.network(), dollar) * (1.0 / row.gpus), 4)};
}

std::string times_text(double first, double second) { return number(first / second, 3); }

/// "At 4 096 GPUs ...: 3 tiers against 2, 2.1 times the switches, ...".
std::string sentence(const Bought& first, const Bought& second) {
  const ResultRow &a = *first.row, &b = *second.row;
  const std::string tiers = a.bill.counts.tiers == b.bill.counts.tiers
                                ? fmt::format("{} tiers both", a.bill.counts.tiers)
                                : fmt::format("{} tiers against {}", a.bill.counts.tiers, b.bill.counts.tiers);
  return fmt::format(
      "At {}, {} against {}: {}, {} times the switches, {} times the modules, {} times the power, {} times "
      "the typical network capex.",
      gpus_text(a.gpus), first.name, second.name, tiers, times_text(a.bill.counts.switches, b.bill.counts.switches),
      times_text(modules(a), modules(b)), number(a.bill.network_power.typical / b.bill.network_power.typical, 3),
      number(a.capex.network().typical / b.capex.network().typical, 3));
}

}  // namespace

Section switch_section(const StudyResult& result) {
  HtmlTable table{.id = "switches",
                  .caption = "Networks that differ in the switch and what plugs into it",
                  .header = {"Cluster", "GPUs", "Switch", "Ports at NIC speed", "Tiers", "Switches", "Modules",
                             "Cables", "Power, kW", "Capex per GPU, $"},
                  .numeric = {false, true, false, true, true, true, true, true, true, true},
                  .rows = {}};
  Markup sentences;
  for (const int gpus : sizes_of(result)) {
    const std::vector<Bought> all = bought_at(result, gpus);
    std::vector<bool> listed(all.size());
    const std::size_t begin = table.rows.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        if (!switch_alone_differs(*all[i].row, *all[j].row)) continue;
        listed[i] = listed[j] = true;
        // The one with fewer ports first: it pays for more tiers.
        const bool smaller_first = all[i].row->shape.radix <= all[j].row->shape.radix;
        sentences += element("li", sentence(all[smaller_first ? i : j], all[smaller_first ? j : i]));
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (listed[i]) table.rows.push_back(cells_of(all[i]));
    }
    if (table.rows.size() > begin) table.rules.push_back(begin);
  }
  Section section{"switch-section", "The same servers on another switch", {}};
  if (!table.rows.empty()) section.body = element("ul", sentences) + to_markup(table);
  return section;
}

}  // namespace railyard::html
