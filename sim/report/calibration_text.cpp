// SPDX-License-Identifier: Apache-2.0
#include "sim/report/calibration_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/calibration/profile_lines.h"

namespace railyard {
namespace {

constexpr std::size_t worst_shown = 3;

std::string tool_of(const ImportedRun& run) { return run.tool + (run.version.empty() ? "" : " " + run.version); }

std::string ranks_of(const ImportedRun& run) {
  if (run.ranks > 0) return std::to_string(run.ranks);
  return run.ranks_low > 0 ? fmt::format("{}-{}", run.ranks_low, run.ranks_high) : "";
}

std::string count_or_blank(std::int64_t count) { return count > 0 ? std::to_string(count) : ""; }

/// Text of one column, not wider than the terminal can bear.
std::string clipped(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string errors_line(const char* what, const fit::ErrorSummary& errors) {
  if (errors.samples == 0) return {};
  return fmt::format("  {:<24} median {:.1f} %, 90th percentile {:.1f} %, worst {:.1f} %\n", what, 100 * errors.median,
                     100 * errors.p90, 100 * errors.worst);
}

double residual(const fit::FittedSample& sample) { return sample.predicted / sample.measured - 1; }

std::string sample_lines(const fit::FitReport& report, bool all) {
  std::vector<const fit::FittedSample*> order;
  for (const fit::FittedSample& sample : report.samples) order.push_back(&sample);
  if (!all) {
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return std::abs(residual(*a)) > std::abs(residual(*b)); });
    order.resize(std::min(order.size(), worst_shown));
  }
  std::string text = all ? "  residuals:\n" : "  largest residuals:\n";
  for (const fit::FittedSample* sample : order) {
    std::string line = fmt::format("    {:<40} {:>12} us {:>+7.1f} %", clipped(sample->label, 40),
                                   number_text(1e6 * sample->measured), 100 * residual(*sample));
    if (sample->weight <= 0) line += " outlier";
    text += line + "\n";
  }
  return text;
}

std::string law_text(const FittedLaw& law, bool samples) {
  const fit::FitReport& report = law.report;
  std::string text = fmt::format("{}: {} samples, {} outliers{}\n", law.operation, report.samples.size(),
                                 report.outliers(), report.converged ? "" : ", NOT converged");
  for (const fit::FittedParameter& parameter : report.parameters) {
    // No spread: as many parameters as samples, or samples that the parameter does not reach. Infinite: other
    // parameters can stand for it.
    const bool unknown = !std::isfinite(parameter.spread) || parameter.spread <= 1e-12 * std::abs(parameter.value);
    text += fmt::format("  {:<32} {:>11.4g} {}\n", parameter.name, parameter.value,
                        parameter.at_bound ? "(at its bound)"
                        : unknown          ? "(spread not known)"
                                           : fmt::format("+- {:.2g}", parameter.spread));
  }
  text += errors_line("fitted", report.seen()) + errors_line("sizes left out", report.left_out()) +
          errors_line("corrected by nearby ones", report.corrected());
  for (const auto& [name, range] : report.ranges) {
    text += fmt::format("  samples have {} from {} to {}\n", name, range.low, range.high);
  }
  return text + sample_lines(report, samples);
}

std::string evidence_text(const Evidence& evidence) {
  std::string text = evidence.source;
  if (!evidence.date.empty()) text += fmt::format(" ({})", evidence.date);
  if (evidence.assumed()) return fmt::format("ASSUMED: {}{}", evidence.rule, text.empty() ? "" : "; from " + text);
  return evidence.rule.empty() ? text : text + "; " + evidence.rule;
}

std::string ranges_text(const FitQuality& quality) {
  std::string text;
  for (const auto& [name, range] : quality.ranges) {
    text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", name, range.low, range.high);
  }
  return text;
}

std::string rate_text(double rate, bool flops) { return number_text(rate * (flops ? 1e-12 : 1e-9)); }

}  // namespace

