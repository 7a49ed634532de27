// SPDX-License-Identifier: Apache-2.0
#include "sim/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/report/table.h"
#include "sim/study/calibration/outside_samples.h"

namespace railyard {
namespace {

/// Source or assumption, indented and wrapped.
std::string evidence_lines(const Evidence& evidence) {
  std::string source = evidence.source;
  if (!evidence.date.empty()) source += fmt::format(" ({})", evidence.date);
  if (evidence.assumed()) {
    source = fmt::format("ASSUMED: {}{}", evidence.rule, source.empty() ? "" : "; from " + source);
  }
  return wrapped("    " + source, 80, "    ");
}

/// The figures of one group with their evidence.
std::string group_lines(const ResultRow& row, EvidenceGroup group) {
  std::string text;
  for (const EvidenceLine& line : row.evidence) {
    if (line.group != group) continue;
    const std::string place = group == EvidenceGroup::part ? line.item + ", " : std::string();
    std::string figure = fmt::format("  {}{}: {}", place, line.label, number_text(line.value.typical));
    if (!line.value.is_exact()) {
      figure += fmt::format(" ({} to {})", number_text(line.value.low), number_text(line.value.high));
    }
    if (!line.unit.empty()) figure += " " + line.unit;
    text += wrapped(figure, 80, "    ") + evidence_lines(line.evidence);
  }
  return text;
}

std::string step_part(const ResultRow& row) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < part_count; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return row.step.breakdown[a] > row.step.breakdown[b]; });
  std::string text = "what limits the step:";
  for (std::size_t i = 0; i < 3; ++i) {
    const Seconds part = row.step.breakdown[order[i]];
    if (part.in(second) <= 0) break;
    text += fmt::format("{} {} {:.1f} %", i == 0 ? "" : ",", to_string(static_cast<Part>(order[i])),
                        100 * (part / row.step.step_time));
  }
  text += fmt::format("\n  gradient reduction by {}\n",
                      row.step.dp_algorithm.empty() ? "nothing (one replica)" : row.step.dp_algorithm);
  text += row.choice.searched ? fmt::format("  strategy searched: {} screened, {} simulated, the fastest is shown\n",
                                            row.choice.screened, row.choice.simulated)
                              : std::string("  strategy given\n");
  return text;
}

Profile profile_of(const ResultRow& row, const Catalogue& catalogue) {
  return catalogue.profile(row.profile_file.empty() ? row.profile : row.profile_file);
}

/// Warnings about laws used beyond the samples they were fitted to.
std::string outside_part(const ResultRow& row, const Catalogue& catalogue) {
  if (row.model.empty()) return {};  // a row that is priced only
  const std::vector<std::string> sentences =
      outside_samples(profile_of(row, catalogue), catalogue.model(row.model), row.choice.strategy);
  std::string text = sentences.empty() ? "" : "warning, speeds beyond what was measured:\n";
  for (const std::string& sentence : sentences) text += wrapped("  " + sentence, 80, "    ");
  return text;
}

std::string goodput_part(const ResultRow& row) {
  const double failure = row.goodput_detail.mean_time_to_failure.in(hour),
               checkpoint = row.goodput_detail.interval.in(minute);
  return fmt::format(
             "goodput: {}, {}, {} spare nodes\n",
             std::isfinite(failure) ? "a failure every " + number_text(failure) + " h" : "no failures",
             std::isfinite(checkpoint) ? "a checkpoint every " + number_text(checkpoint) + " min" : "no checkpoints",
             row.spare_nodes) +
         group_lines(row, EvidenceGroup::reliability);
}

std::string price_part(const ResultRow& row) {
  std::vector<const CapexLine*> lines;
  for (const CapexLine& line : row.capex.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const CapexLine* a, const CapexLine* b) { return a->total.typical > b->total.typical; });
  std::string text = fmt::format("prices, book {} (largest first):\n", row.price_book);
  for (const CapexLine* line : lines) {
    text += fmt::format("  {} x {} at {} $ ({} to {})\n", line->quantity, line->part,
                        count_text(line->unit.typical.in(dollar)), count_text(line->unit.low.in(dollar)),
                        count_text(line->unit.high.in(dollar)));
    text += evidence_lines(line->evidence);
  }
  return text;
}

}  // namespace

std::string explain_row(const ResultRow& row, const Catalogue& catalogue) {
  std::string text = fmt::format("{} with {} GPUs\n", row.cluster, row.gpus);
  text += step_part(row);
  text += wrapped(fmt::format("speeds, profile {} ({}):", row.profile, profile_of(row, catalogue).software), 80, "  ");
  text += group_lines(row, EvidenceGroup::speed);
  text += outside_part(row, catalogue);
  text += goodput_part(row);
  text += price_part(row);
  for (const EvidenceGroup group : {EvidenceGroup::owner, EvidenceGroup::part, EvidenceGroup::wiring}) {
    text += fmt::format("{}:\n", to_string(group)) + group_lines(row, group);
  }
  return text + "\n";
}

}  // namespace railyard
