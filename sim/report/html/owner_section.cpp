// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

/// Rows whose sum is the owner cost: those that `total` refers to, sums among them opened.
void add_summands(const OwnerCost& owner, const std::string& id, std::vector<std::size_t>& summands);

void add_operands(const OwnerCost& owner, const Expr& expression, std::vector<std::size_t>& summands) {
  if (expression.op() == Expr::Op::add) {
    for (const Expr& operand : expression.operands()) add_operands(owner, operand, summands);
  } else if (expression.op() == Expr::Op::reference) {
    add_summands(owner, expression.id(), summands);
  }
}

void add_summands(const OwnerCost& owner, const std::string& id, std::vector<std::size_t>& summands) {
  for (std::size_t i = 0; i < owner.rows.size(); ++i) {
    if (owner.rows[i].id != id) continue;
    const bool sum = !owner.rows[i].is_input && owner.rows[i].expression.op() == Expr::Op::add;
    if (sum) {
      add_operands(owner, owner.rows[i].expression, summands);
    } else {
      summands.push_back(i);
    }
  }
}

Markup owner_chart(const StudyResult& result) {
  std::vector<std::size_t> summands;
  add_summands(result.rows.front().owner, "total", summands);
  StackedChart chart{.id = "owner-chart",
                     .title = "Owner cost per owned GPU-hour",
                     .description =
                         "One bar a cluster at the smallest and at the largest size, split by row of the owner "
                         "cost; the thin bar below spans the bounds. The table below has the same figures "
                         "per month.",
                     .value_axis = "$ per owned GPU-hour",
                     .parts = {},
                     .colours = {},
                     .bars = {}};
  for (const std::size_t i : summands) chart.parts.push_back(result.rows.front().owner.rows[i].label);
  for (const int gpus : end_sizes(result)) {
    for (const Bought& each : bought_at(result, gpus)) {
      const OwnerCost& owner = each.row->owner;
      const double gpu_hours = value_of(owner.rows, owner.values, "gpus") * value_of(owner.rows, owner.values, "hours");
      StackedBar bar{.group = gpus_text(gpus), .label = each.name, .parts = {}, .range = {}, .total = {}};
      for (const std::size_t i : summands) bar.parts.push_back(owner.values[i] / gpu_hours);
      bar.range = in_unit(owner.per_gpu, dollar_per_hour);
      bar.total = number(bar.range->typical) + " $/h";
      chart.bars.push_back(std::move(bar));
    }
  }
  return stacked_chart(chart);
}

Markup owner_cost_table(const StudyResult& result) {
  std::vector<const OwnerCost*> columns;
  HtmlTable table{.id = "owner",
                  .caption = "Owner cost of the GPUs and their spares, typical values",
                  .header = {"Row", "Formula", "Unit"},
                  .numeric = {false, false, false},
                  .rows = {}};
  for (const int gpus : end_sizes(result)) {
    for (const Bought& each : bought_at(result, gpus)) {
      columns.push_back(&each.row->owner);
      table.header.push_back(each.name + ", " + gpus_text(gpus));
      table.numeric.push_back(true);
    }
  }
  const std::vector<FormulaRow>& rows = columns.front()->rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FormulaRow& row = rows[i];
    std::vector<Markup> cells{Markup(row.label) + element("code", row.id),
                              row.is_input ? Markup("input") : element("code", to_text(row.expression)), row.unit};
    for (const OwnerCost* owner : columns) cells.push_back(short_number(owner->values[i]));
    if (i > 0 && row.is_input != rows[i - 1].is_input) table.rules.push_back(i);
    if (row.id == "total" || row.id == "total_per_gpu_hour") table.totals.push_back(i);
    table.rows.push_back(std::move(cells));
  }
  return to_markup(table);
}

}  // namespace

Section owner_section(const StudyResult& result) {
  return {"owner-section", "Owner cost", owner_chart(result) + owner_cost_table(result)};
}

}  // namespace railyard::html
