// SPDX-License-Identifier: Apache-2.0
// Designs side by side at several sizes: what a switch radix or a fabric changes before any workload runs.
#pragma once

#include <string>
#include <vector>

#include "sim/study/pipeline.h"

namespace railyard {

/// One design at one size.
struct DesignRow {
  std::string design, gpu;
  int gpus = 0;
  bool possible = true;
  std::string fault;  // why not, when it is not possible
  FabricShape shape;
  NetworkCounts counts;
  Range<Watts> network_power;
  Range<Dollars> network_capex;
};

/// All designs at all sizes, sizes outermost. A design that cannot hold a size is a row with the reason. `gpu` may be
/// empty: each design's own first. Throws InputError for unknown names.
[[nodiscard]] std::vector<DesignRow> compare_designs(const std::vector<std::string>& designs,
                                                     const std::vector<int>& sizes, const std::string& gpu,
                                                     const std::string& price_book, const Catalogue& catalogue);

/// "4096 GPUs: roce-51t-rail needs 2 tiers, roce-25t-rail 3", one sentence for every size where tiers differ.
[[nodiscard]] std::vector<std::string> tier_savings(const std::vector<DesignRow>& rows);

/// The GPU named, or that of the design's first server.
[[nodiscard]] std::string gpu_or_first(const std::string& gpu, const Design& design, const Parts& parts);

/// Modules of all layers together.
[[nodiscard]] int module_count(const NetworkCounts& counts);

}  // namespace railyard
