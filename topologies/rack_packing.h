// SPDX-License-Identifier: Apache-2.0
// Boxes into racks: what a box needs, how many of one kind a rack holds and which limit binds. Private to the floor
// plan and to advice_sites.cpp.
#pragma once

#include <string>
#include <vector>

#include "topologies/bill_of_materials.h"
#include "topologies/floor_plan.h"
#include "topologies/hall.h"
#include "topologies/media_options.h"

namespace railyard {

/// What one box takes of a rack; upper ends, with the hungriest modules it may get.
struct BoxNeeds {
  std::string part;
  std::string network = {};
  Watts power;
  Kilograms weight;
  int units = 1;
};

/// The boxes of a fabric at a site.
struct BoxCatalogue {
  BoxNeeds node, leaf, spine, core, manager;
  [[nodiscard]] const BoxNeeds& of(DeviceKind kind) const;
};
[[nodiscard]] BoxCatalogue box_catalogue(const Design& design, const Parts& parts, const ServerPart& server,
                                         const Site& site);
/// A switch without modules of a known kind: those of a network beside the back end.
[[nodiscard]] BoxNeeds switch_needs(const SwitchPart& part, const Site& site, Watts plugs);

/// Boxes of one kind in a rack, and the limit that keeps one more out.
struct RackCapacity {
  int boxes = 0;
  RackLimit limit = RackLimit::none;
};
[[nodiscard]] RackCapacity capacity_for(const BoxNeeds& box, const RackLimits& limits, bool is_node);

/// Throws InputError, saying limit and excess, when an empty rack cannot hold the box. `remedy` tells what fits.
void check_fits(const BoxNeeds& box, std::string_view what, const Site& site, const std::string& remedy);

/// A rack being filled: nodes from the floor up, switches from the top down.
class OpenRack {
 public:
  OpenRack(Place at, RackKind kind, int pod, const RackLimits& limits);

  /// none: the box fits.
  [[nodiscard]] RackLimit refusal(const BoxNeeds& box) const;
  void put_low(DeviceId device, const BoxNeeds& box);
  void put_high(DeviceId device, const BoxNeeds& box);
  void note(RackLimit limit) { rack_.limit = limit; }
  [[nodiscard]] Rack& rack() { return rack_; }
  [[nodiscard]] const Rack& rack() const { return rack_; }

 private:
  void put(DeviceId device, const BoxNeeds& box, int bottom);

  const RackLimits* limits_;
  Rack rack_;
  int next_low_ = 1, next_high_ = 1;  // free units: [next_low_, next_high_)
};

}  // namespace railyard
