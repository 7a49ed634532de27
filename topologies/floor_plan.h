// SPDX-License-Identifier: Apache-2.0
// Which device stands in which rack, and where the racks stand: packed by power, height and weight, the racks of a pod
// together, its leaves amid them, spines and cores in network racks. A plan is a pure function of fabric and site;
// the racks of pods 0 to p-1 keep names, places and contents when the cluster grows by whole pods.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabric.h"
#include "topologies/site.h"

namespace railyard {

enum class RackKind : std::uint8_t { compute, leaf, network };
[[nodiscard]] std::string_view to_string(RackKind kind);  // compute, leaf, network

/// What keeps one more box out of a rack.
enum class RackLimit : std::uint8_t { none, power, units, weight, nodes, whole_rack };
[[nodiscard]] std::string_view to_string(RackLimit limit);  // none, power, height, weight, nodes, rack as bought

/// A box in a rack. Boxes beside the back-end network (switches of the storage network) are no devices of the fabric.
struct RackSlot {
  static constexpr DeviceId no_device{0xffffffff};
  DeviceId device = no_device;
  std::string part;          // part id; manager_part for management appliances
  std::string network;       // storage, in-band, ... ; empty for the back end
  std::uint16_t bottom = 1;  // lowest rack unit, counted from 1 at the floor
  std::uint16_t height = 1;  // rack units
};

/// A rack that holds something.
struct Rack {
  std::string name;  // row and place: "A07"
  int row = 0;       // from 0; rows without racks have numbers too
  int place = 0;     // in the row, from 0
  RackKind kind = RackKind::compute;
  int pod = -1;                       // compute and leaf racks: the pod of their first node or leaf
  int units = 0;                      // height of the rack; as bought for racks that come whole
  int used_units = 0;                 // by its boxes
  Watts power;                        // upper end, modules included
  Kilograms weight;                   // upper end, without the rack itself
  RackLimit limit = RackLimit::none;  // what kept the next box out; none when there was none
  std::vector<RackSlot> slots;        // from the floor up
};

/// Where a device is.
struct DevicePlace {
  std::uint32_t rack = 0;    // index into FloorPlan::racks()
  std::uint16_t bottom = 1;  // lowest rack unit
  std::uint16_t height = 1;
};

class FloorPlan {
 public:
  FloorPlan(Site site, std::vector<Rack> racks, std::vector<DevicePlace> places);

  [[nodiscard]] const Site& site() const { return site_; }
  /// By row, then place.
  [[nodiscard]] std::span<const Rack> racks() const { return racks_; }
  [[nodiscard]] const DevicePlace& place(DeviceId id) const { return places_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Rack& rack_of(DeviceId id) const { return racks_[place(id).rack]; }
  /// Rows from the first to the last that holds a rack.
  [[nodiscard]] int rows() const;
  [[nodiscard]] int count(RackKind kind) const;
  /// What limits most of the racks of a kind that are full; none when none is.
  [[nodiscard]] RackLimit binding(RackKind kind) const;
  /// The rack of this name; throws InputError with the nearest name.
  [[nodiscard]] const Rack& rack(std::string_view name) const;

 private:
  Site site_;
  std::vector<Rack> racks_;
  std::vector<DevicePlace> places_;
};

/// "A", "B", ..., "Z", "AA", ...
[[nodiscard]] std::string row_name(int row);

/// Places every device of the fabric, and the switches of the design's networks beside it. Power of a box is its own
/// upper end and the hungriest modules that its cages may get. Throws InputError for a box that no rack of the site
/// can hold, with the limit, the excess and the nearest that works.
[[nodiscard]] FloorPlan plan_floor(const Fabric& fabric, const Design& design, const Parts& parts,
                                   const ServerPart& server, const Site& site);

/// One judgement of a plan, or why there is none.
struct FloorFinding {
  bool fault = false;
  std::string check;  // rack power, rack weight, rack height, floor plan
  std::string where;  // rack name, or the design
  std::string text;   // one sentence with figures
  double used = 0, limit = 0;
  std::string unit;  // W, kg, U
};

/// For each limit of a rack the fullest rack with its head-room; a single fault when the plan cannot be made (the
/// message that plan_floor would throw).
[[nodiscard]] std::vector<FloorFinding> floor_findings(const Fabric& fabric, const Design& design, const Parts& parts,
                                                       const ServerPart& server, const Site& site);

}  // namespace railyard
