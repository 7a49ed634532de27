// SPDX-License-Identifier: Apache-2.0
// The DOT form of NVIDIA's Cable Validation Tool: devices with a role, links between ports. Private to
// topologies/exchange.
#pragma once

#include <string_view>

#include "topologies/exchange/as_built.h"

namespace railyard {

/// True when the text begins as a DOT graph does, comments passed over.
[[nodiscard]] bool is_dot(std::string_view text);

/// Adds the links of a DOT text, each once: an undirected graph of statements "device" [label=... role=...] and
/// "device":"port" -- "device":"port". Throws InputError with line and column for anything else.
void read_dot(std::string_view text, AsBuilt& built);

}  // namespace railyard
