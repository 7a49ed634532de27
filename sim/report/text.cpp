// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/fields.h"

namespace railyard {
namespace {

/// Above this share of assumed cost, ranges stand beside every figure that rests on it (DESIGN 5.4).
constexpr double assumed_limit = 0.1;

/// Columns of the headline table: short headers, so that it stays within 80 characters.
struct Column {
  std::string_view key, header;
  bool rests_on_cost;
};
constexpr std::array<Column, 6> headline_columns{{{"usd_per_effective_pflop_hour", "$/h per eff.\nPFLOP/s", true},
                                                  {"mfu", "MFU\n%", false},
                                                  {"goodput", "goodput\n%", false},
                                                  {"owner_usd_per_gpu_hour", "owner\n$/GPU-h", true},
                                                  {"capex_usd", "capex\nM$", true},
                                                  {"assumed_cost_share", "assumed\ncost %", false}}};

std::string span_text(const Range<double>& range, double unit) {
  return fmt::format("{}-{}", number_text(range.low / unit, 3), number_text(range.high / unit, 3));
}

void add_row(Table& table, const ResultRow& row) {
  std::vector<std::string> figures{count_text(row.gpus)};
  std::vector<std::string> spans{""};
  const bool cost_assumed = row.owner.assumed_share > assumed_limit;
  for (const Column& column : headline_columns) {
    const Field& field = result_field(column.key);
    const Range<double> value = field.value(row);
    figures.push_back(number_text(value.typical / field.per_unit, 3));
    // Speeds and goodput show what is assumed of them; costs follow the limit.
    const bool show = field.ranged && !value.is_exact() && (!column.rests_on_cost || cost_assumed || row.speed_assumed);
    spans.push_back(show ? span_text(value, field.per_unit) : "");
  }
  table.rows.push_back(std::move(figures));
  if (std::any_of(spans.begin(), spans.end(), [](const std::string& text) { return !text.empty(); })) {
    table.rows.push_back(std::move(spans));
  }
}

/// An amount in thousands of dollars, to the dollar below a million.
std::string thousands(Dollars amount) {
  const double value = amount.in(1000.0 * dollar);
  return std::fabs(value) < 1000 ? number_text(value, 4) : count_text(value);
}

/// Whole numbers without decimals, others with five digits.
std::string plain_text(double value) { return value == std::round(value) ? count_text(value) : number_text(value, 5); }

std::string range_line(const Field& field, const ResultRow& row) {
  const Range<double> value = field.value(row);
  std::string text = fmt::format(
      "{:<26} {:>12} {}", field.label,
      field.ranged ? number_text(value.typical / field.per_unit) : plain_text(value.typical / field.per_unit),
      field.unit);
  if (field.ranged && !value.is_exact()) text += fmt::format("  ({})", span_text(value, field.per_unit));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

std::string headline_text(const StudyResult& result) {
  std::string text = wrapped(result.title, 80, "");
  text += wrapped(
      fmt::format("{}, {}; prices of {}; {}", result.workload, result.precision, result.price_book, result.buyer), 80,
      "");
  std::string cluster;
  Table table;
  const auto close = [&] {
    if (!table.rows.empty()) text += to_text(table);
  };
  for (const ResultRow& row : result.rows) {
    if (row.cluster != cluster) {
      close();
      cluster = row.cluster;
      text += "\n" + wrapped(fmt::format("{} ({}, profile {})", row.cluster, design_of(row), row.profile), 80, "  ");
      table = Table{.header = {"GPUs"}, .right = {true, true, true, true, true, true, true}};
      for (const Column& column : headline_columns) table.header.emplace_back(column.header);
    }
    add_row(table, row);
  }
  close();
  if (!result.verdicts.empty()) text += "\n";
  for (const Verdict& verdict : result.verdicts) text += wrapped(verdict.sentence, 80, "  ");
  const bool speeds =
      std::any_of(result.rows.begin(), result.rows.end(), [](const ResultRow& row) { return row.speed_assumed; });
  text +=
      "\n" +
      wrapped("Second lines are bounds: every assumed or quoted range at its cheap or dear, fast or slow end at once.",
              80, "");
  if (speeds) {
    for (const ResultRow& row : result.rows) {
      if (row.speed_assumed &&
          &row == &*std::find_if(result.rows.begin(), result.rows.end(),
                                 [&](const ResultRow& other) { return other.profile == row.profile; })) {
        text +=
            wrapped(fmt::format("Speeds of {} are assumed in part (railyard report --explain).", row.profile), 80, "");
      }
    }
  }
  return text;
}

std::string row_text(const ResultRow& row) {
  std::string text = fmt::format("{}: {} GPUs, {} nodes, {}\n", row.cluster, count_text(row.gpus),
                                 count_text(row.nodes), design_of(row));
  text += wrapped("strategy " + to_text(row.choice.strategy), 80, "  ");
  if (row.choice.searched) {
    text += fmt::format("  found among {} ({} simulated)\n", row.choice.screened, row.choice.simulated);
  }
  text += "\n";
  for (const Field& field : result_fields()) text += range_line(field, row);
  text += fmt::format("\nstep time on the slowest pipeline stage ({}):\n", row.step.slowest_stage);
  for (std::size_t i = 0; i < part_count; ++i) {
    const Seconds part = row.step.breakdown[i];
    if (part.in(second) == 0) continue;
    text += fmt::format("  {:<10} {:>10} s {:>6.1f} %\n", to_string(static_cast<Part>(i)), number_text(part.in(second)),
                        100 * (part / row.step.step_time));
  }
  text += fmt::format("\nmemory of the fullest GPU, {} of {} GB:\n", number_text(row.memory.total().in(gigabyte), 3),
                      number_text(row.gpu_memory.in(gigabyte), 3));
  const std::pair<std::string_view, Bytes> uses[] = {{"weights", row.memory.weights},
                                                     {"gradients", row.memory.gradients},
                                                     {"optimizer", row.memory.optimizer},
                                                     {"activations", row.memory.activations},
                                                     {"workspace", row.memory.workspace}};
  for (const auto& [name, use] : uses)
    text += fmt::format("  {:<12} {:>8} GB\n", name, number_text(use.in(gigabyte), 3));
  return text;
}

std::string bom_text(const BillOfMaterials& bill, const Capex& capex, bool all) {
  const NetworkCounts& counts = bill.counts;
  std::string text = to_text(layer_table(counts));
  text += "\n" +
          wrapped(fmt::format("{} tier{}, {} switch{}, {} cables; modules: node {}, leaf {}, spine {}, core {}",
                              counts.tiers, counts.tiers == 1 ? "" : "s", counts.switches,
                              counts.switches == 1 ? "" : "es", counts.cables, counts.node_modules, counts.leaf_modules,
                              counts.spine_modules, counts.core_modules),
                  80, "  ") +
          "\n";
  const auto empty = [] {
    return Table{.header = {"part", "quantity", "each $", "total k$", "low k$", "high k$", ""},
                 .right = {false, true, true, true, true, true, false}};
  };
  // One table for each network, and one for the rest.
  std::vector<std::pair<std::string, Table>> tables;
  for (const CapexLine& line : capex.lines) {
    if (!all && !line.back_end) continue;
    const std::string network = line.back_end                      ? "back-end network"
                                : line.network.empty()             ? "servers and the rest"
                                : line.network == "infrastructure" ? line.network
                                                                   : line.network + " network";
    auto table = std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.first == network; });
    if (table == tables.end()) table = tables.insert(table, {network, empty()});
    const std::string part =
        line.length > Metres{} ? fmt::format("{} {:g} m", line.part, line.length.in(metre)) : line.part;
    table->second.rows.push_back({part, count_text(line.quantity), count_text(line.unit.typical.in(dollar)),
                                  thousands(line.total.typical), thousands(line.total.low), thousands(line.total.high),
                                  line.evidence.assumed() ? "assumed" : ""});
  }
  for (const auto& [network, table] : tables) {
    if (all) text += network + "\n";
    text += to_text(table) + (all ? "\n" : "");
  }
  const Range<Dollars> total = all ? capex.total() : capex.network();
  text += fmt::format("{}capex {} $ ({} to {}); network power {} kW\n", all ? "" : "\n",
                      count_text(total.typical.in(dollar)), count_text(total.low.in(dollar)),
                      count_text(total.high.in(dollar)), number_text(bill.network_power.typical.in(kilowatt)));
  return text;
}

std::string price_text(const ResultRow& row) {
  std::string text = bom_text(row.bill, row.capex, true) + "\n";
  Table table{.header = {"owner cost", "value", "unit"}, .right = {false, true, false}};
  for (std::size_t i = 0; i < row.owner.rows.size(); ++i) {
    table.rows.push_back({row.owner.rows[i].label, plain_text(row.owner.values[i]), row.owner.rows[i].unit});
  }
  return text + to_text(table);
}

std::string design_text(const Design& design, const FabricShape& shape, const NetworkCounts& counts,
                        Bandwidth bisection) {
  std::string text = wrapped(fmt::format("{}: {}", design.id, design.description), 80, "  ");
  text += fmt::format("{} GPUs in {} nodes; {} rails; {} pods of up to {} nodes; radix {}\n\n", count_text(shape.gpus),
                      count_text(shape.nodes), shape.rails, shape.pods, shape.nodes_per_pod, shape.radix);
  text += to_text(layer_table(counts));
  text += fmt::format("\nlinks: node-leaf {}, leaf-spine {}, spine-core {}", counts.links[0], counts.links[1],
                      counts.links[2]);
  if (const int global = counts.links[index_of(Layer::spine_spine)]; global > 0) {
    text += fmt::format(", spine-spine {}", global);
  }
  text += fmt::format("\nbisection {} Tb/s\n", number_text(bisection.in(1000.0 * gigabit_per_second)));
  return text;
}

std::string validation_text(const Validation& validation) {
  Table table{
      .header = {"GPUs", "batch", "recompute", "measured\ns", "predicted\ns", "error\n%", "range of\npredicted s"},
      .right = {true, true, false, true, true, true, true}};
  std::string text, heading;
  const auto close = [&] {
    if (!table.rows.empty()) text += (text.empty() ? "" : "\n") + heading + "\n" + to_text(table);
    table.rows.clear();
  };
  for (const ValidatedCase& each : validation.cases) {
    const TrainingCase& published = each.published;
    if (const std::string next = published.model + ", " + published.source; next != heading) {
      close();
      heading = next;
    }
    const Range<double> predicted{each.predicted.low.in(second), each.predicted.typical.in(second),
                                  each.predicted.high.in(second)};
    table.rows.push_back(
        {count_text(published.gpus), count_text(static_cast<double>(published.strategy.global_batch.value)),
         std::string(to_string(published.strategy.recompute)), number_text(published.measured.in(second)),
         number_text(predicted.typical), fmt::format("{:+.1f}", 100 * each.error), span_text(predicted, 1)});
  }
  close();
  const ValidationSummary& summary = validation.summary;
  text += summary.count == 0
              ? "no step was compared\n"
              : fmt::format("\n{} step{}: median |error| {:.1f} %, 90th percentile {:.1f} %, bias {:+.1f} %\n",
                            summary.count, summary.count == 1 ? "" : "s", 100 * summary.median_abs_error,
                            100 * summary.p90_abs_error, 100 * summary.bias);
  for (const SkippedCase& each : validation.skipped) {
    text += wrapped(fmt::format("skipped {}: {}", each.id, each.reason), 80, "  ");
  }
  return text;
}

std::string list_text(const std::vector<ListedItem>& items) {
  std::string text;
  for (const ListedItem& item : items) {
    text += item.name + "\n";
    if (!item.description.empty()) text += wrapped("    " + item.description, 80, "    ");
    if (!item.source.empty()) {
      text += wrapped(fmt::format("    source: {}{}", item.source, item.date.empty() ? "" : " (" + item.date + ")"), 80,
                      "      ");
    }
  }
  return text;
}

}  // namespace railyard
