// SPDX-License-Identifier: Apache-2.0
// Which designs can be built at a size, without wiring them.
#pragma once

#include "topologies/design.h"

namespace railyard {

/// True when build_fabric would wire this many GPUs, as far as parts and counts tell.
[[nodiscard]] bool holds(const Design& design, const Parts& parts, const ServerPart& server, int gpus);

}  // namespace railyard
