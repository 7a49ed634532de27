// SPDX-License-Identifier: Apache-2.0
#include "topologies/cable_routes.h"

#include <algorithm>
#include <cstdlib>

#include "base/diagnostic.h"

namespace railyard {

namespace {

constexpr Metres rack_unit = 0.04445 * metre;  // EIA-310

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
}

}  // namespace

CableRoutes::CableRoutes(const FloorPlan& plan)
    : plan_(&plan),
      pitch_(plan.site().hall.rack_pitch.value.typical),
      depth_(plan.site().hall.rack_depth.value.typical),
      cold_(plan.site().hall.cold_aisle.value.typical),
      hot_(plan.site().hall.hot_aisle.value.typical),
      tray_(plan.site().hall.tray_height.value.typical),
      slack_(plan.site().hall.slack.value.typical) {
  const auto index = [&](const std::string& name) {
    return static_cast<std::uint32_t>(&plan.rack(name) - plan.racks().data());
  };
  for (const MeasuredRoute& route : plan.site().measured) {
    measured_[pair_of(index(route.from), index(route.to))] = route.length;
  }
}

Metres CableRoutes::row_position(int row) const {
  const int cold_aisles = (row + 1) / 2, hot_aisles = row / 2;
  return depth_ * row + cold_ * cold_aisles + hot_ * hot_aisles;
}

Metres CableRoutes::along(int place_a, int place_b, bool same_row) const {
  const int low = std::min(place_a, place_b), high = std::max(place_a, place_b);
  const int every = plan_->site().hall.cross_trays_every;
  if (same_row || (low + every - 1) / every * every <= high) return pitch_ * (high - low);
  // No cross tray between the two: by way of the one before or, where the row has it, the one behind.
  const int before = low / every * every, behind = before + every;
  int detour = low - before;
  if (behind < plan_->site().hall.places) detour = std::min(detour, behind - high);
  return pitch_ * (high - low + 2 * detour);
}

Route CableRoutes::route(DeviceId a, DeviceId b) const {
  const DevicePlace &at_a = plan_->place(a), &at_b = plan_->place(b);
  if (!measured_.empty()) {
    const auto found = measured_.find(pair_of(at_a.rack, at_b.rack));
    if (found != measured_.end()) return {found->second, false};
  }
  const auto middle = [](const DevicePlace& at) { return rack_unit * (at.bottom - 1 + at.height / 2.0); };
  if (at_a.rack == at_b.rack) {
    const Metres low = std::min(middle(at_a), middle(at_b)), high = std::max(middle(at_a), middle(at_b));
    return {high - low + pitch_ + 2 * slack_, true};
  }
  const Rack &rack_a = plan_->racks()[at_a.rack], &rack_b = plan_->racks()[at_b.rack];
  const auto rise = [&](const Rack& rack, const DevicePlace& at) {
    return rack_unit * rack.units - middle(at) + tray_;
  };
  const Metres across = row_position(std::max(rack_a.row, rack_b.row)) - row_position(std::min(rack_a.row, rack_b.row));
  return {rise(rack_a, at_a) + rise(rack_b, at_b) + along(rack_a.place, rack_b.place, rack_a.row == rack_b.row) +
              across + 2 * slack_,
          true};
}

}  // namespace railyard
