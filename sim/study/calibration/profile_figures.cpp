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

std::string SourceList::add(const FittedLaw& law) {
  std::set<std::string> tools;
  std::string date;
  std::size_t samples = 0;
  for (const MeasuredSeries* series : law.series) {
    std::string tool = series->tool + (series->version.empty() ? "" : " " + series->version);
    for (const std::string* more : {&series->gpu, &series->software}) tool += more->empty() ? "" : ", " + *more;
    tools.insert(tool);
    date = std::max(date, series->date);
    samples += series->points.size();
  }
  std::string title;
  for (const std::string& each : tools) title += (title.empty() ? "" : "; ") + each;
  title += fmt::format(": {}, {} samples", law.operation, samples);
  const std::string id = fmt::format("log{}", ++count_);
  lines_ +=
      fmt::format("  {}: {{title: {}, date: {}}}\n", id, yaml_text(title), date.empty() ? "undated" : yaml_text(date));
  return id;
}

std::string LikeFigures::line(std::string_view indent, std::string_view path, const Range<double>& value,
                              const FigureUnit& unit) {
  keys_.emplace_back(path);
  const std::string rule = yaml_text(fmt::format("as {}; not measured here", like_.id));
  return fmt::format("{}{}, source: like, assumed: {}}}\n", indent,
                     open_figure(path.substr(path.find_last_of('.') + 1), value, unit), rule);
}

std::string LikeFigures::line(std::string_view indent, std::string_view path, const Figure<double>& figure) {
  return line(indent, path, figure.value, no_unit);
}

namespace {
template <class Q>
Range<double> in(const Range<Q>& range, Q unit) {
  return {range.low.in(unit), range.typical.in(unit), range.high.in(unit)};
}
}  // namespace

std::string LikeFigures::line(std::string_view indent, std::string_view path, const Figure<FlopRate>& figure) {
  return line(indent, path, in(figure.value, flop / second), teraflop_unit);
}
std::string LikeFigures::line(std::string_view indent, std::string_view path, const Figure<Bandwidth>& figure) {
  return line(indent, path, in(figure.value, byte / second), gigabyte_unit);
}
std::string LikeFigures::line(std::string_view indent, std::string_view path, const Figure<Seconds>& figure) {
  return line(indent, path, in(figure.value, second), microsecond_unit);
}

}  // namespace railyard
