// SPDX-License-Identifier: Apache-2.0
#include "sim/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/report/table.h"

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

template <class Q>
std::string figure_line(std::string_view label, const Figure<Q>& figure, Q unit, std::string_view unit_name) {
  std::string text = fmt::format("  {}: {}", label, number_text(figure.value.typical.in(unit)));
  if (!figure.value.is_exact()) {
    text += fmt::format(" ({} to {})", number_text(figure.value.low.in(unit)), number_text(figure.value.high.in(unit)));
  }
  return fmt::format("{} {}\n", text, unit_name) + evidence_lines(figure.evidence);
}

std::string number_line(std::string_view label, const Figure<double>& figure) {
  std::string text = fmt::format("  {}: {}", label, number_text(figure.value.typical));
  if (!figure.value.is_exact())
    text += fmt::format(" ({} to {})", number_text(figure.value.low), number_text(figure.value.high));
  return text + "\n" + evidence_lines(figure.evidence);
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

std::string speed_part(const Profile& profile, Precision precision, std::string_view fabric) {
  std::string text = wrapped(fmt::format("speeds, profile {} ({}):", profile.id, profile.software), 80, "  ");
  if (const auto gemm = profile.gemm.find(precision); gemm != profile.gemm.end()) {
    text += figure_line(fmt::format("sustained {} GEMM", to_string(precision)), gemm->second.sustained,
                        teraflop_per_second, "TFLOP/s");
  }
  text += figure_line("HBM", profile.memory, 1000.0 * gigabyte_per_second, "TB/s");
  text += figure_line("kernel gap", profile.kernel_gap, microsecond, "us");
  text += number_line("speed spread of the fleet", profile.speed_spread);
  const CollectiveParameters& collective = profile.collective(fabric);
  text += figure_line("scale-up ring", collective.scale_up_ring, gigabyte_per_second, "GB/s");
  text += number_line("scale-out efficiency", collective.scale_out_efficiency);
  text += figure_line("scale-out hop", collective.scale_out_hop, microsecond, "us");
  return text;
}

std::string goodput_part(const ResultRow& row, const Reliability& reliability) {
  std::string text = fmt::format("goodput: a failure every {} h, a checkpoint every {} min, {} spare nodes\n",
                                 number_text(row.goodput_detail.mean_time_to_failure.in(hour)),
                                 number_text(row.goodput_detail.interval.in(minute)), row.spare_nodes);
  text += figure_line("failures per node", reliability.node_failure_rate, 1.0 / (1000.0 * day), "per 1000 days");
  text += figure_line("checkpoint blocking", reliability.checkpoint_blocking, second, "s");
  text += figure_line("restart", reliability.restart, second, "s");
  return text;
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
  text +=
      speed_part(catalogue.profile(row.profile), row.choice.strategy.precision, catalogue.design(row.design).fabric);
  text += goodput_part(row, catalogue.reliability(row.gpu));
  text += price_part(row);
  return text + "\n";
}

}  // namespace railyard
