// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/wiring.h"

#include <array>

#include <fmt/format.h>

namespace railyard {

namespace {

void join(std::string& list, std::string_view item, char separator) {
  if (!list.empty()) list += separator;
  list += item;
}

}  // namespace

std::string_view Wiring::part(DeviceId id) const {
  switch (kind(id)) {
    case DeviceKind::node:
      return server.id;
    case DeviceKind::manager:
      return manager_part;
    default:
      return switch_of(kind(id));
  }
}

std::string_view Wiring::rack(DeviceId id) const {
  return floor == nullptr ? std::string_view() : std::string_view(floor->rack_of(id).name);
}

int Wiring::rack_unit(DeviceId id) const { return floor == nullptr ? 0 : floor->place(id).bottom; }

CableEnd end_of(const Wiring& wiring, const ListedCable& cable, CableSide side, char separator) {
  const auto device = [&](LinkId id) {
    const Link& link = wiring.fabric.link(id);
    return side == CableSide::lower ? link.lower : link.upper;
  };
  CableEnd end;
  bool one = true;
  for (const LinkId id : cable.links) one = one && device(id) == device(cable.links.front());
  for (const LinkId id : cable.links) {
    const Link& link = wiring.fabric.link(id);
    join(end.ports, side == CableSide::lower ? wiring.lower_port(link) : wiring.upper_port(link), separator);
    if (one && id != cable.links.front()) continue;
    join(end.devices, wiring.device(device(id)), separator);
    if (wiring.floor == nullptr) continue;
    join(end.racks, wiring.rack(device(id)), separator);
    join(end.units, std::to_string(wiring.rack_unit(device(id))), separator);
  }
  return end;
}

std::string cable_name(const Wiring& wiring, const ListedCable& cable) {
  const Link& link = wiring.fabric.link(cable.links.front());
  return fmt::format("{}:{}", wiring.device(link.upper), wiring.upper_port(link));
}

std::string_view module_of(const Wiring& wiring, const ListedCable& cable, CableSide side) {
  if (cable.choice == nullptr) return {};
  const Link& link = wiring.fabric.link(cable.links.front());
  if (side == CableSide::lower && wiring.kind(link.lower) == DeviceKind::manager) return wiring.design.manager_module;
  const ModulePart* module = side == CableSide::lower ? cable.choice->lower_module : cable.choice->upper_module;
  return module == nullptr ? std::string_view() : std::string_view(module->id);
}

const MediumWords& words_of(std::string_view medium) {
  static constexpr std::array media{MediumWords{"multimode", "aqua", "00ffff", "mmf-om4"},
                                    MediumWords{"singlemode", "yellow", "ffeb3b", "smf-os2"},
                                    MediumWords{"copper", "black", "111111", "dac-passive"},
                                    MediumWords{"active-copper", "black", "111111", "dac-active"},
                                    MediumWords{"active-optical", "aqua", "00ffff", "aoc"}};
  static constexpr MediumWords unknown{"", "", "", ""};
  for (const MediumWords& each : media) {
    if (each.medium == medium) return each;
  }
  return unknown;
}

}  // namespace railyard
