// SPDX-License-Identifier: Apache-2.0
// What the writers of this room take: a wired fabric with its names, and where its devices stand and what its cables
// are once that is planned. Each writer gives a source of text: the same bytes for the same wiring, in one pass.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/text_sink.h"
#include "topologies/cable_schedule.h"
#include "topologies/floor_plan.h"
#include "topologies/names.h"

namespace railyard {

/// One cable as the lists have it.
struct ListedCable {
  std::span<const LinkId> links;
  const Cable* cable = nullptr;         // none when cables are not planned: then each link is a cable
  const CableChoice* choice = nullptr;  // none likewise
};

/// Refers to what it names, which must outlive it and the texts made from it. Floor and cables come together or not at
/// all; without them places are empty and each link stands for a cable.
struct Wiring {
  const Design& design;
  const Parts& parts;
  const ServerPart& server;
  const Fabric& fabric;
  const FabricNames& names;
  const FloorPlan* floor = nullptr;
  const CableSchedule* cables = nullptr;

  [[nodiscard]] std::string_view device(DeviceId id) const { return names.device(id); }
  [[nodiscard]] DeviceKind kind(DeviceId id) const { return fabric.device(id).kind; }
  [[nodiscard]] std::string_view lower_port(const Link& link) const {
    return names.port(kind(link.lower), link.lower_port);
  }
  [[nodiscard]] std::string_view upper_port(const Link& link) const {
    return names.port(kind(link.upper), link.upper_port);
  }
  /// Part id of the switches of a layer.
  [[nodiscard]] const std::string& switch_of(DeviceKind of) const { return design.switch_of(of); }
  /// Part of a device: server, switch or management appliance.
  [[nodiscard]] std::string_view part(DeviceId id) const;
  /// Name of its rack, and its lowest rack unit; empty and 0 without a floor plan.
  [[nodiscard]] std::string_view rack(DeviceId id) const;
  [[nodiscard]] int rack_unit(DeviceId id) const;

  [[nodiscard]] std::size_t cable_count() const {
    return cables == nullptr ? fabric.links().size() : cables->cables().size();
  }
};

/// Calls `action` with every cable in the order of the schedule (of the links, without one).
template <class Action>
void for_each_cable(const Wiring& wiring, const Action& action) {
  if (wiring.cables != nullptr) {
    for (const Cable& cable : wiring.cables->cables()) {
      action(ListedCable{wiring.cables->links_of(cable), &cable, &wiring.cables->choice_of(cable)});
    }
    return;
  }
  for (std::size_t i = 0; i < wiring.fabric.links().size(); ++i) {
    const LinkId id{static_cast<std::uint32_t>(i)};
    action(ListedCable{std::span(&id, 1), nullptr, nullptr});
  }
}

enum class CableSide : std::uint8_t { lower, upper };

/// One end of a cable in words, several joined by a separator: ports, one for each link; devices, racks and lowest
/// units, one for each link where the links end in several devices (the lower end of a splitter), else one. Racks and
/// units are empty without a floor plan. Refers to what it is made from.
class CableEnd {
 public:
  CableEnd(const Wiring& wiring, const ListedCable& cable, CableSide side);

  [[nodiscard]] bool several_devices() const { return !one_; }
  void append_devices(std::string& row, char separator) const;
  void append_ports(std::string& row, char separator) const;
  void append_racks(std::string& row, char separator) const;
  void append_units(std::string& row, char separator) const;

 private:
  [[nodiscard]] DeviceId device(LinkId id) const;
  template <class Action>
  void each_device(std::string& row, char separator, const Action& action) const;

  const Wiring& wiring_;
  const ListedCable& cable_;
  CableSide side_;
  bool one_ = true;  // device
};

/// Appends the name of a cable: its switch port at the upper end, device:port. Unique, and kept when the cluster grows.
void append_cable_name(std::string& row, const Wiring& wiring, const ListedCable& cable);

/// Module at one end; none for copper, or when cables are not planned. Those of appliances are the design's own.
[[nodiscard]] std::string_view module_of(const Wiring& wiring, const ListedCable& cable, CableSide side);

/// How a medium is called and coloured by others: jackets as TIA-598, types as NetBox has them.
struct MediumWords {
  std::string_view medium, colour, colour_code, netbox_type;
};
[[nodiscard]] const MediumWords& words_of(std::string_view medium);

}  // namespace railyard
