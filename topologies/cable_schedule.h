// SPDX-License-Identifier: Apache-2.0
// The physical cables of a wired fabric: for each its ends, its length along the trays, the length bought, the cheapest
// medium that fits, the modules at both ends, and the rule that decided. Costs come in as values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/bill_of_materials.h"
#include "topologies/cable_routes.h"
#include "topologies/floor_plan.h"

namespace railyard {

/// Cost of one piece of a part, a cable's at a length; nothing when it has no price. Any unit, the same for all parts.
using PartCost = std::function<std::optional<double>(std::string_view part, std::optional<Metres> length)>;

/// A cost where nothing has a price.
[[nodiscard]] inline std::optional<double> no_price(std::string_view, std::optional<Metres>) { return {}; }

/// How some cables of a layer are made: alike in all but ends and exact length.
struct CableChoice {
  Layer layer = Layer::node_leaf;
  const CablePart* cable = nullptr;
  const ModulePart* lower_module = nullptr;  // none where the cable brings its ends; an appliance has its own
  const ModulePart* upper_module = nullptr;
  Metres stock;      // length bought
  std::string rule;  // what decided: "copper: cheapest of 3 media that reach 2.4 m"
};

/// One physical cable. It carries 1..n links; all of them end in one cage at the upper end. At the lower end they share
/// a cage or (splitters) have one each: the links tell.
struct Cable {
  std::uint32_t first_link = 0;  // place in the schedule's list of links
  std::uint16_t links = 1;
  std::uint16_t choice = 0;  // index into choices()
  Metres routed;             // along the trays to the farthest of its ends, slack included
  bool estimate = true;      // generated from the plan; false when the site has a measured length
};

class CableSchedule {
 public:
  struct Content {
    std::vector<CableChoice> choices;
    std::vector<Cable> cables;
    std::vector<LinkId> links;            // of all cables, cable by cable
    std::vector<std::uint32_t> cable_of;  // by link
    std::vector<std::string> refused;     // alternatives that do not fit this server or switch, and why
  };
  explicit CableSchedule(Content content) : content_(std::move(content)) {}

  /// By layer; within one in the order of wiring, but those that share cages together.
  [[nodiscard]] std::span<const Cable> cables() const { return content_.cables; }
  [[nodiscard]] const Cable& cable(std::size_t index) const { return content_.cables[index]; }
  [[nodiscard]] std::span<const CableChoice> choices() const { return content_.choices; }
  [[nodiscard]] const CableChoice& choice_of(const Cable& cable) const { return content_.choices[cable.choice]; }
  [[nodiscard]] std::span<const LinkId> links_of(const Cable& cable) const {
    return std::span(content_.links).subspan(cable.first_link, cable.links);
  }
  /// Index of the cable that carries a link.
  [[nodiscard]] std::size_t cable_of(LinkId link) const { return content_.cable_of[static_cast<std::size_t>(link)]; }
  [[nodiscard]] const CableChoice& choice_of(LinkId link) const { return choice_of(cable(cable_of(link))); }
  /// Alternatives of the design that cannot be used with these parts, each with the reason.
  [[nodiscard]] std::span<const std::string> refused() const { return content_.refused; }

 private:
  Content content_;
};

/// Cables for every link, each layer by the cheapest medium that fits: the design's own or one of its alternatives
/// whose ends fit (Cabling's rules), that reaches the route, is sold in a length that covers it and has a price (with
/// no prices at all: the design's own, else the first alternative). Links that share cages get one medium. Cost of a
/// medium: its cables at the lengths bought and its modules in the cages used. Ties go to the design's own, then to the
/// alternative named first. Throws InputError when nothing reaches, with the length and the longest reach.
[[nodiscard]] CableSchedule schedule_cables(const Fabric& fabric, const Design& design, const Parts& parts,
                                            const ServerPart& server, const FloorPlan& plan, const PartCost& cost);

/// Cables of one part and length.
struct CableBin {
  std::string part, medium;
  Layer layer = Layer::node_leaf;
  Metres stock;
  int cables = 0;
  Metres routed, shortest, longest;  // of the routes: sum, ends
};
/// By layer, part and length.
[[nodiscard]] std::vector<CableBin> cable_bins(const CableSchedule& schedule);

/// Cables that run from one rack to another, as a technician bundles them; both racks are the same for cables inside
/// one.
struct CableBundle {
  std::uint32_t from = 0, to = 0;  // indices of racks, from <= to
  int cables = 0;
};
/// By racks.
[[nodiscard]] std::vector<CableBundle> cable_bundles(const CableSchedule& schedule, const Fabric& fabric,
                                                     const FloorPlan& plan);

/// list_parts with the cables of a schedule: cables by part and length bought, modules by the media chosen.
[[nodiscard]] BillOfMaterials list_parts(const Fabric& fabric, const Design& design, const Parts& parts,
                                         const ServerPart& server, int servers, const CableSchedule& schedule);

}  // namespace railyard
