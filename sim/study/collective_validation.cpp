// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_validation.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace railyard {
namespace {

constexpr double mebibytes = 1048576;

/// Of time where a case is judged by it, of bandwidth otherwise.
double error_of(double seconds, const fit::CollectiveRun& run) {
  const double ratio = seconds / run.seconds;
  return size_class(run.bytes) == SizeClass::latency ? ratio - 1 : 1 / ratio - 1;
}

CollectiveCase predict_case(const MeasuredRun& run, const CollectiveFigures& figures) {
  CollectiveCase result{.measured = run,
                        .predicted = fit::predict(run.run, figures.fitted.speeds),
                        .scale_up = figures.scale_up,
                        .scale_out = run.network.empty() ? figures.scale_up : figures.scale_out};
  result.error = error_of(result.predicted.seconds, run.run);
  return result;
}

/// Configuration of a case; sizes count as one within a per cent or so.
auto key_of(const MeasuredRun& run) {
  const fit::CollectiveRun& r = run.run;
  const AlgorithmSet& enabled = r.enabled;
  return std::tuple(run.machine->name, run.network, r.collective, r.ranks, r.domains, r.ports, r.port,
                    std::lround(64 * std::log2(r.bytes)), enabled.ring, enabled.tree, enabled.nvls);
}

void compare_duplicates(std::vector<CollectiveCase>& cases) {
  std::map<decltype(key_of(cases.front().measured)), std::vector<const CollectiveCase*>> alike;
  for (const CollectiveCase& one : cases) alike[key_of(one.measured)].push_back(&one);
  for (CollectiveCase& one : cases) {
    std::vector<double> others;
    for (const CollectiveCase* other : alike.at(key_of(one.measured))) {
      if (other->measured.source != one.measured.source) others.push_back(other->measured.run.seconds);
    }
    if (!others.empty()) one.duplicates_differ = error_of(fit::median(others), one.measured.run);
  }
}

void summarize_all(CollectiveValidation& validation) {
  std::vector<double> all;
  std::map<SizeClass, std::vector<double>> sizes;
  std::map<std::string, std::map<SizeClass, std::vector<double>>> sources, duplicates;
  for (const CollectiveCase& one : validation.cases) {
    const SizeClass size = size_class(one.measured.run.bytes);
    all.push_back(one.error);
    sizes[size].push_back(one.error);
    sources[one.measured.source][size].push_back(one.error);
    if (one.duplicates_differ) duplicates[one.measured.source][size].push_back(*one.duplicates_differ);
  }
  validation.summary = summarize(all);
  for (const auto& [size, errors] : sizes) validation.by_size[size] = summarize(errors);
  for (const auto& [source, by_size] : sources) {
    for (const auto& [size, errors] : by_size) validation.by_source[source][size] = summarize(errors);
  }
  for (const auto& [source, by_size] : duplicates) {
    for (const auto& [size, differences] : by_size) validation.duplicates[source][size] = summarize(differences);
  }
}

}  // namespace

std::string_view to_string(SizeClass size) {
  switch (size) {
    case SizeClass::latency:
      return "up to 64 KiB";
    case SizeClass::middle:
      return "up to 16 MiB";
    case SizeClass::bulk:
      return "16 to 256 MiB";
    case SizeClass::large:
      break;
  }
  return "above 256 MiB";
}

SizeClass size_class(double bytes) {
  // Sizes are rounded to whole elements a rank: a per cent either way.
  constexpr double slack = 0.01;
  if (bytes <= 65536) return SizeClass::latency;
  if (bytes < 16 * mebibytes * (1 - slack)) return SizeClass::middle;
  return bytes <= 256 * mebibytes * (1 + slack) ? SizeClass::bulk : SizeClass::large;
}

CollectiveValidation validate_collectives(const CsvFile& file) {
  require_columns(file, {"source", "gpu", "gpus", "nodes", "fabric", "nic_gbps", "collective", "algo", "nvls_or_sharp",
                         "message_bytes", "time_us", "busbw_GBps"});
  require_rows(file);
  CollectiveValidation validation;
  std::vector<MeasuredRun> runs;
  for (const CsvRecord& record : file.records) {
    std::variant<MeasuredRun, LeftOutRun> read = read_measured_run(record);
    if (auto* left_out = std::get_if<LeftOutRun>(&read)) {
      validation.left_out.push_back(std::move(*left_out));
    } else {
      runs.push_back(std::get<MeasuredRun>(std::move(read)));
    }
  }
  const RunPools pools(runs);

  // One fit for each source of each pool, and one for the pool itself.
  struct Task {
    std::string pool, source;
    std::vector<CollectiveCase> cases;
    FittedPool fitted;
  };
  std::vector<Task> tasks;
  for (const auto& [name, pool] : pools.all()) {
    std::set<std::string> sources;
    for (const MeasuredRun* run : pool) sources.insert(run->source);
    for (const std::string& source : sources)
      tasks.push_back({.pool = name, .source = source, .cases = {}, .fitted = {}});
    tasks.push_back({.pool = name, .source = {}, .cases = {}, .fitted = {name, pool.size(), sources.size(), {}}});
  }
  tbb::parallel_for(std::size_t{0}, tasks.size(), [&](std::size_t i) {
    Task& task = tasks[i];
    const RunPools::Pool& pool = pools.all().at(task.pool);
    const MeasuredRun& any = *pool.front();
    std::set<std::string> without;
    if (!task.source.empty()) without.insert(task.source);
    const CollectiveFigures figures = pools.fitted(*any.machine, any.network, without);
    task.fitted.fitted = figures.fitted;
    if (figures.network_of != nullptr) task.fitted.network_of = figures.network_of->name;
    if (task.source.empty()) return;
    for (const MeasuredRun* run : pool) {
      if (run->source == task.source) task.cases.push_back(predict_case(*run, figures));
    }
  });
  for (Task& task : tasks) {
    if (task.source.empty()) validation.pools.push_back(std::move(task.fitted));
    std::ranges::move(task.cases, std::back_inserter(validation.cases));
  }
  const auto line = [](const CollectiveCase& one) { return std::stoi(one.measured.id.substr(5)); };
  std::ranges::stable_sort(validation.cases, {}, line);
  compare_duplicates(validation.cases);
  summarize_all(validation);
  return validation;
}

}  // namespace railyard
