// SPDX-License-Identifier: Apache-2.0
#include "sim/report/fabric_svg/rack_kinds.h"

#include <fmt/format.h>

#include <map>

namespace railyard {
namespace {

/// What one rack looks like, without the names.
std::string look_of(const Rack& rack) {
  std::string look = fmt::format("{} {}", to_string(rack.kind), rack.units);
  for (const RackSlot& slot : rack.slots) {
    look += fmt::format("\n{} {} {} {}", slot.bottom, slot.height, slot.part, slot.network);
  }
  return look;
}

}  // namespace

std::vector<RackGroup> alike_racks(const FloorPlan& floor) {
  std::vector<RackGroup> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < floor.racks().size(); ++i) {
    const auto [place, fresh] = known.try_emplace(look_of(floor.racks()[i]), groups.size());
    if (fresh) groups.push_back({i, {}});
    groups[place->second].racks.push_back(i);
  }
  return groups;
}

std::string rack_list(const FloorPlan& floor, const std::vector<std::size_t>& racks, std::size_t most) {
  std::string text;
  std::size_t runs = 0, told = 0;
  for (std::size_t i = 0; i < racks.size();) {
    std::size_t last = i;
    const auto rack = [&](std::size_t at) -> const Rack& { return floor.racks()[racks[at]]; };
    while (last + 1 < racks.size() && rack(last + 1).row == rack(i).row && racks[last + 1] == racks[last] + 1) ++last;
    if (runs++ == most) return text + fmt::format(" and {} more", racks.size() - told);
    if (!text.empty()) text += ", ";
    text += rack(i).name;
    if (last > i) text += (last > i + 1 ? " to " : ", ") + rack(last).name;
    told += last - i + 1;
    i = last + 1;
  }
  return text;
}

}  // namespace railyard
