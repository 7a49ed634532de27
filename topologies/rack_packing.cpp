// SPDX-License-Identifier: Apache-2.0
#include "topologies/rack_packing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace railyard {

namespace {

// Sums of the same figures may differ in the last bits.
constexpr double rounding_room = 1 + 1e-9;

std::string kilowatts(Watts power) { return fmt::format("{:.4g} kW", power.in(kilowatt)); }
std::string kilograms(Kilograms weight) { return fmt::format("{:.4g} kg", weight.in(kilogram)); }

}  // namespace

const BoxNeeds& BoxCatalogue::of(DeviceKind kind) const {
  constexpr std::array boxes{&BoxCatalogue::node, &BoxCatalogue::leaf, &BoxCatalogue::spine, &BoxCatalogue::core,
                             &BoxCatalogue::manager};
  return this->*boxes[static_cast<std::size_t>(kind)];
}

BoxNeeds switch_needs(const SwitchPart& part, const Site& site, Watts plugs) {
  BoxNeeds box;
  box.part = part.id;
  box.power = part.power.value.high + plugs;
  box.units = part.rack_units;
  box.weight = part.weight ? part.weight->value.high : site.switch_weight.value.high * part.rack_units;
  return box;
}

BoxCatalogue box_catalogue(const Design& design, const Parts& parts, const ServerPart& server, const Site& site) {
  const Cabling cabling(design, parts, server);
  const MediaOptions options = media_options(design, parts, server);
  const auto plugs = [&](DeviceKind kind) { return most_plug_power(options, kind) * cabling.cages(kind); };
  const auto network = [&](DeviceKind kind) { return switch_needs(cabling.switch_part(kind), site, plugs(kind)); };
  BoxCatalogue boxes;
  boxes.node.part = server.id;
  boxes.node.power = server.power.value.high + plugs(DeviceKind::node);
  boxes.node.units = server.rack_units > 0 ? server.rack_units : site.server_units;
  boxes.node.weight = server.weight ? server.weight->value.high : site.server_weight.value.high;
  boxes.leaf = network(DeviceKind::leaf);
  boxes.spine = network(DeviceKind::spine);
  boxes.core = network(DeviceKind::core);
  boxes.manager.part = manager_part;
  boxes.manager.power = site.manager.power.value.high;
  boxes.manager.weight = site.manager.weight.value.high;
  boxes.manager.units = site.manager.rack_units;
  return boxes;
}

RackCapacity capacity_for(const BoxNeeds& box, const RackLimits& limits, bool is_node) {
  RackCapacity capacity{static_cast<int>(limits.power.value.low / box.power * rounding_room), RackLimit::power};
  const auto at_most = [&](int boxes, RackLimit limit) {
    if (boxes < capacity.boxes) capacity = {boxes, limit};
  };
  at_most((limits.units - limits.reserved_units) / box.units, RackLimit::units);
  at_most(static_cast<int>(limits.weight.value.low / box.weight * rounding_room), RackLimit::weight);
  if (is_node && limits.most_nodes > 0) at_most(limits.most_nodes, RackLimit::nodes);
  return capacity;
}

void check_fits(const BoxNeeds& box, std::string_view what, const Site& site, const std::string& remedy) {
  const RackLimits& rack = site.rack;
  const auto refuse = [&](const std::string& needs, const std::string& excess, const std::string& limit) {
    throw InputError(fmt::format("site '{}': {} '{}' {}, {} more than the {} of a rack", site.id, what, box.part, needs,
                                 excess, limit),
                     fmt::format("choose a site whose racks hold it{}", remedy));
  };
  if (box.power > rack.power.value.low * rounding_room) {
    refuse(fmt::format("draws up to {} with its modules", kilowatts(box.power)),
           kilowatts(box.power - rack.power.value.low), kilowatts(rack.power.value.low));
  }
  const int units = rack.units - rack.reserved_units;
  if (box.units > units) {
    refuse(fmt::format("is {} U high", box.units), fmt::format("{} U", box.units - units), fmt::format("{} U", units));
  }
  if (box.weight > rack.weight.value.low * rounding_room) {
    refuse(fmt::format("weighs up to {}", kilograms(box.weight)), kilograms(box.weight - rack.weight.value.low),
           kilograms(rack.weight.value.low));
  }
}

OpenRack::OpenRack(Place at, RackKind kind, int pod, const RackLimits& limits)
    : limits_(&limits), next_high_(limits.units - limits.reserved_units + 1) {
  rack_.name = fmt::format("{}{:02}", row_name(at.row), at.place + 1);
  rack_.row = at.row;
  rack_.place = at.place;
  rack_.kind = kind;
  rack_.pod = pod;
  rack_.units = limits.units;
}

RackLimit OpenRack::refusal(const BoxNeeds& box) const {
  if (rack_.power + box.power > limits_->power.value.low * rounding_room) return RackLimit::power;
  if (box.units > next_high_ - next_low_) return RackLimit::units;
  if (rack_.weight + box.weight > limits_->weight.value.low * rounding_room) return RackLimit::weight;
  return RackLimit::none;
}

void OpenRack::put(DeviceId device, const BoxNeeds& box, int bottom) {
  rack_.slots.push_back(
      {device, box.part, box.network, static_cast<std::uint16_t>(bottom), static_cast<std::uint16_t>(box.units)});
  rack_.power += box.power;
  rack_.weight += box.weight;
  rack_.used_units += box.units;
}

void OpenRack::put_low(DeviceId device, const BoxNeeds& box) {
  put(device, box, next_low_);
  next_low_ += box.units;
}

void OpenRack::put_high(DeviceId device, const BoxNeeds& box) {
  next_high_ -= box.units;
  put(device, box, next_high_);
}

}  // namespace railyard
