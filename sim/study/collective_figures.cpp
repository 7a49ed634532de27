// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_figures.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace railyard {
namespace {

std::string pool_name(const CollectiveMachine& machine, const std::string& network) {
  return network.empty() ? std::string(machine.name) : fmt::format("{} over {}", machine.name, network);
}

/// Libraries of one family count hops and share work alike: "nccl" of "nccl-hopper".
std::string_view family(const CollectiveMachine& machine) {
  return machine.library.substr(0, machine.library.find('-'));
}

/// `speeds` with what `other` knows of the network between domains: hops, NICs and switches are not the GPU's.
CollectiveSpeeds over_network_of(CollectiveSpeeds speeds, const CollectiveSpeeds& other) {
  speeds.scale_out_hop = other.scale_out_hop;
  speeds.efficiency = other.efficiency;
  speeds.tree_share = other.tree_share;
  speeds.all_to_all_share = other.all_to_all_share;
  speeds.network_step = other.network_step;
  speeds.message_gap = other.message_gap;
  return speeds;
}

fit::FittedSpeeds fit_inside(const CollectiveMachine& machine, const std::vector<fit::CollectiveRun>& runs) {
  const CollectiveSpeeds constants =
      fit::library_speeds(collective_library(machine.library), machine.ceiling, machine.domain, machine.mesh);
  return fit::fit_scale_up(runs, constants, machine.domain);
}

}  // namespace

std::string_view to_string(FiguresFrom from) {
  constexpr std::array<std::string_view, 3> names{"other sources", "other GPUs", "library"};
  return names[static_cast<std::size_t>(from)];
}

RunPools::RunPools(std::span<const MeasuredRun> runs) {
  for (const MeasuredRun& run : runs) pools_[pool_name(*run.machine, run.network)].push_back(&run);
}

std::vector<fit::CollectiveRun> RunPools::runs_of(const CollectiveMachine& machine, const std::string& network,
                                                  const std::set<std::string>& without) const {
  std::vector<fit::CollectiveRun> runs;
  const auto pool = pools_.find(pool_name(machine, network));
  if (pool == pools_.end()) return runs;
  for (const MeasuredRun* run : pool->second) {
    if (!without.contains(run->source)) runs.push_back(run->run);
  }
  return runs;
}

CollectiveFigures RunPools::fitted(const CollectiveMachine& machine, const std::string& network,
                                   const std::set<std::string>& without) const {
  const std::vector<fit::CollectiveRun> near = runs_of(machine, {}, without);
  CollectiveFigures figures{.fitted = fit_inside(machine, near), .inside = near.size()};
  if (figures.inside < fit::fewest_runs) figures.scale_up = FiguresFrom::library;
  if (network.empty()) return figures;

  std::vector<fit::CollectiveRun> over = runs_of(machine, network, without);
  if (over.size() >= fit::fewest_runs) {
    figures.outside = over.size();
    figures.fitted = fit::fit_scale_out(over, figures.fitted.speeds);
    return figures;
  }
  figures.scale_out = FiguresFrom::library;
  figures.fitted.parameters.clear();
  for (const auto& [name, pool] : pools_) {
    const MeasuredRun& other = *pool.front();
    if (other.network != network || other.machine == &machine || family(*other.machine) != family(machine)) continue;
    std::vector<fit::CollectiveRun> theirs = runs_of(*other.machine, network, without);
    if (theirs.size() < fit::fewest_runs || theirs.size() <= figures.outside) continue;
    figures.scale_out = FiguresFrom::other_gpus;
    figures.outside = theirs.size();
    figures.network_of = other.machine;
    over = std::move(theirs);
  }
  if (figures.network_of == nullptr) return figures;
  const fit::FittedSpeeds theirs =
      fit::fit_scale_out(over, fit_inside(*figures.network_of, runs_of(*figures.network_of, {}, without)).speeds);
  figures.fitted = {over_network_of(figures.fitted.speeds, theirs.speeds), theirs.parameters};
  return figures;
}

}  // namespace railyard
