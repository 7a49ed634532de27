// SPDX-License-Identifier: Apache-2.0
// How long a cable is between two places of a floor plan. Generated, not measured: every length is an estimate unless
// the site has it measured.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "topologies/floor_plan.h"

namespace railyard {

struct Route {
  Metres length;  // slack at both ends included
  bool estimate = true;
};

/// Lengths on one plan. Between two racks:
///   rise(a) + rise(b) + |along the row| + |across rows| + 2 slack
/// where rise is from the middle of a box up to the tray above its rack. Along: from rack to rack by places x pitch;
/// when the rows differ, by way of the cross tray that makes it shortest. Across: the difference of the rows'
/// positions, which alternate cold and hot aisles. Within one rack: the difference in height + one rack pitch (to the
/// side and back) + 2 slack.
class CableRoutes {
 public:
  /// `plan` must outlive it.
  explicit CableRoutes(const FloorPlan& plan);

  [[nodiscard]] Route route(DeviceId a, DeviceId b) const;
  /// Position of a row's racks across the rows, from row 0.
  [[nodiscard]] Metres row_position(int row) const;

 private:
  [[nodiscard]] Metres along(int place_a, int place_b, bool same_row) const;

  const FloorPlan* plan_;
  Metres pitch_, depth_, cold_, hot_, tray_, slack_;
  std::unordered_map<std::uint64_t, Metres> measured_;  // by pair of racks
};

}  // namespace railyard
