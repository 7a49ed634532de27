// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/report/collective_report.h"

namespace railyard {
namespace {

std::string percent(double value) { return fmt::format("{:.1f}", 100 * value); }

/// Count and median of one class of one source; empty cells where it has no cases.
void add_class(std::vector<std::string>& row, const std::map<SizeClass, ValidationSummary>& by_size, SizeClass size) {
  const auto found = by_size.find(size);
  row.push_back(found == by_size.end() ? "" : std::to_string(found->second.count));
  row.push_back(found == by_size.end() ? "" : percent(found->second.median_abs_error));
}

/// Both ends of a long name: sources of one site differ at the end.
std::string ends_of(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  const std::size_t tail = width / 2;
  return text.substr(0, width - tail - 2) + ".." + text.substr(text.size() - tail);
}

std::string summary_line(std::string_view name, const ValidationSummary& summary, std::string_view what) {
  return fmt::format("{:13} {:5} cases: {} off by {:.1f} % (median), {:.1f} % (90th perc.)\n", name, summary.count,
                     what, 100 * summary.median_abs_error, 100 * summary.p90_abs_error);
}

/// How many sources have a median within the aim.
std::string within_line(const CollectiveValidation& validation, SizeClass size, double aim) {
  int all = 0, within = 0;
  for (const auto& [source, by_size] : validation.by_source) {
    const auto found = by_size.find(size);
    if (found == by_size.end()) continue;
    ++all;
    if (found->second.median_abs_error <= aim) ++within;
  }
  return fmt::format("{:13} {:5} of {} sources within {:.0f} % at the median\n", to_string(size), within, all,
                     100 * aim);
}

std::string figure_text(const fit::FittedParameter& parameter) {
  const std::string& name = parameter.name;
  const std::string_view key = std::string_view(name).substr(0, name.find(' '));
  if (name.ends_with(" s")) return fmt::format("{} {:.2f} us", key, 1e6 * parameter.value);
  if (name.ends_with(" B/s")) return fmt::format("{} {:.0f} GB/s", key, parameter.value / 1e9);
  return fmt::format("{} {:.3f}", key, parameter.value);
}

double measured_of(const CollectiveCase& one) {
  return size_class(one.measured.run.bytes) == SizeClass::latency ? one.measured.run.seconds
                                                                  : one.measured.bus_bandwidth();
}
double predicted_of(const CollectiveCase& one) { return measured_of(one) * (1 + one.error); }

}  // namespace

std::string collective_validation_text(const CollectiveValidation& validation) {
  std::string text =
      "Each source predicted by figures fitted to the others of its GPU and network,\n"
      "or, with fewer than six of these runs, to other GPUs of the network, or by\n"
      "the constants of the library.\n"
      "twins: what other sources measured of the same cases differs by so much (%).\n\n";
  Table table{.header = {"source", "n to\n64 KiB", "\n|err|", "\ntwins", "16 to\n256 MiB", "\n|err|", "\ntwins",
                         "above\n256 MiB", "\n|err|"},
              .right = {false, true, true, true, true, true, true, true, true}};
  for (const auto& [source, by_size] : validation.by_source) {
    std::vector<std::string> row{ends_of(source, 24)};
    const auto twins = validation.duplicates.find(source);
    for (const SizeClass size : {SizeClass::latency, SizeClass::bulk, SizeClass::large}) {
      add_class(row, by_size, size);
      if (size == SizeClass::large) continue;  // 80 columns
      const bool known = twins != validation.duplicates.end() && twins->second.contains(size);
      row.push_back(known ? percent(twins->second.at(size).median_abs_error) : "");
    }
    table.rows.push_back(std::move(row));
  }
  text += to_text(table) + "\n";
  for (const auto& [size, summary] : validation.by_size) {
    text += summary_line(to_string(size), summary, size == SizeClass::latency ? "time" : "busbw");
  }
  text += within_line(validation, SizeClass::latency, 0.2) + within_line(validation, SizeClass::bulk, 0.05);
  text += "\nfigures fitted to all sources of a pool:\n";
  for (const FittedPool& pool : validation.pools) {
    std::string line = fmt::format("{} ({} runs, {} sources):", pool.name, pool.runs, pool.sources);
    if (pool.fitted.parameters.empty()) line += " the library's constants,";
    if (!pool.network_of.empty()) line += fmt::format(" as {} on that network:", pool.network_of);
    for (const fit::FittedParameter& parameter : pool.fitted.parameters) line += " " + figure_text(parameter) + ",";
    line.pop_back();
    text += wrapped(line, 80, "  ");
  }
  std::map<std::string, int> reasons;
  for (const LeftOutRun& run : validation.left_out) ++reasons[run.reason];
  text += fmt::format("\n{} rows left out:\n", validation.left_out.size());
  for (const auto& [reason, count] : reasons) text += fmt::format("{:5}  {}\n", count, reason);
  return text;
}

Table collective_validation_table(const CollectiveValidation& validation) {
  Table table{.header = {"id", "source", "gpu", "gpus", "domains", "op", "bytes", "unit", "measured", "predicted",
                         "error", "algorithm", "protocol", "scale_up_figures", "scale_out_figures", "left_out"}};
  for (const CollectiveCase& one : validation.cases) {
    const MeasuredRun& run = one.measured;
    table.rows.push_back({run.id, run.source, run.gpu, std::to_string(run.run.ranks), std::to_string(run.run.domains),
                          std::string(to_string(run.run.collective)), exact_text(run.run.bytes),
                          size_class(run.run.bytes) == SizeClass::latency ? "s" : "B/s", exact_text(measured_of(one)),
                          exact_text(predicted_of(one)), exact_text(one.error),
                          std::string(to_string(one.predicted.algorithm)),
                          std::string(to_string(one.predicted.protocol)), std::string(to_string(one.scale_up)),
                          std::string(to_string(one.scale_out)), ""});
  }
  for (const LeftOutRun& run : validation.left_out) {
    table.rows.push_back({run.id, run.source, run.gpu, run.gpus, "", run.collective, run.bytes, "", "", "", "", "", "",
                          "", "", run.reason});
  }
  return table;
}

}  // namespace railyard
