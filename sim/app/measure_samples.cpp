// SPDX-License-Identifier: Apache-2.0
#include "sim/app/measure_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/version.h"

namespace railyard {
namespace {

using device::Measurement;
using device::WorkKind;

Measure measure_of(WorkKind kind) {
  switch (kind) {
    case WorkKind::gemm:
      return Measure::gemm;
    case WorkKind::attention:
      return Measure::attention;
    case WorkKind::memory:
      return Measure::memory;
    case WorkKind::collective:
      return Measure::collective;
    case WorkKind::empty:
    case WorkKind::peer_copy:
    case WorkKind::host_copy:
    case WorkKind::fan_copy:
      break;
  }
  return Measure::link;
}

MeasuredPoint point_of(const Measurement& measurement) {
  const device::WorkRequest& work = measurement.planned.work;
  MeasuredPoint point{
      .label = device::size_label(work), .shape = {work.m, work.n, work.k, 1}, .size = 0, .rate = measurement.rate()};
  if (work.kind == WorkKind::attention) point.size = work.sequence;
  if (work.kind == WorkKind::memory || work.kind == WorkKind::collective) point.size = work.bytes;
  return point;
}

/// low <= typical <= high of ratios, not below one.
Range<double> ratio_range(std::vector<double> ratios) {
  for (double& each : ratios) each = std::max(each, 1.0);
  std::sort(ratios.begin(), ratios.end());
  return {ratios.front(), ratios[ratios.size() / 2], ratios.back()};
}

}  // namespace

std::string software_line(const device::MeasureReport& report) {
  std::string text;
  for (const device::Fact& fact : report.facts.facts) {
    for (const std::string_view key : {"driver", "CUDA runtime", "HIP runtime", "collectives", "library", "system"}) {
      if (fact.key == key) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", fact.key, fact.text);
    }
  }
  return text;
}

SampleSet measured_samples(const device::MeasureReport& report, const std::string& name, const std::string& date) {
  SampleSet set{.name = name};
  std::map<std::string, std::size_t> places;
  for (const Measurement& measurement : report.measurements) {
    if (!measurement.measured() || !(measurement.rate() > 0) || measurement.planned.beside) continue;
    const device::PlannedMeasurement& planned = measurement.planned;
    std::string operation = planned.operation;
    if (!planned.variant.empty()) operation += ", " + planned.variant;
    const bool collective = planned.work.kind == WorkKind::collective;
    const std::int64_t ranks = collective ? planned.work.ranks : 0;
    const auto [place, added] = places.try_emplace(fmt::format("{} {}", operation, ranks), set.series.size());
    if (added) {
      set.series.push_back({.operation = operation,
                            .measure = measure_of(planned.work.kind),
                            .ranks = ranks,
                            .nodes = collective ? (ranks + report.facts.devices - 1) / report.facts.devices : 0,
                            .file = {},
                            .tool = "railyard calibrate measure",
                            .version = std::string(version()),
                            .software = software_line(report),
                            .gpu = report.facts.name,
                            .date = date,
                            .statistic = "median",
                            .points = {}});
    }
    set.series[place->second].points.push_back(point_of(measurement));
  }
  return set;
}

std::vector<DirectFigure> direct_figures(const device::MeasureReport& report) {
  std::vector<DirectFigure> figures;
  std::vector<double> compute, communicate, rates;
  double ahead = 0, one_by_one = 0, quickest = 0;
  for (const Measurement& measurement : report.measurements) {
    if (!measurement.measured()) continue;
    const device::PlannedMeasurement& planned = measurement.planned;
    if (planned.group == "launch" && planned.variant == "launches ahead") {
      ahead = measurement.timing.time.median;
      quickest = measurement.timing.time.low;
    } else if (planned.group == "launch") {
      one_by_one = measurement.timing.time.median;
    } else if (planned.beside) {
      compute.push_back(measurement.beside_s / measurement.alone_s);
      communicate.push_back(measurement.other_beside_s / measurement.other_alone_s);
    } else if (planned.group == "gpus") {
      rates.push_back(measurement.rate());
    }
  }
  if (ahead > 0) {
    figures.push_back({"kernel_gap",
                       {std::min(quickest, ahead), ahead, std::max(one_by_one, ahead)},
                       "empty kernels back to back; high: launched one by one"});
  }
  if (!compute.empty()) {
    figures.push_back({"compute_slowdown", ratio_range(compute), "products beside collectives that outlast them"});
    figures.push_back({"collective_slowdown", ratio_range(communicate), "collectives beside products"});
  }
  if (rates.size() > 1) {
    const double spread = device::statistics(rates).noise();
    figures.push_back({"speed_spread", {spread, spread, spread}, "products on each GPU of the node apart"});
  }
  return figures;
}

}  // namespace railyard
