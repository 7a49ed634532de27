// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace railyard {
namespace {

constexpr double doubtful = 0.1;  // a standard error beyond it, of the value: other parameters can stand for this one

}  // namespace

std::string open_figure(std::string_view key, const Range<double>& value, const FigureUnit& unit) {
  return fmt::format("{}: {{low: {:.6g}{}, typical: {:.6g}{}, high: {:.6g}{}", key, value.low / unit.base, unit.text,
                     value.typical / unit.base, unit.text, value.high / unit.base, unit.text);
}

Range<double> fitted_range(double value, double error, double highest) {
  constexpr double least = 0.1;  // of the value: a rate is never nothing
  return {std::max(value - 2 * error, least * value), value, std::max(value, std::min(value + 2 * error, highest))};
}

double parameter_error(const fit::FitReport& report, std::string_view parameter, double value) {
  const double error = report.standard_error(parameter);
  if (error <= doubtful * value) return error;
  const fit::ErrorSummary errors = report.left_out();
  return std::min(error, value * (errors.samples > 0 ? fit::robust_deviation * errors.median : fit::unknown_error));
}

std::string quality_text(const fit::FitReport& report) {
  std::string text =
      fmt::format("fit to {} samples, median error {:.1f} %", report.samples.size(), 100 * report.seen().median);
  if (report.left_out().samples > 0) text += fmt::format(", leaving out each {:.1f} %", 100 * report.left_out().median);
  for (const auto& [name, range] : report.ranges) text += fmt::format(", {} {} to {}", name, range.low, range.high);
  return text;
}

}  // namespace railyard
