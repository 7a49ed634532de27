// SPDX-License-Identifier: Apache-2.0
// How near rates and times of flows come to what is expected, and the rule that most tests route by.
#pragma once

#include "sim/network/flow/paths.h"

namespace railyard {

// Shares are subtracted from capacities one after another, so errors of rounding add up.
inline constexpr double rounding = 1e-9;

/// Spread evenly, each rail by itself.
inline constexpr RoutingRule straight{.change_rails = false};

}  // namespace railyard
