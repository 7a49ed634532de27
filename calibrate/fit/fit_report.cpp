// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

namespace railyard::fit {
namespace {

ErrorSummary summarise_samples(const std::vector<FittedSample>& samples, double FittedSample::*prediction) {
  std::vector<double> measured, predicted;
  for (const FittedSample& sample : samples) {
    if (sample.*prediction <= 0) continue;
    measured.push_back(sample.measured);
    predicted.push_back(sample.*prediction);
  }
  return summarise(measured, predicted);
}

std::string to_text(const char* title, const ErrorSummary& errors) {
  if (errors.samples == 0) return {};
  return fmt::format("  {}: median {:.1f} %, 90th percentile {:.1f} %, worst {:.1f} % of {}\n", title,
                     100 * errors.median, 100 * errors.p90, 100 * errors.worst, errors.samples);
}

}  // namespace

ErrorSummary summarise(std::span<const double> measured, std::span<const double> predicted) {
  assert(measured.size() == predicted.size());
  std::vector<double> errors;
  for (std::size_t i = 0; i < measured.size(); ++i) errors.push_back(std::abs(predicted[i] / measured[i] - 1));
  return {static_cast<int>(errors.size()), median(errors), quantile(errors, 0.9), quantile(errors, 1)};
}

ErrorSummary FitReport::seen() const { return summarise_samples(samples, &FittedSample::predicted); }
ErrorSummary FitReport::left_out() const { return summarise_samples(samples, &FittedSample::left_out); }
ErrorSummary FitReport::corrected() const { return summarise_samples(samples, &FittedSample::corrected); }

int FitReport::outliers() const {
  return static_cast<int>(
      std::count_if(samples.begin(), samples.end(), [](const FittedSample& sample) { return sample.weight <= 0; }));
}

double FitReport::standard_error(std::string_view name_end) const {
  for (const FittedParameter& parameter : parameters) {
    if (!parameter.name.ends_with(name_end)) continue;
    if (parameter.at_bound) return 0;
    const bool known = std::isfinite(parameter.spread) && parameter.spread > 1e-12 * std::abs(parameter.value);
    if (known) return parameter.spread;
    return std::abs(parameter.value) * (left_out().samples > 0 ? robust_deviation * left_out().median : unknown_error);
  }
  return 0;
}

FitQuality FitReport::quality() const {
  return {.samples = static_cast<int>(samples.size()),
          .ranges = ranges,
          .median_error = seen().median,
          .left_out_error = left_out().median};
}

bool spans(double smallest, double largest) { return largest > 1.5 * smallest; }

void widen(std::map<std::string, SampleRange>& ranges, const std::string& name, std::int64_t size) {
  const auto [at, added] = ranges.try_emplace(name, SampleRange{size, size});
  if (added) return;
  at->second.low = std::min(at->second.low, size);
  at->second.high = std::max(at->second.high, size);
}

std::string to_text(const FitReport& report, bool with_samples) {
  std::string text = fmt::format("{}, {}: {} samples, {} outliers{}\n", report.law, report.subject,
                                 report.samples.size(), report.outliers(), report.converged ? "" : ", NOT converged");
  for (const FittedParameter& parameter : report.parameters) {
    text += fmt::format("  {} {:.4g}{}\n", parameter.name, parameter.value,
                        parameter.at_bound ? " (at its bound)" : fmt::format(" +- {:.2g}", parameter.spread));
  }
  text += to_text("fitted", report.seen()) + to_text("left out", report.left_out()) +
          to_text("left out, corrected by nearby samples", report.corrected());
  for (const auto& [name, range] : report.ranges) {
    text += fmt::format("  samples have {} from {} to {}\n", name, range.low, range.high);
  }
  for (const FittedSample& sample : with_samples ? report.samples : std::vector<FittedSample>{}) {
    text += fmt::format("  {:>28} {:12.3f} us {:+7.1f} %{}\n", sample.label, 1e6 * sample.measured,
                        100 * (sample.predicted / sample.measured - 1), sample.weight <= 0 ? "  outlier" : "");
  }
  return text;
}

std::vector<double> leave_groups_out(
    std::span<const std::string> group_of_sample,
    const std::function<std::vector<double>(std::span<const std::size_t>, std::span<const std::size_t>)>& predict) {
  const std::set<std::string> groups(group_of_sample.begin(), group_of_sample.end());
  if (groups.size() < 2) return {};
  std::vector<double> result(group_of_sample.size());
  for (const std::string& group : groups) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < group_of_sample.size(); ++i) (group_of_sample[i] == group ? unseen : seen).push_back(i);
    const std::vector<double> predictions = predict(seen, unseen);
    assert(predictions.size() == unseen.size());
    for (std::size_t i = 0; i < unseen.size(); ++i) result[unseen[i]] = predictions[i];
  }
  return result;
}

}  // namespace railyard::fit
