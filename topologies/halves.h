// SPDX-License-Identifier: Apache-2.0
// The two halves of a fabric between which bisection is measured.
#pragma once

#include <vector>

#include "topologies/fabric.h"

namespace railyard {

/// By node, whether it is in the first half: the first half of the pods (of the nodes when there is one pod), of a
/// dragonfly the first half of its groups.
[[nodiscard]] std::vector<bool> first_half(const Fabric& fabric);

}  // namespace railyard
