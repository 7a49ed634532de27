// SPDX-License-Identifier: Apache-2.0
#include "sim/report/calibration_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

#include "sim/report/html/curve_chart.h"
#include "sim/report/html/document.h"
#include "sim/report/html/svg.h"
#include "sim/study/calibration/profile_rates.h"
#include "sim/study/calibration/sample_fit.h"

namespace railyard {
namespace {

using html::CurveChart;
using html::CurveSeries;

constexpr int sheet_width = 860, sheet_margin = 24, chart_gap = 26;

double work_of(const GemmShape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) *
         static_cast<double>(shape.batch);
}

/// A rate at one size, by profile or fit.
using Law = std::function<std::optional<double>(const MeasuredSeries&, const MeasuredPoint&)>;

Law law_of(const CalibrationInput& input, const Profile* like) {
  if (input.profile) {
    return [rates = ProfileRates(*input.profile)](const MeasuredSeries& series, const MeasuredPoint& point) {
      const std::optional<RateEstimate> estimate = rates.at(series, point);
      return estimate ? std::optional(estimate->rate) : std::nullopt;
    };
  }
  return [fit = fit_samples(*input.samples, like)](const MeasuredSeries& series,
                                                   const MeasuredPoint& point) -> std::optional<double> {
    for (const FittedLaw& law : fit.laws) {
      const bool behind = std::any_of(law.series.begin(), law.series.end(),
                                      [&](const MeasuredSeries* each) { return each->title() == series.title(); });
      if (!behind) continue;
      const double bytes = static_cast<double>(point.size);
      if (law.gemm) return work_of(point.shape) / law.gemm->seconds(point.shape);
      if (law.memory) return bytes / law.memory->seconds(bytes);
      if (law.attention) return law.attention->rate(point.size);
      if (!law.collective) return {};
      const int ranks = static_cast<int>(series.ranks);
      return bus_bandwidth_factor(*series.collective(), ranks) * bytes /
             law.collective->seconds(*series.collective(), ranks, bytes);
    }
    return {};
  };
}

/// Sizes along the axis at which a law is drawn: squares of products, powers of two of bytes.
std::vector<MeasuredPoint> line_points(Measure measure, double low, double high) {
  std::vector<MeasuredPoint> points;
  if (measure == Measure::gemm) {
    for (std::int64_t size = 256; size <= 32768; size += size / 4) {
      if (const double work = work_of({size, size, size}); work >= low / 2 && work <= high * 2)
        points.push_back({.label = {}, .shape = {size, size, size}});
    }
    return points;
  }
  for (double size = low; size <= high * 1.001; size *= std::sqrt(2.0)) {
    points.push_back({.label = {}, .size = std::llround(size)});
  }
  return points;
}

CurveSeries curve_of(const std::string& name, const std::vector<const MeasuredSeries*>& list, const Law& law,
                     double unit) {
  CurveSeries curve{.name = name};
  const bool product = list.front()->measure == Measure::gemm;
  double low = 1e300, high = 0;
  for (const MeasuredSeries* series : list) {
    for (const MeasuredPoint& point : series->points) {
      const double size = product ? work_of(point.shape) : static_cast<double>(point.size);
      if (size <= 0) continue;
      low = std::min(low, size);
      high = std::max(high, size);
      if (point.rate > 0) curve.points.emplace_back(size, point.rate / unit);
    }
  }
  if (high <= 0) return curve;
  for (const MeasuredPoint& point : line_points(list.front()->measure, low, high)) {
    const std::optional<double> rate = law(*list.front(), point);
    const double size = product ? work_of(point.shape) : static_cast<double>(point.size);
    if (rate && size > 0) curve.law.emplace_back(size, *rate / unit);
  }
  return curve;
}

/// Series to draw: the samples, and of a profile the measured shapes it keeps and the sizes of its laws.
std::vector<MeasuredSeries> drawn_series(const CalibrationInput& input) {
  if (input.samples) return input.samples->series;
  std::vector<MeasuredSeries> result = common_grid(*input.profile, *input.profile);
  const ProfileRates rates(*input.profile);
  for (MeasuredSeries& series : result) {
    if (!series.precision()) continue;
    const GemmParameters& gemm = input.profile->gemm.at(*series.precision());
    const std::optional<GemmLaw> law = gemm_law(*input.profile, *series.precision(), Speed::typical);
    for (const auto& [shape, ratio] : gemm.nearby.samples()) {
      const Seconds time = gemm_time(*law, shape, element_size(*series.precision()), 2.0 * byte) * ratio;
      series.points.push_back(
          {fmt::format("{} x {} x {}", shape.m, shape.n, shape.k), shape, 0, work_of(shape) / time.in(second)});
    }
  }
  return result;
}

struct ChartKind {
  Measure measure;
  const char *id, *title, *value_axis, *size_axis;
  double unit;
};
constexpr ChartKind chart_kinds[] = {
    {Measure::gemm, "gemm", "Products: rate by work; the line is the law of square ones", "TFLOP/s", "FLOP", 1e12},
    {Measure::attention, "attention", "Attention: rate by sequence", "TFLOP/s", "tokens", 1e12},
    {Measure::memory, "memory", "Memory: bandwidth by bytes read and written", "GB/s", "bytes", 1e9},
    {Measure::collective, "collectives", "Collectives: bus bandwidth by size of the larger buffer", "GB/s", "bytes",
     1e9}};

constexpr std::size_t most_in_one = 8;  // series that a reader can tell apart

/// The curves of one kind; many of them in a chart for each operation.
std::vector<CurveChart> charts_of(const ChartKind& kind, const std::vector<MeasuredSeries>& all, const Law& law) {
  std::map<std::string, std::map<std::string, std::vector<const MeasuredSeries*>>> by_operation;
  std::map<std::string, std::vector<const MeasuredSeries*>> by_title;
  for (const MeasuredSeries& series : all) {
    if (series.measure != kind.measure) continue;
    by_title[series.title()].push_back(&series);
    by_operation[series.operation][series.title()].push_back(&series);
  }
  const bool split = by_title.size() > most_in_one && by_operation.size() < by_title.size();
  if (!split) by_operation = {{"", std::move(by_title)}};
  std::vector<CurveChart> charts;
  for (const auto& [operation, titles] : by_operation) {
    CurveChart chart{.id = std::string(kind.id) + (split ? "-" + operation : ""),
                     .title = kind.title + (split ? " (" + operation + ")" : ""),
                     .description = "Markers are measured, lines are the law.",
                     .value_axis = kind.value_axis,
                     .size_axis = kind.size_axis,
                     .series = {}};
    for (const auto& [title, list] : titles) {
      CurveSeries curve = curve_of(title, list, law, kind.unit);
      if (!curve.points.empty() || !curve.law.empty()) chart.series.push_back(std::move(curve));
    }
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

/// "h100-cuda: h100, CUDA 12 (2024-12)", or the name of the samples.
std::string heading(const CalibrationInput& input) {
  if (!input.profile) return input.samples->name;
  const Profile& profile = *input.profile;
  return fmt::format("{}: {}, {} ({})", profile.id, profile.gpu, profile.software, profile.date);
}

}  // namespace

std::string calibration_svg(const CalibrationInput& input, const Profile* like) {
  const std::vector<MeasuredSeries> all = drawn_series(input);
  const Law law = law_of(input, like);
  std::vector<CurveChart> charts;
  for (const ChartKind& kind : chart_kinds) {
    std::vector<CurveChart> more = charts_of(kind, all, law);
    std::move(more.begin(), more.end(), std::back_inserter(charts));
  }
  if (charts.empty())
    throw InputError(fmt::format("'{}' has nothing to draw", input.name),
                     "expected products, attention, memory kernels or collectives");
  html::Markup content =
      html::svg_text(std::to_string(sheet_margin), sheet_margin + 10, html::Anchor::start, "strong", heading(input));
  int down = 2 * sheet_margin + 10;
  for (const CurveChart& chart : charts) {
    const int height = html::curve_chart_pixels(chart);
    content += html::svg_at(sheet_margin, down, sheet_width - 2 * sheet_margin, height, html::curve_chart(chart)) +
               html::Markup("\n");
    down += height + chart_gap;
  }
  return html::svg_document(sheet_width, down, content, "svg .law { stroke-width: 1.6; fill: none; }\n");
}

}  // namespace railyard
