// SPDX-License-Identifier: Apache-2.0
// Algorithms laid over a placement: how long their steps take and which link runs full first. Computed once for a
// layout of groups; the times of any message size follow from it in closed form (collective_law.h).
#pragma once

#include "calibrate/profile/collective_law.h"
#include "sim/network/link_loads.h"
#include "sim/network/placement.h"

namespace railyard {

/// What routing needs to know.
struct Wiring {
  const FabricMap& fabric;
  const Placement& placement;
  const CollectiveSpeeds& speeds;
};

/// Rings and, for all_reduce, double binary trees between domains (chains inside), over all groups at once.
struct RoundRoute {
  CollectivePaths paths;
  LinkClass ring_where = LinkClass::none, tree_where = LinkClass::none;  // the fullest link of the fabric
};
[[nodiscard]] RoundRoute route_rings(const Wiring& wiring, std::span<const RankGroup> groups);
/// Adds the trees.
void route_trees(const Wiring& wiring, std::span<const RankGroup> groups, RoundRoute& route);

/// Flows from GPU to GPU, every one at the same time.
struct DirectRoute {
  DirectPaths paths;
  LinkClass where = LinkClass::none;
};
/// Every rank to the next one of its group.
[[nodiscard]] DirectRoute route_neighbours(const Wiring& wiring, std::span<const RankGroup> groups);
/// GPU g to GPU (g + stride) mod gpus.
[[nodiscard]] DirectRoute route_shift(const Wiring& wiring, int stride);

}  // namespace railyard
