// SPDX-License-Identifier: Apache-2.0
// Wires a rail-optimised fat tree of one, two or three tiers, port by port (rules: DESIGN 5.2).
#pragma once

#include "topologies/catalogue.h"

namespace railyard {

/// Throws InputError with the limit, the excess and the nearest GPU counts that work.
[[nodiscard]] Fabric build_rail_fat_tree(const FabricOrder& order);

}  // namespace railyard
