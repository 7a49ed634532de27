// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace railyard {

std::string open_figure(std::string_view key, const Range<double>& value, const FigureUnit& unit) {
  return fmt::format("{}: {{low: {:.6g}{}, typical: {:.6g}{}, high: {:.6g}{}", key, value.low / unit.base, unit.text,
                     value.typical / unit.base, unit.text, value.high / unit.base, unit.text);
}

Range<double> fitted_range(double value, double error, double highest) {
  return {std::max(value - 2 * error, 0.0), value, std::max(value, std::min(value + 2 * error, highest))};
}

double error_of(const fit::FitReport& report, std::string_view parameter, double value) {
  constexpr double robust_deviation = 1.4826;
  for (const fit::FittedParameter& each : report.parameters) {
    if (!each.name.ends_with(parameter)) continue;
    if (each.at_bound) return 0;
    const fit::ErrorSummary errors = report.left_out().samples > 0 ? report.left_out() : report.seen();
    const bool doubtful = each.spread > 0.1 * value;
    return doubtful ? std::min(each.spread, robust_deviation * errors.median * value) : each.spread;
  }
  return 0;
}

std::string quality_text(const fit::FitReport& report) {
  std::string text =
      fmt::format("fit to {} samples, median error {:.1f} %", report.samples.size(), 100 * report.seen().median);
  if (report.left_out().samples > 0) text += fmt::format(", leaving out each {:.1f} %", 100 * report.left_out().median);
  for (const auto& [name, range] : report.ranges) text += fmt::format(", {} {} to {}", name, range.low, range.high);
  return text;
}

}  // namespace railyard