std::string import_text(std::span<const ImportedFile> files) {
  std::string text;
  for (const ImportedFile& file : files) {
    if (!text.empty()) text += "\n";
    text += fmt::format("{}: {}\n", file.name, to_string(file.verdict()));
    Table table{.header = {"line", "tool", "operation", "ranks", "nodes", "rows", "verdict"},
                .rows = {},
                .right = {true, false, false, true, true, true, false}};
    std::string sentences;
    for (const ImportedRun& run : file.runs) {
      table.rows.push_back({std::to_string(run.first_line), clipped(tool_of(run), 20), clipped(run.operation, 20),
                            ranks_of(run), count_or_blank(run.nodes), std::to_string(run.rows),
                            run.refusal ? std::string(to_string(run.refusal->reason)) : "accepted"});
      if (run.refusal) {
        sentences += wrapped(fmt::format("line {}: refused, {}", run.refusal->line, run.refusal->sentence),
                             terminal_columns, "  ");
      }
      for (const Remark& remark : run.remarks) {
        sentences += wrapped(fmt::format("line {}: {}", remark.line, remark.sentence), terminal_columns, "  ");
      }
    }
    text += to_text(table) + sentences;
  }
  return text;
}

Table import_table(std::span<const ImportedFile> files) {
  Table table{.header = {"file", "line", "tool", "version", "layout", "operation", "ranks", "nodes", "rows", "verdict",
                         "reason", "sentence"}};
  for (const ImportedFile& file : files) {
    for (const ImportedRun& run : file.runs) {
      table.rows.push_back(
          {file.name, std::to_string(run.first_line), run.tool, run.version, run.layout, run.operation, ranks_of(run),
           count_or_blank(run.nodes), std::to_string(run.rows), run.refusal ? "refused" : "accepted",
           run.refusal ? std::string(to_string(run.refusal->reason)) : "", run.refusal ? run.refusal->sentence : ""});
    }
  }
  return table;
}

std::string fit_text(const SampleFit& fit, bool samples) {
  std::string text;
  for (const FittedLaw& law : fit.laws) text += (text.empty() ? "" : "\n") + law_text(law, samples);
  if (!fit.left_out.empty()) text += text.empty() ? "without a law:\n" : "\nwithout a law:\n";
  for (const std::string& sentence : fit.left_out) text += wrapped("  " + sentence, terminal_columns, "    ");
  return text;
}

Table fit_table(const SampleFit& fit) {
  Table table{.header = {"law", "kind", "name", "value", "spread", "fitted", "left_out", "weight"}};
  for (const FittedLaw& law : fit.laws) {
    for (const fit::FittedParameter& each : law.report.parameters) {
      table.rows.push_back({law.operation, "parameter", each.name, exact_text(each.value),
                            each.at_bound || !std::isfinite(each.spread) ? "" : exact_text(each.spread), "", "", ""});
    }
    for (const auto& [name, errors] :
         {std::pair{"fitted", law.report.seen()}, std::pair{"left_out", law.report.left_out()},
          std::pair{"corrected", law.report.corrected()}}) {
      if (errors.samples == 0) continue;
      table.rows.push_back({law.operation, "median_error", name, exact_text(errors.median), "", "", "", ""});
    }
    for (const fit::FittedSample& each : law.report.samples) {
      table.rows.push_back({law.operation, "sample_s", each.label, exact_text(each.measured), "",
                            exact_text(each.predicted), each.left_out > 0 ? exact_text(each.left_out) : "",
                            exact_text(each.weight)});
    }
  }
  return table;
}

std::string profile_text(const Profile& profile) {
  std::string text = wrapped(fmt::format("{}: {}, {} ({})", profile.id, profile.gpu, profile.software, profile.date),
                             terminal_columns, "  ") +
                     wrapped("  " + profile.description, terminal_columns, "  ") + "\n";
  for (const ProfileLine& line : profile_lines(profile)) {
    std::string figure = fmt::format("{}: {}", line.key, number_text(line.value.typical));
    if (!line.value.is_exact()) {
      figure += fmt::format(" ({} to {})", number_text(line.value.low), number_text(line.value.high));
    }
    text += wrapped(figure + (line.unit.empty() ? "" : " " + line.unit), terminal_columns, "  ");
    text += wrapped("    " + evidence_text(line.evidence), terminal_columns, "    ");
  }
  Table table{.header = {"fit", "samples", "error %", "left out %", "samples cover"},
              .rows = {},
              .right = {false, true, true, true, false}};
  for (const auto& [key, quality] : profile_fits(profile)) {
    table.rows.push_back({key, std::to_string(quality.samples), fmt::format("{:.1f}", 100 * quality.median_error),
                          fmt::format("{:.1f}", 100 * quality.left_out_error), clipped(ranges_text(quality), 33)});
  }
  return table.rows.empty() ? text : text + "\n" + to_text(table);
}

