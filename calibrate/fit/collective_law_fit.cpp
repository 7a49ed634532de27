// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/collective_law_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace railyard::fit {
namespace {

// Messages whose time is nearly all latency or nearly all bandwidth say most of one parameter; those between mix them,
// and a few cliffs lie there. They count half.
constexpr double quick_bytes = 65536, bulk_low = 16777216 * 0.99, bulk_high = 268435456 * 1.01;
constexpr double middle_weight = 0.5;

double weight_of(double bytes) {
  return bytes <= quick_bytes || (bytes >= bulk_low && bytes <= bulk_high) ? 1 : middle_weight;
}

/// A parameter of the law with the place it is written to.
struct Slot {
  FitParameter parameter;
  void (*set)(CollectiveSpeeds& speeds, double value, int domain);
};

std::vector<double> residuals_of(std::span<const CollectiveRun> runs, const CollectiveSpeeds& speeds) {
  std::vector<double> residuals;
  residuals.reserve(runs.size());
  for (const CollectiveRun& run : runs) {
    residuals.push_back(weight_of(run.bytes) * std::log(predict(run, speeds).seconds / run.seconds));
  }
  return residuals;
}

FittedSpeeds fit_slots(std::span<const CollectiveRun> runs, const CollectiveSpeeds& start,
                       const std::vector<Slot>& slots, int domain) {
  FittedSpeeds result{.speeds = start, .parameters = {}};
  if (runs.size() < fewest_runs) return result;
  const auto with = [&](std::span<const double> values) {
    CollectiveSpeeds speeds = start;
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i].set(speeds, values[i], domain);
    return speeds;
  };
  std::vector<FitParameter> parameters;
  for (const Slot& slot : slots) parameters.push_back(slot.parameter);
  // A weak pull towards the start keeps what the runs hardly touch near the library's constants.
  constexpr double pull = 0.02;
  const auto residuals = [&](std::span<const double> values) {
    std::vector<double> all = residuals_of(runs, with(values));
    for (std::size_t i = 0; i < values.size(); ++i) all.push_back(pull * (values[i] / parameters[i].start - 1));
    return all;
  };
  const LeastSquaresResult solved = least_squares(parameters, residuals, Loss::tukey);
  std::vector<double> values;
  for (const FittedParameter& parameter : solved.parameters) values.push_back(parameter.value);
  result.speeds = with(values);
  // A parameter that no residual depends on keeps its start.
  const std::vector<double> reached = residuals_of(runs, result.speeds);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::vector<double> moved = values;
    moved[i] = moved[i] == parameters[i].low ? parameters[i].high : parameters[i].low;
    if (residuals_of(runs, with(moved)) != reached) {
      result.parameters.push_back(solved.parameters[i]);
    } else {
      values[i] = parameters[i].start;
    }
  }
  result.speeds = with(values);
  return result;
}

double squared(std::span<const CollectiveRun> runs, const CollectiveSpeeds& speeds) {
  // As Tukey's loss sees it: far-off samples count no more than a third of one.
  constexpr double far = 0.3;
  double sum = 0;
  for (const double residual : residuals_of(runs, speeds)) sum += std::min(residual * residual, far * far);
  return sum;
}

}  // namespace

CollectivePrediction predict(const CollectiveRun& run, const CollectiveSpeeds& speeds) {
  if (run.collective == Collective::all_to_all || run.collective == Collective::send_receive) {
    const DirectPaths paths = run.collective == Collective::all_to_all
                                  ? even_all_to_all(run.ranks, run.domains, run.ports, run.port, speeds)
                                  : even_neighbours(run.ranks, run.domains, run.ports, run.port, speeds);
    const AlgorithmCost cost = direct_cost(paths, speeds);
    return {cost.time(run.bytes), cost.algorithm, cost.protocol};
  }
  const CollectivePaths paths = even_paths(run.ranks, run.domains, run.ports, run.port, speeds);
  const std::vector<AlgorithmCost> costs = collective_costs(run.collective, paths, speeds, run.enabled);
  const AlgorithmCost& cost = library_choice(costs, run.bytes, *speeds.library);
  return {cost.time(run.bytes), cost.algorithm, cost.protocol};
}

