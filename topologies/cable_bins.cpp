// SPDX-License-Identifier: Apache-2.0
// Sums over a schedule: cables by part and length, and by the racks they join.
#include <algorithm>
#include <map>
#include <tuple>

#include "topologies/cable_schedule.h"

namespace railyard {

std::vector<CableBin> cable_bins(const CableSchedule& schedule) {
  std::map<std::tuple<Layer, std::string, Metres>, CableBin> bins;
  for (const Cable& cable : schedule.cables()) {
    const CableChoice& choice = schedule.choice_of(cable);
    CableBin& bin = bins[{choice.layer, choice.cable->id, choice.stock}];
    if (bin.cables == 0) {
      bin = {choice.cable->id, choice.cable->medium, choice.layer, choice.stock, 0, {}, cable.routed, cable.routed};
    }
    ++bin.cables;
    bin.routed += cable.routed;
    bin.shortest = std::min(bin.shortest, cable.routed);
    bin.longest = std::max(bin.longest, cable.routed);
  }
  std::vector<CableBin> result;
  for (auto& [key, bin] : bins) result.push_back(std::move(bin));
  return result;
}

std::vector<CableBundle> cable_bundles(const CableSchedule& schedule, const Fabric& fabric, const FloorPlan& plan) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> bundles;
  for (const Cable& cable : schedule.cables()) {
    // A splitter's legs may end in several racks: the cable lies in the bundle of its first.
    const Link& link = fabric.link(schedule.links_of(cable).front());
    const std::uint32_t a = plan.place(link.lower).rack, b = plan.place(link.upper).rack;
    ++bundles[std::minmax(a, b)];
  }
  std::vector<CableBundle> result;
  for (const auto& [racks, cables] : bundles) result.push_back({racks.first, racks.second, cables});
  return result;
}

}  // namespace railyard
