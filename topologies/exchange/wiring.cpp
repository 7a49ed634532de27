// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/wiring.h"

#include <array>

#include "topologies/exchange/row_text.h"

namespace railyard {

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

CableEnd::CableEnd(const Wiring& wiring, const ListedCable& cable, CableSide side)
    : wiring_(wiring), cable_(cable), side_(side) {
  for (const LinkId id : cable.links) one_ = one_ && device(id) == device(cable.links.front());
}

DeviceId CableEnd::device(LinkId id) const {
  const Link& link = wiring_.fabric.link(id);
  return side_ == CableSide::lower ? link.lower : link.upper;
}

template <class Action>
void CableEnd::each_device(std::string& row, char separator, const Action& action) const {
  const std::size_t count = one_ ? 1 : cable_.links.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) row.push_back(separator);
    action(device(cable_.links[i]));
  }
}

void CableEnd::append_devices(std::string& row, char separator) const {
  each_device(row, separator, [&](DeviceId id) { row.append(wiring_.device(id)); });
}

void CableEnd::append_ports(std::string& row, char separator) const {
  for (std::size_t i = 0; i < cable_.links.size(); ++i) {
    const Link& link = wiring_.fabric.link(cable_.links[i]);
    if (i > 0) row.push_back(separator);
    row.append(side_ == CableSide::lower ? wiring_.lower_port(link) : wiring_.upper_port(link));
  }
}

void CableEnd::append_racks(std::string& row, char separator) const {
  if (wiring_.floor == nullptr) return;
  each_device(row, separator, [&](DeviceId id) { row.append(wiring_.rack(id)); });
}

void CableEnd::append_units(std::string& row, char separator) const {
  if (wiring_.floor == nullptr) return;
  each_device(row, separator, [&](DeviceId id) { append(row, wiring_.rack_unit(id)); });
}

void append_cable_name(std::string& row, const Wiring& wiring, const ListedCable& cable) {
  const Link& link = wiring.fabric.link(cable.links.front());
  append(row, wiring.device(link.upper), ':', wiring.upper_port(link));
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
