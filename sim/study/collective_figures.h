// SPDX-License-Identifier: Apache-2.0
// Figures of the collective law for one kind of GPU and network, fitted to a table of published runs.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/collective_runs.h"

namespace railyard {

/// Where a figure comes from: other runs of the GPU and network; other GPUs on the network; the library's constants.
enum class FiguresFrom { others, other_gpus, library };
[[nodiscard]] std::string_view to_string(FiguresFrom from);

struct CollectiveFigures {
  fit::FittedSpeeds fitted;
  FiguresFrom scale_up = FiguresFrom::others, scale_out = FiguresFrom::others;
  std::size_t inside = 0, outside = 0;            // runs behind them
  const CollectiveMachine* network_of = nullptr;  // whose runs tell of the network, where that is another
};

/// Runs of one kind of GPU, inside a domain or over one kind of network.
class RunPools {
 public:
  using Pool = std::vector<const MeasuredRun*>;

  /// `runs` must outlive the pools.
  explicit RunPools(std::span<const MeasuredRun> runs);
  /// By name: "h100", "h100 over infiniband".
  [[nodiscard]] const std::map<std::string, Pool>& all() const { return pools_; }

  /// Without the runs of some sources. With too few runs of this GPU over the network, what the same library's runs on
  /// another tell of it stands in, the largest such pool; without any, the constants. `network` is empty inside a
  /// domain.
  [[nodiscard]] CollectiveFigures fitted(const CollectiveMachine& machine, const std::string& network,
                                         const std::set<std::string>& without) const;

 private:
  [[nodiscard]] std::vector<fit::CollectiveRun> runs_of(const CollectiveMachine& machine, const std::string& network,
                                                        const std::set<std::string>& without) const;

  std::map<std::string, Pool> pools_;
};

}  // namespace railyard
