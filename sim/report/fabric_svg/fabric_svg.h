// SPDX-License-Identifier: Apache-2.0
// Drawings of a wired fabric as SVG files, for light and dark: the tiers with their links, the racks with what stands
// in them. What is alike is drawn once with its count, so that both stay readable at any size.
#pragma once

#include <string>

#include "topologies/exchange/wiring.h"

namespace railyard {

/// Layers from the nodes up; pods, spine groups and core planes as boxes (the first, the last, and how many between),
/// lines where there are links; counts, speeds and ratios beside.
[[nodiscard]] std::string tier_diagram_svg(const Wiring& wiring);

/// The hall with every rack, coloured by what it holds, and one elevation for each kind of rack with the names of the
/// first of them. Needs the floor.
[[nodiscard]] std::string rack_elevations_svg(const Wiring& wiring);

}  // namespace railyard
