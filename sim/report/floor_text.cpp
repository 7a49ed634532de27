// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/report/floor_report.h"

namespace railyard {
namespace {

constexpr std::array listed_kinds{RackKind::compute, RackKind::leaf, RackKind::network};

/// Racks of one row by kind, and their power.
struct RowSummary {
  std::array<int, listed_kinds.size()> racks{};
  Watts power;
  bool operator==(const RowSummary&) const = default;
};

std::map<int, RowSummary> summaries(const FloorPlan& plan) {
  std::map<int, RowSummary> rows;
  for (const Rack& rack : plan.racks()) {
    RowSummary& row = rows[rack.row];
    ++row.racks[static_cast<std::size_t>(rack.kind)];
    row.power += rack.power;
  }
  return rows;
}

/// Rows that follow each other and are alike stand in one line: "A to D".
std::string rows_text(const FloorPlan& plan) {
  Table table{.header = {"row", "compute", "leaf", "network", "kW a row"}, .right = {false, true, true, true, true}};
  const std::map<int, RowSummary> rows = summaries(plan);
  for (auto first = rows.begin(); first != rows.end();) {
    auto last = first;
    for (auto next = std::next(first);
         next != rows.end() && next->first == last->first + 1 && next->second.racks == first->second.racks &&
         number_text(next->second.power.in(kilowatt)) == number_text(first->second.power.in(kilowatt));
         ++next) {
      last = next;
    }
    const RowSummary& row = first->second;
    table.rows.push_back({first == last ? row_name(first->first)
                                        : fmt::format("{} to {}", row_name(first->first), row_name(last->first)),
                          count_text(row.racks[0]), count_text(row.racks[1]), count_text(row.racks[2]),
                          number_text(row.power.in(kilowatt))});
    first = std::next(last);
  }
  constexpr std::size_t most_lines = 20;
  std::string rest;
  if (table.rows.size() > most_lines) {
    rest = fmt::format("... and {} more lines (all racks: --format csv)\n", table.rows.size() - most_lines);
    table.rows.resize(most_lines);
  }
  return to_text(table) + rest;
}

/// "power (41.1 of 42 kW)" of the fullest rack of a kind by what binds it.
std::string binding_text(const FloorPlan& plan, RackKind kind) {
  const RackLimit limit = plan.binding(kind);
  const Rack* most = nullptr;
  for (const Rack& rack : plan.racks()) {
    if (rack.kind == kind && (most == nullptr || rack.power > most->power)) most = &rack;
  }
  if (most == nullptr) return {};
  const RackLimits& rack = plan.site().rack;
  const std::string figures =
      fmt::format("fullest {}: {:.1f} of {:g} kW, {} of {} kg, {} of {} U", most->name, most->power.in(kilowatt),
                  rack.power.value.low.in(kilowatt), count_text(most->weight.in(kilogram)),
                  count_text(rack.weight.value.low.in(kilogram)), most->used_units, rack.units - rack.reserved_units);
  const std::string binds = limit == RackLimit::none ? "room left" : fmt::format("full by {}", to_string(limit));
  return fmt::format("{} racks: {}; {}", to_string(kind), binds, figures);
}

/// Metres in full, with thousands apart; stock lengths as 2.5.
std::string metres_text(Metres length) { return count_text(length.in(metre)); }
std::string stock_text(Metres length) { return fmt::format("{:g}", length.in(metre)); }

std::string cables_text(const WiredDesign& wired) {
  const CableSchedule& cables = wired.site->cables;
  Table table{.header = {"layer", "cable", "medium", "m", "cables", "routes, m"},
              .right = {false, false, false, true, true, true}};
  Metres bought, routed;
  std::map<std::string, std::pair<int, Metres>> media;
  for (const CableBin& bin : cable_bins(cables)) {
    table.rows.push_back({std::string(to_string(bin.layer)), bin.part, bin.medium, stock_text(bin.stock),
                          count_text(bin.cables),
                          fmt::format("{:.1f}-{:.1f}", bin.shortest.in(metre), bin.longest.in(metre))});
    bought += bin.stock * bin.cables;
    routed += bin.routed;
    media[bin.medium].first += bin.cables;
    media[bin.medium].second += bin.stock * bin.cables;
  }
  std::string text = to_text(table) + "\n";
  std::string by_medium;
  for (const auto& [medium, sum] : media) {
    by_medium += fmt::format("; {} {} ({} m)", medium, count_text(sum.first), metres_text(sum.second));
  }
  const bool estimate =
      std::any_of(cables.cables().begin(), cables.cables().end(), [](const Cable& cable) { return cable.estimate; });
  text += wrapped(
      fmt::format("{} cables, {} m bought for {} m of routes{}{}",
                  count_text(static_cast<double>(cables.cables().size())), metres_text(bought), metres_text(routed),
                  by_medium, estimate ? "; lengths are estimates from the plan, not measured" : ""),
      terminal_columns, "  ");
  std::map<std::string, int> rules;
  for (const Cable& cable : cables.cables()) {
    const CableChoice& choice = cables.choice_of(cable);
    ++rules[fmt::format("{}, {}: {}", to_string(choice.layer), choice.cable->id, choice.rule)];
  }
  text += "\nwhy\n";
  for (const auto& [rule, count] : rules) {
    text += wrapped(fmt::format("  {} ({})", rule, count_text(count)), terminal_columns, "    ");
  }
  for (const std::string& refused : cables.refused())
    text += wrapped("  not used: " + refused, terminal_columns, "    ");
  return text;
}

std::string bundles_text(const WiredDesign& wired) {
  const FloorPlan& plan = wired.site->floor;
  const std::vector<CableBundle> bundles = cable_bundles(wired.site->cables, wired.fabric, plan);
  const CableBundle* most = nullptr;
  std::vector<int> exits(plan.racks().size());
  std::size_t between = 0;
  for (const CableBundle& bundle : bundles) {
    if (bundle.from == bundle.to) continue;
    ++between;
    exits[bundle.from] += bundle.cables;
    exits[bundle.to] += bundle.cables;
    if (most == nullptr || bundle.cables > most->cables) most = &bundle;
  }
  if (most == nullptr) return {};
  const auto fullest = static_cast<std::size_t>(std::max_element(exits.begin(), exits.end()) - exits.begin());
  return wrapped(
      fmt::format("{} bundles between racks; the thickest, {} to {}, has {} cables; most leave rack {}: {}",
                  count_text(static_cast<double>(between)), plan.racks()[most->from].name, plan.racks()[most->to].name,
                  count_text(most->cables), plan.racks()[fullest].name, count_text(exits[fullest])),
      terminal_columns, "  ");
}

}  // namespace

std::string floor_text(const WiredDesign& wired) {
  const FloorPlan& plan = wired.site->floor;
  std::string text = wrapped(fmt::format("at {}: {}", plan.site().id, plan.site().description), terminal_columns, "  ");
  text += fmt::format("{} racks in {} rows: {} compute, {} leaf, {} network\n\n",
                      count_text(static_cast<double>(plan.racks().size())), plan.rows(),
                      count_text(plan.count(RackKind::compute)), count_text(plan.count(RackKind::leaf)),
                      count_text(plan.count(RackKind::network)));
  text += rows_text(plan) + "\n";
  for (const RackKind kind : listed_kinds) {
    const std::string binding = binding_text(plan, kind);
    if (!binding.empty()) text += wrapped(binding, terminal_columns, "  ");
  }
  return text + "\n" + cables_text(wired) + "\n" + bundles_text(wired);
}

Table rack_table(const WiredDesign& wired) {
  Table table{
      .header = {"rack", "row", "place", "kind", "pod", "boxes", "power_w", "weight_kg", "used_units", "full_by"}};
  for (const Rack& rack : wired.site->floor.racks()) {
    table.rows.push_back({rack.name, row_name(rack.row), std::to_string(rack.place + 1),
                          std::string(to_string(rack.kind)), rack.pod < 0 ? "" : std::to_string(rack.pod),
                          std::to_string(rack.slots.size()), exact_text(rack.power.in(watt)),
                          exact_text(rack.weight.in(kilogram)), std::to_string(rack.used_units),
                          rack.limit == RackLimit::none ? "" : std::string(to_string(rack.limit))});
  }
  return table;
}

Table cable_table(const WiredDesign& wired) {
  Table table{
      .header = {"layer", "part", "medium", "length_m", "cables", "shortest_route_m", "longest_route_m", "routes_m"}};
  for (const CableBin& bin : cable_bins(wired.site->cables)) {
    table.rows.push_back({std::string(to_string(bin.layer)), bin.part, bin.medium, exact_text(bin.stock.in(metre)),
                          std::to_string(bin.cables), exact_text(bin.shortest.in(metre)),
                          exact_text(bin.longest.in(metre)), exact_text(bin.routed.in(metre))});
  }
  return table;
}

}  // namespace railyard
