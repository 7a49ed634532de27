// SPDX-License-Identifier: Apache-2.0
// The tables that CSV files hold: exact figures, the unit in the column's name.
#include <algorithm>

#include "sim/report/fields.h"
#include "sim/report/text.h"

namespace railyard {
namespace {

std::string source_of(const Evidence& evidence) {
  std::string text = evidence.assumed() ? "assumed: " + evidence.rule : evidence.source;
  if (!evidence.date.empty()) text += " (" + evidence.date + ")";
  return text;
}

}  // namespace

Table row_table(const std::vector<ResultRow>& rows) {
  Table table;
  table.header = {"cluster", "gpus", "design", "design_changes", "gpu", "profile", "model", "sequence", "strategy"};
  for (const Field& field : result_fields()) {
    table.header.emplace_back(field.key);
    if (!field.ranged) continue;
    table.header.push_back(std::string(field.key) + "_low");
    table.header.push_back(std::string(field.key) + "_high");
  }
  for (const ResultRow& row : rows) {
    std::vector<std::string> cells{row.cluster,
                                   std::to_string(row.gpus),
                                   row.design,
                                   row.design_changes,
                                   row.gpu,
                                   row.profile,
                                   row.model,
                                   std::to_string(row.sequence),
                                   to_text(row.choice.strategy)};
    for (const Field& field : result_fields()) {
      const Range<double> value = field.value(row);
      cells.push_back(exact_text(value.typical));
      if (!field.ranged) continue;
      cells.push_back(exact_text(value.low));
      cells.push_back(exact_text(value.high));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table capex_table(const Capex& capex, bool all) {
  Table table{.header = {"network", "category", "part", "label", "quantity", "unit_usd", "total_usd", "total_usd_low",
                         "total_usd_high", "assumed", "source"}};
  const bool cut =
      std::any_of(capex.lines.begin(), capex.lines.end(), [](const CapexLine& line) { return line.length > Metres{}; });
  if (cut) table.header.emplace_back("length_m");
  for (const CapexLine& line : capex.lines) {
    if (!all && !line.back_end) continue;
    table.rows.push_back({line.network, line.category, line.part, line.label, std::to_string(line.quantity),
                          exact_text(line.unit.typical.in(dollar)), exact_text(line.total.typical.in(dollar)),
                          exact_text(line.total.low.in(dollar)), exact_text(line.total.high.in(dollar)),
                          line.evidence.assumed() ? "yes" : "no", source_of(line.evidence)});
    if (cut) table.rows.back().push_back(line.length > Metres{} ? exact_text(line.length.in(metre)) : "");
  }
  return table;
}

Table owner_table(const OwnerCost& owner) {
  Table table{.header = {"id", "label", "value", "unit", "formula"}};
  for (std::size_t i = 0; i < owner.rows.size(); ++i) {
    const FormulaRow& row = owner.rows[i];
    table.rows.push_back({row.id, row.label, exact_text(owner.values[i]), row.unit,
                          row.is_input ? std::string() : to_text(row.expression)});
  }
  return table;
}

Table layer_table(const NetworkCounts& counts) {
  Table table{.header = {"layer", "switches", "links_down", "links_up"}, .right = {false, true, true, true}};
  for (const LayerCounts& layer : counts.layers) {
    table.rows.push_back(
        {layer.name, std::to_string(layer.switches), std::to_string(layer.links_down), std::to_string(layer.links_up)});
  }
  return table;
}

Table validation_table(const Validation& validation) {
  Table table{.header = {"id", "source", "model", "gpus", "strategy", "measured_s", "predicted_s", "predicted_s_low",
                         "predicted_s_high", "error", "skipped"}};
  for (const ValidatedCase& each : validation.cases) {
    const TrainingCase& published = each.published;
    table.rows.push_back({published.id, published.source, published.model, std::to_string(published.gpus),
                          to_text(published.strategy), exact_text(published.measured.in(second)),
                          exact_text(each.predicted.typical.in(second)), exact_text(each.predicted.low.in(second)),
                          exact_text(each.predicted.high.in(second)), exact_text(each.error), ""});
  }
  for (const SkippedCase& each : validation.skipped) {
    table.rows.push_back({each.id, "", "", "", "", "", "", "", "", "", each.reason});
  }
  return table;
}

Table check_table(const std::vector<CheckedFile>& files) {
  Table table{.header = {"file", "kind", "line", "column", "path", "message", "expected"}};
  for (const CheckedFile& each : files) {
    if (each.mistakes.empty()) table.rows.push_back({each.file, each.kind, "", "", "", "", ""});
    for (const Diagnostic& mistake : each.mistakes) {
      table.rows.push_back({each.file, "", std::to_string(mistake.line), std::to_string(mistake.column), mistake.path,
                            mistake.message, mistake.expected});
    }
  }
  return table;
}

Table list_table(const std::vector<ListedItem>& items) {
  Table table{.header = {"name", "description", "source", "date"}};
  for (const ListedItem& item : items) table.rows.push_back({item.name, item.description, item.source, item.date});
  return table;
}

}  // namespace railyard
