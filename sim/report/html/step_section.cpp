// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "sim/report/html/charts.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

/// The parts of a step in words.
std::string part_name(Part part) {
  switch (part) {
    case Part::compute:
      return "compute";
    case Part::tp:
      return "tensor-parallel traffic";
    case Part::cp:
      return "context-parallel traffic";
    case Part::ep:
      return "expert traffic";
    case Part::pp_bubble:
      return "pipeline bubble";
    case Part::pp_send:
      return "pipeline sends";
    case Part::dp:
      return "gradient traffic";
    case Part::optimizer:
      return "optimizer";
    case Part::host:
      return "host";
    case Part::straggler:
      return "slowest GPU";
  }
  return std::string(to_string(part));
}

std::vector<Part> parts_that_occur(const StudyResult& result) {
  std::vector<Part> list;
  for (std::size_t i = 0; i < part_count; ++i) {
    for (const ResultRow& row : result.rows) {
      if (row.step.breakdown[i] > Seconds{}) {
        list.push_back(static_cast<Part>(i));
        break;
      }
    }
  }
  return list;
}

Markup step_chart(const StudyResult& result, const std::vector<Part>& parts) {
  StackedChart chart{.id = "step-chart",
                     .title = "Where the GPU time of a training step goes",
                     .description =
                         "One bar a cluster at the smallest and at the largest size: step time times GPUs, split "
                         "by what the slowest pipeline stage does; the thin bar below spans the bounds of the "
                         "step. The table below has the same figures in seconds.",
                     .value_axis = "GPU-hours per step",
                     .parts = {},
                     .colours = {},
                     .bars = {}};
  for (const Part part : parts) chart.parts.push_back(part_name(part));
  for (const int gpus : end_sizes(result)) {
    for (const ResultRow& row : result.rows) {
      if (row.gpus != gpus) continue;
      const Seconds unit = hour / gpus;
      StackedBar bar{.group = gpus_text(gpus), .label = row.cluster, .parts = {}, .range = {}, .total = {}};
      for (const Part part : parts) {
        bar.parts.push_back(row.step.breakdown[static_cast<std::size_t>(part)].in(unit));
      }
      bar.range = in_unit(row.step_time, unit);
      bar.total = number(row.step_time.typical.in(second)) + " s";
      chart.bars.push_back(std::move(bar));
    }
  }
  return stacked_chart(chart);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The settings that all strategies share.
std::vector<std::string> common_settings(const StudyResult& result) {
  std::vector<std::string> common = words_of(to_text(result.rows.front().choice.strategy));
  for (const ResultRow& row : result.rows) {
    const std::vector<std::string> words = words_of(to_text(row.choice.strategy));
    std::erase_if(common,
                  [&](const std::string& word) { return std::find(words.begin(), words.end(), word) == words.end(); });
  }
  return common;
}

std::string without(const std::string& strategy, const std::vector<std::string>& common) {
  std::string text;
  for (const std::string& word : words_of(strategy)) {
    if (std::find(common.begin(), common.end(), word) == common.end()) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

Markup step_table(const StudyResult& result, const std::vector<Part>& parts, const std::vector<std::string>& common) {
  HtmlTable table{.id = "step",
                  .caption = "Step time by part, seconds on the slowest pipeline stage",
                  .header = {"Cluster", "GPUs", "step, s"},
                  .numeric = {false, true, true},
                  .rows = {}};
  for (const Part part : parts) table.header.push_back(part_name(part));
  table.numeric.resize(table.header.size(), true);
  table.header.emplace_back("strategy");
  table.numeric.push_back(false);
  for (const int gpus : sizes_of(result)) {
    table.rules.push_back(table.rows.size());
    for (const ResultRow& row : result.rows) {
      if (row.gpus != gpus) continue;
      std::vector<Markup> cells{row.cluster, count(gpus), ranged_cell(in_unit(row.step_time, second))};
      for (const Part part : parts) {
        cells.push_back(number_like(row.step.breakdown[static_cast<std::size_t>(part)].in(second),
                                    row.step_time.typical.in(second)));
      }
      cells.push_back(element("small", without(to_text(row.choice.strategy), common)));
      table.rows.push_back(std::move(cells));
    }
  }
  return to_markup(table);
}

}  // namespace

Section step_section(const StudyResult& result) {
  const std::vector<Part> parts = parts_that_occur(result);
  const std::vector<std::string> common = common_settings(result);
  std::string note =
      "Parts are the critical path and sum to the step. A strategy is tensor (tp), sequence (sp), pipeline (pp) and "
      "context (cp) parallelism, interleaving (vpp), micro-batch (mbs), recomputation and optimizer sharding (zero); "
      "data parallelism takes the rest of the GPUs.";
  if (!common.empty()) note += " Alike in all rows:";
  for (const std::string& word : common) note += " " + word;
  return {"step-section", "Step breakdown",
          step_chart(result, parts) + paragraph(note) + step_table(result, parts, common)};
}

}  // namespace railyard::html
