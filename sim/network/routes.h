// SPDX-License-Identifier: Apache-2.0
// Algorithms laid over a placement: how long their steps take and which link runs full first. Computed once for a
// layout of groups; the times of any message size follow from it in closed form (algorithms.h).
#pragma once

#include "sim/network/link_loads.h"
#include "sim/network/placement.h"
#include "sim/network/speeds.h"

namespace railyard {

/// What routing needs to know.
struct Wiring {
  const FabricMap& fabric;
  const Placement& placement;
  const LinkSpeeds& speeds;
};

/// Rings over all groups at once.
struct RingRoute {
  double pass = 0;     // seconds: a byte once around, all edges but one
  Bottleneck network;  // per byte of bus bandwidth, links of the fabric only
  Bottleneck all;      // scale-up too
  // For the hierarchical form; `even` when every domain of every group has equally many ranks.
  bool even = true;
  int domains = 1, ranks_per_domain = 1;
  double domain_pass = 0, network_pass = 0;  // seconds: a ring inside a domain; a ring with one rank a domain
};
[[nodiscard]] RingRoute route_rings(const Wiring& wiring, std::span<const RankGroup> groups);

/// Double binary trees between domains, chains inside: all_reduce.
struct TreeRoute {
  double path = 0;  // seconds: from the farthest rank to the root and back
  Bottleneck all;   // per byte of the message
};
[[nodiscard]] TreeRoute route_trees(const Wiring& wiring, std::span<const RankGroup> groups);

/// Flows from GPU to GPU, every one at the same time.
struct DirectRoute {
  double hop = 0;  // seconds: the longest
  Bottleneck all;  // per byte that one GPU sends
};
/// Every rank to the next one of its group.
[[nodiscard]] DirectRoute route_neighbours(const Wiring& wiring, std::span<const RankGroup> groups);
/// Every rank its share (message / ranks) to every other of its group.
[[nodiscard]] DirectRoute route_all_to_all(const Wiring& wiring, std::span<const RankGroup> groups);
/// GPU g to GPU (g + stride) mod gpus.
[[nodiscard]] DirectRoute route_shift(const Wiring& wiring, int stride);

}  // namespace railyard
