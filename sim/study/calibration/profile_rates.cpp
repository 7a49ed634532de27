// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibrate/fit/fit_report.h"
#include "calibrate/profile/collective_law.h"

namespace railyard {
namespace {

/// What the library takes in the domain; each fabric of a profile tells the same about it.
double domain_seconds(const CollectiveParameters& known, Speed speed, Collective collective, int ranks, double bytes) {
  const bool mesh = 2.0 * known.scale_up_link.value.typical < known.scale_up_ring.value.typical;
  const CollectiveSpeeds speeds(known, speed, mesh);
  if (collective == Collective::all_to_all)
    return direct_cost(even_all_to_all(ranks, 1, 1, 0, speeds), speeds).time(bytes);
  if (collective == Collective::send_receive)
    return direct_cost(even_neighbours(ranks, 1, 1, 0, speeds), speeds).time(bytes);
  const std::vector<AlgorithmCost> costs =
      collective_costs(collective, even_paths(ranks, 1, 1, 0, speeds), speeds, AlgorithmSet{});
  return library_choice(costs, bytes, *speeds.library).time(bytes);
}

double left_out_error(const Profile& profile, const MeasuredSeries& series) {
  const std::optional<FitQuality>* fit = nullptr;
  if (series.measure == Measure::gemm) fit = &profile.gemm.at(*series.precision()).fit;
  if (series.measure == Measure::attention) fit = &profile.attention.at(series.head_dim()).fit;
  return fit != nullptr && fit->has_value() ? fit::robust_deviation * (*fit)->left_out_error : 0;
}

MeasuredSeries grid(Measure measure, std::string operation, std::initializer_list<std::int64_t> sizes) {
  MeasuredSeries series{.operation = std::move(operation), .measure = measure};
  for (const std::int64_t size : sizes) {
    series.points.push_back(
        {.label = fmt::format("{}{}", size, measure == Measure::attention ? "" : " B"), .size = size});
  }
  return series;
}

constexpr std::int64_t mebi = 1048576;

}  // namespace

ProfileRates::ProfileRates(const Profile& profile)
    : profile_(&profile), slow_(profile, Speed::slow), typical_(profile, Speed::typical), fast_(profile, Speed::fast) {}

std::optional<double> ProfileRates::seconds(Speed speed, const MeasuredSeries& series,
                                            const MeasuredPoint& point) const {
  const Laws& laws = speed == Speed::slow ? slow_ : speed == Speed::fast ? fast_ : typical_;
  switch (series.measure) {
    case Measure::gemm: {
      const std::optional<Precision> precision = series.precision();
      if (!precision || !profile_->gemm.contains(*precision)) return {};
      return laws.gemm(point.shape, *precision, 2.0 * byte).in(second);
    }
    case Measure::attention: {
      const int dim = series.head_dim();
      if (!profile_->attention.contains(dim) || series.operation.find(" causal") == std::string::npos) return {};
      const bool forward = series.operation.starts_with("attention forward");
      return (forward ? laws.attention_forward(flop, point.size, dim) : laws.attention_backward(flop, point.size, dim))
          .in(second);
    }
    case Measure::memory:
      if (point.size < 1) return {};
      return laws.memory(static_cast<double>(point.size) * byte).in(second);
    case Measure::collective: {
      const std::optional<Collective> known = series.collective();
      if (!known || series.nodes != 1 || series.ranks < 2 || profile_->collectives.empty()) return {};
      return domain_seconds(profile_->collectives.begin()->second, speed, *known, static_cast<int>(series.ranks),
                            static_cast<double>(point.size));
    }
    case Measure::link:
      return {};
  }
  return {};
}

std::optional<RateEstimate> ProfileRates::at(const MeasuredSeries& series, const MeasuredPoint& point) const {
  const std::optional<double> typical = seconds(Speed::typical, series, point);
  if (!typical) return {};
  const double range = *seconds(Speed::slow, series, point) - *seconds(Speed::fast, series, point);
  MeasuredPoint unit = point;
  unit.rate = 1;
  // A rate of one takes as long as there is work; attention's time above is of one FLOP.
  const double work = series.measure == Measure::attention ? 1 : series.time(unit).in(second);
  return RateEstimate{work / *typical, std::max(range / *typical / 4, left_out_error(*profile_, series))};
}

std::vector<MeasuredSeries> common_grid(const Profile& a, const Profile& b) {
  std::vector<MeasuredSeries> result;
  for (const auto& [precision, parameters] : a.gemm) {
    if (!b.gemm.contains(precision)) continue;
    MeasuredSeries series{.operation = "gemm " + std::string(to_string(precision)), .measure = Measure::gemm};
    for (const std::int64_t size : {1024, 2048, 4096, 8192, 16384}) {
      series.points.push_back({fmt::format("{0} x {0} x {0}", size), {size, size, size}, 0, 0});
    }
    result.push_back(std::move(series));
  }
  for (const auto& [dim, parameters] : a.attention) {
    if (!b.attention.contains(dim)) continue;
    for (const char* direction : {"forward", "backward"}) {
      result.push_back(
          grid(Measure::attention, fmt::format("attention {} d{} causal", direction, dim), {2048, 8192, 32768}));
    }
  }
  result.push_back(grid(Measure::memory, "memory copy", {16 * mebi, 256 * mebi, 4096 * mebi}));
  for (const Collective collective : {Collective::all_reduce, Collective::all_gather}) {
    MeasuredSeries series =
        grid(Measure::collective, std::string(to_string(collective)), {mebi, 16 * mebi, 256 * mebi, 4096 * mebi});
    series.ranks = 8;
    series.nodes = 1;
    result.push_back(std::move(series));
  }
  return result;
}

}  // namespace railyard
