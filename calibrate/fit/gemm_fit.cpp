// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/gemm_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace railyard::fit {
namespace {

constexpr double shows_start_s = 100e-6;  // a start of some us is some per cent of less

/// A speed near the guess; where the fastest sample is far below it, a processor's, near that.
FitParameter speed_parameter(const std::string& name, double guess, const std::vector<GemmSample>& samples) {
  double fastest = 0;
  for (const auto& [shape, seconds] : samples) {
    const double rate = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                        static_cast<double>(shape.k) * static_cast<double>(shape.batch) / seconds;
    fastest = std::max(fastest, rate);
  }
  constexpr double far = 20;
  if (fastest > 0 && far * fastest < guess) return {name, fastest, fastest / 100, 100 * fastest};
  return {name, guess, 1e13, 3e16};
}

double shortest(const GemmSeries& series) {
  double result = std::numeric_limits<double>::infinity();
  for (const GemmSample& sample : series.samples) result = std::min(result, sample.seconds);
  return result;
}

std::vector<FitParameter> parameters_of(std::span<const GemmSeries> all) {
  std::vector<FitParameter> parameters{
      {"wave_sharing", 0.5, 0, 1}, {"tile_edge", 20, 0, 400}, {"k_overhead bytes", 200, 1, 4000}};
  for (const GemmSeries& series : all) {
    const double guess = series.operand_bytes < 2 ? 1.4e15 : 0.8e15;
    parameters.push_back(speed_parameter(series.name + " FLOP/s", guess, series.samples));
    const double memory = series.memory_bytes_per_s;
    parameters.push_back({series.name + " memory B/s", memory, 0.7 * memory, 3 * memory});
    parameters.push_back({series.name + " start s", 2e-6, 1e-8, 1e-4});
    if (series.quantises) parameters.push_back({series.name + " cast s/element", 2e-12, 1e-15, 1e-10});
    if (series.cache_bytes > 0) parameters.push_back({series.name + " refetch", 0.5, 0, 1});
    if (series.in_loop) parameters.push_back({series.name + " launch interval s", shortest(series), 1e-8, 1e-2});
  }
  return parameters;
}

std::vector<GemmModel> models_of(std::span<const double> values, std::span<const GemmSeries> all) {
  std::vector<GemmModel> models;
  std::size_t next = 3;
  for (const GemmSeries& series : all) {
    GemmModel model;
    model.operand_bytes = series.operand_bytes;
    model.output_bytes = series.output_bytes;
    model.law.compute_units = series.compute_units;
    model.law.wave_sharing = values[0];
    model.law.tile_edge = values[1];
    model.law.k_overhead = values[2] / series.operand_bytes;
    model.law.flop_per_s = values[next++];
    model.law.memory_bytes_per_s = values[next++];
    model.law.start_s = values[next++];
    if (series.quantises) model.quantise_s = values[next++];
    model.law.cache_bytes = series.cache_bytes;
    model.law.dies = series.dies;
    model.copy_bytes_per_s = series.memory_bytes_per_s;
    if (series.cache_bytes > 0) model.law.refetch_s_per_byte = values[next++] / model.copy_bytes_per_s;
    if (series.in_loop) model.interval_s = values[next++];
    models.push_back(model);
  }
  return models;
}

double log_ratio(const GemmModel& model, const GemmSample& sample) {
  return std::log(model.seconds(sample.shape) / sample.seconds);
}

LeastSquaresResult solve(std::span<const GemmSeries> all) {
  return least_squares(parameters_of(all), [&](std::span<const double> values) {
    const std::vector<GemmModel> models = models_of(values, all);
    std::vector<double> residuals;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const GemmSample& sample : all[i].samples) residuals.push_back(log_ratio(models[i], sample));
    }
    return residuals;
  });
}

std::vector<GemmModel> models_of(const LeastSquaresResult& result, std::span<const GemmSeries> all) {
  return models_of(values_of(result), all);
}

std::string group(const GemmShape& shape) { return fmt::format("{} x {}", shape.n, shape.k); }

/// Samples without those of one group, and the other way round.
GemmSeries part(const GemmSeries& series, const std::string& left_out, bool keep_group) {
  GemmSeries result = series;
  std::erase_if(result.samples,
                [&](const GemmSample& sample) { return (group(sample.shape) == left_out) != keep_group; });
  return result;
}

/// What the law misses at the samples, as a correction; those a third off or more are left out as faults.
NearbySamples corrections(const GemmModel& model, const std::vector<GemmSample>& samples) {
  NearbySamples nearby;
  for (const GemmSample& sample : samples) {
    const double ratio = log_ratio(model, sample);
    if (std::abs(ratio) < 0.3) nearby.add(sample.shape, std::exp(-ratio));
  }
  return nearby;
}

FitReport base_report(const GemmSeries& series, const GemmModel& model) {
  FitReport report{.law = "GEMM", .subject = series.name};
  for (const GemmSample& sample : series.samples) {
    const auto& [m, n, k, batch] = sample.shape;
    report.samples.push_back({.label = fmt::format("{} x {} x {}", m, n, k),
                              .shape = sample.shape,
                              .measured = sample.seconds,
                              .predicted = model.seconds(sample.shape)});
    widen(report.ranges, "m", m);
    widen(report.ranges, "n", n);
    widen(report.ranges, "k", k);
  }
  return report;
}

