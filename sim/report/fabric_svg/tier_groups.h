// SPDX-License-Identifier: Apache-2.0
// A fabric in the words of its tier diagram: groups of devices that belong together, layer by layer, and the links
// between them. Private to sim/report/fabric_svg.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topologies/exchange/wiring.h"

namespace railyard {

/// Devices of a pod, a spine group or a core plane.
struct TierGroup {
  std::string label;  // "pod 3", "group 1", "plane 2, group 1"
  int devices = 0;
};

struct Tier {
  DeviceKind kind = DeviceKind::node;
  int devices = 0;
  std::vector<TierGroup> groups;
};

/// Links between a group of the lower tier and one of the upper.
struct TierLinks {
  Layer layer = Layer::node_leaf;
  std::int64_t links = 0;
  Bandwidth speed;                                      // of one; the fastest where they differ
  int most_up = 0, fewest_up = 0;                       // links up of a device of the lower tier
  std::map<std::pair<int, int>, std::int64_t> between;  // groups, by index
};

struct TierDrawing {
  std::vector<Tier> tiers;       // from the nodes up; those with devices
  std::vector<TierLinks> links;  // links[i] between tiers[i] and tiers[i + 1]
  int managers = 0;
  std::int64_t inner_links = 0;  // between devices of one tier (dragonfly)
};

[[nodiscard]] TierDrawing tiers_of(const Wiring& wiring);

}  // namespace railyard
