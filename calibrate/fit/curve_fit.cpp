// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/curve_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace railyard::fit {
namespace {

Curve bandwidth_curve_of(std::span<const double> values) {
  if (values.size() == 1) return {.bytes_per_s = values[0]};
  if (values.size() == 2) return {.start_s = values[0], .bytes_per_s = values[1]};
  return {
      .start_s = values[0], .bytes_per_s = values[1], .cleaned_bytes = values[2] * values[3], .cache_bytes = values[3]};
}

constexpr double mebi = 1048576;
constexpr double least_cache = 4 * mebi, typical_cache = 48 * mebi, most_cache = 512 * mebi;
constexpr std::size_t fewest_for_cleaning = 7;

LeastSquaresResult solve(std::span<const CurveSample> samples, CacheCleaning cleaning) {
  assert(!samples.empty());
  double fastest = 0, shortest = samples.front().seconds;
  double smallest = samples.front().bytes, largest = smallest;
  for (const CurveSample& sample : samples) {
    fastest = std::max(fastest, sample.bytes / sample.seconds);
    shortest = std::min(shortest, sample.seconds);
    smallest = std::min(smallest, sample.bytes);
    largest = std::max(largest, sample.bytes);
  }
  std::vector<FitParameter> parameters;
  if (spans(smallest, largest)) parameters.push_back({"start s", 0.5 * shortest, 1e-9 * shortest, shortest});
  parameters.push_back({"bandwidth B/s", fastest, 0.1 * fastest, 10 * fastest});
  if (cleaning == CacheCleaning::possible && samples.size() >= fewest_for_cleaning && smallest <= least_cache &&
      largest >= 16 * typical_cache) {
    parameters.push_back({"cleaned share of the cache", 0.3, 0, 1});
    parameters.push_back({"cache B", typical_cache, least_cache, most_cache});
  }
  return least_squares(parameters, [&](std::span<const double> values) {
    const Curve curve = bandwidth_curve_of(values);
    std::vector<double> residuals;
    for (const CurveSample& sample : samples) {
      residuals.push_back(std::log(curve.seconds(sample.bytes) / sample.seconds));
    }
    return residuals;
  });
}

Curve bandwidth_curve_of(const LeastSquaresResult& result) { return bandwidth_curve_of(values_of(result)); }

}  // namespace

Curve fit_curve(std::span<const CurveSample> samples, CacheCleaning cleaning) {
  return bandwidth_curve_of(solve(samples, cleaning));
}

FitReport report_curve(const std::string& subject, std::span<const CurveSample> samples, CacheCleaning cleaning) {
  const LeastSquaresResult result = solve(samples, cleaning);
  FitReport report{.law = "bandwidth curve", .subject = subject, .parameters = result.parameters};
  report.converged = result.converged;
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    groups.push_back(fmt::format("{:.0f} B", samples[i].bytes));
    report.samples.push_back({.label = groups.back(),
                              .measured = samples[i].seconds,
                              .predicted = bandwidth_curve_of(result).seconds(samples[i].bytes),
                              .weight = result.weights[i]});
    widen(report.ranges, "bytes", std::llround(samples[i].bytes));
  }
  const std::vector<double> left_out = leave_groups_out(groups, [&](auto seen, auto unseen) {
    std::vector<CurveSample> kept;
    for (const std::size_t i : seen) kept.push_back(samples[i]);
    const Curve curve = fit_curve(kept, cleaning);
    std::vector<double> predictions;
    for (const std::size_t i : unseen) predictions.push_back(curve.seconds(samples[i].bytes));
    return predictions;
  });
  for (std::size_t i = 0; i < left_out.size(); ++i) report.samples[i].left_out = left_out[i];
  return report;
}

}  // namespace railyard::fit