std::vector<std::string> groups_of(std::span<const GemmSeries> all) {
  std::vector<std::string> groups;
  for (const GemmSeries& series : all) {
    for (const GemmSample& sample : series.samples) groups.push_back(group(sample.shape));
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

/// Enters the predictions for one group by models that have not seen it.
void enter_left_out(FitReport& report, const GemmSeries& series, const GemmSeries& seen, const GemmModel& model,
                    const std::string& left_out) {
  const NearbySamples nearby = corrections(model, seen.samples);
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    const GemmShape& shape = series.samples[i].shape;
    if (group(shape) != left_out) continue;
    report.samples[i].left_out = model.seconds(shape);
    report.samples[i].corrected = report.samples[i].left_out * nearby.factor(shape);
  }
}

/// Which figures of a law of known shape the samples tell: its speed always; the start when some are short; the host's
/// launch interval when it launched them one by one.
struct SpeedFigures {
  bool start = false, interval = false;
};

SpeedFigures figures_told(const GemmSeries& series) {
  return {.start = shortest(series) < shows_start_s, .interval = series.in_loop};
}

GemmModel with_speed(GemmModel model, std::span<const double> values, SpeedFigures told) {
  std::size_t next = 0;
  model.law.flop_per_s = values[next++];
  if (told.start) model.law.start_s = values[next++];
  if (told.interval) model.interval_s = values[next++];
  return model;
}

/// Those figures, of a law whose shape is known.
LeastSquaresResult solve_speed(const GemmModel& model, const GemmSeries& series, SpeedFigures told) {
  std::vector<FitParameter> parameters{speed_parameter("FLOP/s", model.law.flop_per_s, series.samples)};
  if (told.start) parameters.push_back({"start s", 2e-6, 1e-8, 1e-4});
  if (told.interval) parameters.push_back({"launch interval s", shortest(series), 1e-8, 1e-2});
  return least_squares(parameters, [&](std::span<const double> values) {
    const GemmModel trial = with_speed(model, values, told);
    std::vector<double> residuals;
    for (const GemmSample& sample : series.samples) residuals.push_back(log_ratio(trial, sample));
    return residuals;
  });
}

/// The model at the speed that fits best.
GemmModel fitted_speed(const GemmModel& model, const GemmSeries& series) {
  const SpeedFigures told = figures_told(series);
  return with_speed(model, values_of(solve_speed(model, series, told)), told);
}

/// The model before its speed is known.
GemmModel model_of(const GemmLaw& shape_of, const GemmSeries& series) {
  GemmModel model{.law = shape_of,
                  .operand_bytes = series.operand_bytes,
                  .output_bytes = series.output_bytes,
                  .copy_bytes_per_s = series.memory_bytes_per_s};
  model.law.start_s += graph_gap_s;
  return model;
}

}  // namespace

double GemmModel::seconds(const GemmShape& shape) const {
  const double on_gpu = gemm_time(law, shape, operand_bytes * byte, output_bytes * byte).in(second) +
                        quantise_s * static_cast<double>(shape.m) * static_cast<double>(shape.k);
  return std::max(on_gpu, interval_s);
}

std::vector<GemmModel> fit_gemm(std::span<const GemmSeries> series) { return models_of(solve(series), series); }

std::vector<FitReport> report_gemm(std::span<const GemmSeries> series) {
  const LeastSquaresResult result = solve(series);
  const std::vector<GemmModel> models = models_of(result, series);
  std::vector<FitReport> reports;
  auto weight = result.weights.begin();
  for (std::size_t i = 0; i < series.size(); ++i) {
    FitReport report = base_report(series[i], models[i]);
    report.converged = result.converged;
    for (const FittedParameter& parameter : result.parameters) {
      const bool shared = &parameter - result.parameters.data() < 3;
      if (shared || parameter.name.starts_with(series[i].name + " ")) report.parameters.push_back(parameter);
    }
    for (FittedSample& sample : report.samples) sample.weight = *weight++;
    reports.push_back(std::move(report));
  }
  const std::vector<std::string> groups = groups_of(series);
  if (groups.size() < 5) return reports;  // too few to leave any out
  for (const std::string& left_out : groups) {
    std::vector<GemmSeries> seen;
    for (const GemmSeries& each : series) seen.push_back(part(each, left_out, false));
    const std::vector<GemmModel> unseeing = fit_gemm(seen);
    for (std::size_t i = 0; i < series.size(); ++i) {
      enter_left_out(reports[i], series[i], seen[i], unseeing[i], left_out);
    }
  }
  return reports;
}

GemmModel fit_gemm_speed(const GemmLaw& shape_of, const GemmSeries& series) {
  return fitted_speed(model_of(shape_of, series), series);
}

FitReport report_gemm_speed(const GemmLaw& shape_of, const GemmSeries& series) {
  const GemmModel model = model_of(shape_of, series);
  const SpeedFigures told = figures_told(series);
  const LeastSquaresResult result = solve_speed(model, series, told);
  FitReport report = base_report(series, with_speed(model, values_of(result), told));
  report.law = "GEMM speed";
  report.parameters = result.parameters;
  report.converged = result.converged;
  for (std::size_t i = 0; i < report.samples.size(); ++i) report.samples[i].weight = result.weights[i];
  const std::vector<std::string> groups = groups_of(std::span(&series, 1));
  if (groups.size() < 2) return report;
  for (const std::string& left_out : groups) {
    const GemmSeries seen = part(series, left_out, false);
    enter_left_out(report, series, seen, fitted_speed(model, seen), left_out);
  }
  return report;
}

}  // namespace railyard::fit
