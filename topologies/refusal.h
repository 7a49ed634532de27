// SPDX-License-Identifier: Apache-2.0
// Tells why a design cannot be built at a size, by how much, and what near it can.
#pragma once

#include "topologies/catalogue.h"

namespace railyard {

/// Throws InputError with the limit, the excess, the nearest GPU counts that work, and the options of the design
/// (tiers, reserved ports, oversubscription) with which this count would.
[[noreturn]] void refuse_order(const FabricOrder& order, const TopologyEntry& entry, const Misfit& misfit);

}  // namespace railyard
