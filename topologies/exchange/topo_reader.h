// SPDX-License-Identifier: Apache-2.0
// The .topo form of ibdiagnet: a plan of ours, or what UFM saw. Private to topologies/exchange.
#pragma once

#include <string_view>

#include "topologies/exchange/as_built.h"

namespace railyard {

/// True when the first lines look like it: a model and a system, and an arrow below.
[[nodiscard]] bool is_topo(std::string_view text);

/// Adds the links of a .topo text, each once. Switch ports are numbered there: they get the names they have in `plan`
/// (P9 when it has no such port). Throws InputError with the line.
void read_topo(std::string_view text, const NamedFabric& plan, AsBuilt& built);

}  // namespace railyard