Table profile_table(const Profile& profile) {
  Table table{.header = {"key", "low", "typical", "high", "unit", "evidence", "source", "date", "rule"}};
  for (const ProfileLine& line : profile_lines(profile)) {
    table.rows.push_back({line.key, exact_text(line.value.low), exact_text(line.value.typical),
                          exact_text(line.value.high), line.unit, line.evidence.assumed() ? "assumed" : "sourced",
                          line.evidence.source, line.evidence.date, line.evidence.rule});
  }
  for (const auto& [key, quality] : profile_fits(profile)) {
    table.rows.push_back({key + ".fit", "", exact_text(quality.left_out_error), "", "", "fit",
                          fmt::format("{} samples, {}", quality.samples, ranges_text(quality)), "",
                          "median error of shapes left out"});
  }
  return table;
}

std::string samples_text(const SampleSet& set) {
  Table table{.header = {"operation", "sizes", "smallest", "fastest", "", "tool"},
              .rows = {},
              .right = {false, true, false, true, false, false}};
  for (const MeasuredSeries& series : set.series) {
    const auto fastest = std::max_element(series.points.begin(), series.points.end(),
                                          [](const auto& a, const auto& b) { return a.rate < b.rate; });
    if (fastest == series.points.end()) continue;
    const bool flops = series.measure == Measure::gemm || series.measure == Measure::attention;
    table.rows.push_back({clipped(series.title(), 32), std::to_string(series.points.size()),
                          clipped(series.points.front().label, 18), rate_text(fastest->rate, flops),
                          flops ? "TFLOP/s" : "GB/s", clipped(series.tool, 10)});
  }
  return fmt::format("samples of {}\n", set.name) + to_text(table);
}

Table samples_table(const SampleSet& set) {
  Table table{
      .header = {"operation", "ranks", "nodes", "size", "rate", "unit", "file", "tool", "version", "gpu", "date"}};
  for (const MeasuredSeries& series : set.series) {
    const bool flops = series.measure == Measure::gemm || series.measure == Measure::attention;
    for (const MeasuredPoint& point : series.points) {
      table.rows.push_back({series.operation, count_or_blank(series.ranks), count_or_blank(series.nodes), point.label,
                            exact_text(point.rate), flops ? "FLOP/s" : "B/s", series.file, series.tool, series.version,
                            series.gpu, series.date});
    }
  }
  return table;
}

std::string calibration_comparison_text(const CalibrationComparison& comparison) {
  std::string text = wrapped(fmt::format("a: {}", comparison.a), terminal_columns, "  ") +
                     wrapped(fmt::format("b: {}", comparison.b), terminal_columns, "  ");
  std::size_t marked = 0;
  for (std::size_t i = 0; i < comparison.rows.size();) {
    const CalibrationRow& first = comparison.rows[i];
    const std::string unit = first.flops ? "TFLOP/s" : "GB/s";
    Table table{.header = {"size", "a\n" + unit, "b\n" + unit, "b over a\n%", "noise\n%", ""},
                .rows = {},
                .right = {true, true, true, true, true, false}};
    for (; i < comparison.rows.size() && comparison.rows[i].operation == first.operation; ++i) {
      const CalibrationRow& row = comparison.rows[i];
      marked += row.marked ? 1 : 0;
      table.rows.push_back({row.size, rate_text(row.a, row.flops), rate_text(row.b, row.flops),
                            fmt::format("{:+.1f}", 100 * row.difference), fmt::format("{:.1f}", 100 * row.noise),
                            row.marked ? (row.difference < 0 ? "slower" : "faster") : ""});
    }
    text += "\n" + wrapped(first.operation, terminal_columns, "  ") + to_text(table);
  }
  text += fmt::format("\n{} of {} differences are beyond the noise\n", marked, comparison.rows.size());
  for (const auto& [side, list] : {std::pair{"a", &comparison.only_a}, std::pair{"b", &comparison.only_b}}) {
    for (const std::string& operation : *list) {
      text += wrapped(fmt::format("only in {}: {}", side, operation), terminal_columns, "  ");
    }
  }
  return text + wrapped(std::string(noise_rule), terminal_columns, "  ");
}

Table calibration_comparison_table(const CalibrationComparison& comparison) {
  Table table{.header = {"operation", "size", "a", "b", "unit", "difference", "noise", "marked"}};
  for (const CalibrationRow& row : comparison.rows) {
    table.rows.push_back({row.operation, row.size, exact_text(row.a), exact_text(row.b), row.flops ? "FLOP/s" : "B/s",
                          exact_text(row.difference), exact_text(row.noise), row.marked ? "true" : "false"});
  }
  return table;
}

}  // namespace railyard
