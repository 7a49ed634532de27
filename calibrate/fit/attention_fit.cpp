// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/attention_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace railyard::fit {
namespace {

constexpr double work = 1e12;  // FLOP whose time the report gives

AttentionCurve attention_curve_of(std::span<const double> values) {
  return {values[0], values.size() > 1 ? values[1] : 0};
}

LeastSquaresResult solve(std::span<const AttentionSample> samples) {
  assert(!samples.empty());
  double fastest = 0;
  std::int64_t shortest = samples.front().sequence, longest = shortest;
  for (const AttentionSample& sample : samples) {
    fastest = std::max(fastest, sample.flop_per_s);
    shortest = std::min(shortest, sample.sequence);
    longest = std::max(longest, sample.sequence);
  }
  std::vector<FitParameter> parameters{{"rate FLOP/s", fastest, 0.5 * fastest, 10 * fastest}};
  if (spans(static_cast<double>(shortest), static_cast<double>(longest))) {
    parameters.push_back({"half sequence", 300, 0, 1e5});
  }
  return least_squares(parameters, [&](std::span<const double> values) {
    const AttentionCurve curve = attention_curve_of(values);
    std::vector<double> residuals;
    for (const AttentionSample& sample : samples) {
      residuals.push_back(std::log(sample.flop_per_s / curve.rate(sample.sequence)));
    }
    return residuals;
  });
}

AttentionCurve attention_curve_of(const LeastSquaresResult& result) { return attention_curve_of(values_of(result)); }

}  // namespace

AttentionCurve fit_attention(std::span<const AttentionSample> samples) { return attention_curve_of(solve(samples)); }

FitReport report_attention(const std::string& subject, std::span<const AttentionSample> samples) {
  const LeastSquaresResult result = solve(samples);
  FitReport report{.law = "attention", .subject = subject, .parameters = result.parameters};
  report.converged = result.converged;
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    groups.push_back(fmt::format("sequence {}", samples[i].sequence));
    report.samples.push_back({.label = groups.back(),
                              .measured = work / samples[i].flop_per_s,
                              .predicted = work / attention_curve_of(result).rate(samples[i].sequence),
                              .weight = result.weights[i]});
    widen(report.ranges, "sequence", samples[i].sequence);
  }
  const std::vector<double> left_out = leave_groups_out(groups, [&](auto seen, auto unseen) {
    std::vector<AttentionSample> kept;
    for (const std::size_t i : seen) kept.push_back(samples[i]);
    const AttentionCurve curve = fit_attention(kept);
    std::vector<double> predictions;
    for (const std::size_t i : unseen) predictions.push_back(work / curve.rate(samples[i].sequence));
    return predictions;
  });
  for (std::size_t i = 0; i < left_out.size(); ++i) report.samples[i].left_out = left_out[i];
  return report;
}

}  // namespace railyard::fit
