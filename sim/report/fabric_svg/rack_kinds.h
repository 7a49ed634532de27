// SPDX-License-Identifier: Apache-2.0
// Racks that hold the same boxes in the same places, gathered. Private to sim/report/fabric_svg.
#pragma once

#include <string>
#include <vector>

#include "topologies/floor_plan.h"

namespace railyard {

struct RackGroup {
  std::size_t first = 0;  // index of the rack that is drawn
  std::vector<std::size_t> racks;
};

/// In the order of their first racks.
[[nodiscard]] std::vector<RackGroup> alike_racks(const FloorPlan& floor);

/// "A01 to A12, B01 and 20 more".
[[nodiscard]] std::string rack_list(const FloorPlan& floor, const std::vector<std::size_t>& racks, std::size_t most);

}  // namespace railyard