CollectiveSpeeds library_speeds(const CollectiveLibrary& library, double ceiling, int domain, bool mesh) {
  assert(domain >= 2 && ceiling > 0);
  CollectiveSpeeds speeds;
  speeds.library = &library;
  speeds.mesh = mesh;
  speeds.ring = ceiling;
  speeds.link = mesh ? ceiling / (domain - 1) : ceiling;
  speeds.reduction = library.nvls_efficiency * ceiling;
  speeds.base_latency = 6.6e-6;  // LL of rings
  speeds.channel = library.channel;
  speeds.scale_up_hop = library.inside_reference;
  speeds.scale_out_hop = library.outside_reference;
  speeds.efficiency = 0.96;  // 12 GB/s for 100 Gb/s
  return speeds;
}

FittedSpeeds fit_scale_up(std::span<const CollectiveRun> runs, const CollectiveSpeeds& start, int domain) {
  const double ring = start.ring, hop = start.scale_up_hop;
  const std::vector<Slot> slots{
      {{"base_latency s", 12e-6, 1e-6, 60e-6},
       [](CollectiveSpeeds& speeds, double v, int) { speeds.base_latency = v; }},
      {{"scale_up_hop s", hop, 0.2 * hop, 6 * hop},
       [](CollectiveSpeeds& speeds, double v, int) { speeds.scale_up_hop = v; }},
      {{"scale_up_ring B/s", 0.95 * ring, 0.6 * ring, 1.3 * ring},
       [](CollectiveSpeeds& speeds, double v, int gpus) {
         speeds.ring = v;
         speeds.link = speeds.mesh ? v / (gpus - 1) : v;
       }},
      {{"scale_up_reduction B/s", std::max(1.0, start.reduction), std::max(0.5, 0.6 * start.reduction),
        std::max(2.0, 1.3 * start.reduction)},
       [](CollectiveSpeeds& speeds, double v, int) { speeds.reduction = speeds.library->nvls_efficiency > 0 ? v : 0; }},
      {{"pipelining s", 1e-6, 0, 30e-6}, [](CollectiveSpeeds& speeds, double v, int) { speeds.pipelining = v; }},
      {{"channel B/s", std::max(1.0, start.channel), std::max(0.5, 0.3 * start.channel),
        std::max(2.0, 2 * start.channel)},
       [](CollectiveSpeeds& speeds, double v, int) { speeds.channel = speeds.library->channel > 0 ? v : 0; }}};
  return fit_slots(runs, start, slots, domain);
}

FittedSpeeds fit_scale_out(std::span<const CollectiveRun> runs, const CollectiveSpeeds& start) {
  // A ring of many ranks waits for its gap, for its steps or for its bytes: the search starts from four places.
  FittedSpeeds best;
  double best_loss = std::numeric_limits<double>::infinity();
  constexpr double posting = 1e-6;
  for (const auto& [gap, step] :
       {std::pair(4e-6, posting), std::pair(10e-6, posting), std::pair(40e-6, posting), std::pair(1e-6, 6 * posting)}) {
    const std::vector<Slot> slots{
        {{"scale_out_hop s", start.library->outside_reference + 1e-6, 2e-6, 80e-6},
         [](CollectiveSpeeds& speeds, double v, int) { speeds.scale_out_hop = v; }},
        {{"scale_out_efficiency", 0.96, 0.6, 1},
         [](CollectiveSpeeds& speeds, double v, int) { speeds.efficiency = v; }},
        {{"tree_share", 0.95, 0.4, 1}, [](CollectiveSpeeds& speeds, double v, int) { speeds.tree_share = v; }},
        {{"all_to_all_share", 0.93, 0.5, 1},
         [](CollectiveSpeeds& speeds, double v, int) { speeds.all_to_all_share = v; }},
        {{"network_step s", step, 0.2e-6, 12e-6},
         [](CollectiveSpeeds& speeds, double v, int) { speeds.network_step = v; }},
        {{"message_gap s", gap, 0, 60e-6}, [](CollectiveSpeeds& speeds, double v, int) { speeds.message_gap = v; }}};
    FittedSpeeds found = fit_slots(runs, start, slots, 0);
    const double loss = squared(runs, found.speeds);
    if (loss < best_loss) {
      best = std::move(found);
      best_loss = loss;
    }
  }
  return best;
}

}  // namespace railyard::fit
