// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/collective_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <vector>

namespace railyard::fit {
namespace {

double seconds(const RingProtocol& protocol, int steps, double carried) {
  return protocol.base_s + steps * protocol.hop_s + carried / protocol.bytes_per_s;
}

constexpr std::size_t fewest_for_two = 4;  // sizes that show two protocols

CollectiveCurve collective_curve_of(std::span<const double> values) {
  if (values.size() == 1) return {{0, 0, values[0]}, {0, 0, values[0]}};
  if (values.size() == 3) return {{values[0], values[1], values[2]}, {values[0], values[1], values[2]}};
  return {{values[0], values[1], values[2] * values[5]}, {values[0] + values[3], values[4], values[5]}};
}

/// Of two protocols, of one, or the bandwidth alone: as many as the sizes tell.
std::vector<FitParameter> parameters_of(std::span<const CollectiveSample> samples) {
  double fastest = 0, shortest = samples.front().seconds;
  std::set<int> steps;
  std::set<double> sizes;
  for (const CollectiveSample& sample : samples) {
    assert(sample.ranks >= 2 && sample.bytes > 0 && sample.seconds > 0);
    fastest = std::max(fastest, bus_bandwidth_factor(sample.collective, sample.ranks) * sample.bytes / sample.seconds);
    shortest = std::min(shortest, sample.seconds);
    steps.insert(ring_steps(sample.collective, sample.ranks));
    sizes.insert(sample.bytes);
  }
  const double hop = steps.size() > 1 ? shortest / *steps.rbegin() : 0;
  const FitParameter bandwidth{"bandwidth B/s", fastest, 0.5 * fastest, 5 * fastest};
  if (!spans(*sizes.begin(), *sizes.rbegin())) return {bandwidth};
  if (sizes.size() < fewest_for_two) {
    return {{"base s", 0.5 * shortest, 1e-3 * shortest, 2 * shortest}, {"hop s", 0.5 * hop, 0, 2 * hop}, bandwidth};
  }
  // The bulk protocol starts later and the quick one is slower: offsets and shares, so that the two cannot swap.
  return {{"quick base s", 0.5 * shortest, 1e-3 * shortest, 2 * shortest},
          {"quick hop s", 0.5 * hop, 0, 2 * hop},
          {"quick share of bandwidth", 0.3, 0.01, 1},
          {"bulk base over quick s", shortest, 1e-3 * shortest, 50 * shortest},
          {"bulk hop s", hop, 0, 20 * hop},
          bandwidth};
}

LeastSquaresResult solve(std::span<const CollectiveSample> samples) {
  assert(!samples.empty());
  return least_squares(parameters_of(samples), [&](std::span<const double> values) {
    const CollectiveCurve curve = collective_curve_of(values);
    std::vector<double> residuals;
    for (const CollectiveSample& sample : samples) {
      residuals.push_back(std::log(curve.seconds(sample.collective, sample.ranks, sample.bytes) / sample.seconds));
    }
    return residuals;
  });
}

CollectiveCurve collective_curve_of(const LeastSquaresResult& result) { return collective_curve_of(values_of(result)); }

}  // namespace

int ring_steps(Collective collective, int ranks) {
  switch (collective) {
    case Collective::all_reduce:
      return 2 * (ranks - 1);
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
    case Collective::broadcast:
      return ranks - 1;
    case Collective::send_receive:
      return 1;
  }
  assert(false);
  return 0;
}

double CollectiveCurve::seconds(Collective collective, int ranks, double bytes) const {
  const int steps = ring_steps(collective, ranks);
  const double carried = bus_bandwidth_factor(collective, ranks) * bytes;
  return std::min(fit::seconds(quick, steps, carried), fit::seconds(bulk, steps, carried));
}

CollectiveCurve fit_collective(std::span<const CollectiveSample> samples) {
  return collective_curve_of(solve(samples));
}

FitReport report_collective(const std::string& subject, std::span<const CollectiveSample> samples) {
  const LeastSquaresResult result = solve(samples);
  const CollectiveCurve all = collective_curve_of(result);
  FitReport report{.law = "collectives", .subject = subject, .parameters = result.parameters};
  report.converged = result.converged;
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const CollectiveSample& sample = samples[i];
    groups.push_back(fmt::format("{:.0f} B", sample.bytes));
    report.samples.push_back(
        {.label = fmt::format("{} of {} {}", to_string(sample.collective), sample.ranks, groups.back()),
         .measured = sample.seconds,
         .predicted = all.seconds(sample.collective, sample.ranks, sample.bytes),
         .weight = result.weights[i]});
    widen(report.ranges, "bytes", std::llround(sample.bytes));
    widen(report.ranges, "ranks", sample.ranks);
  }
  const std::vector<double> left_out = leave_groups_out(groups, [&](auto seen, auto unseen) {
    std::vector<CollectiveSample> kept;
    for (const std::size_t i : seen) kept.push_back(samples[i]);
    const CollectiveCurve curve = fit_collective(kept);
    std::vector<double> predictions;
    for (const std::size_t i : unseen) {
      predictions.push_back(curve.seconds(samples[i].collective, samples[i].ranks, samples[i].bytes));
    }
    return predictions;
  });
  for (std::size_t i = 0; i < left_out.size(); ++i) report.samples[i].left_out = left_out[i];
  return report;
}

}  // namespace railyard::fit
