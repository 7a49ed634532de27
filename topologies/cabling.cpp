// SPDX-License-Identifier: Apache-2.0
#include "topologies/cabling.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace railyard {

namespace {

/// One side of a joint: a cage, a module or the end of a cable.
struct End {
  std::string name;  // "module 'x'"
  std::string connector;
  int ports = 1;  // of the cage
  Bandwidth speed, lane_rate;
};

std::string in_gigabits(Bandwidth value) { return fmt::format("{:g} Gb/s", value.in(gigabit_per_second)); }

std::string place_of(const Design& design, Layer layer) {
  return fmt::format("design '{}', {} links", design.id, to_string(layer));
}

[[noreturn]] void refuse(const std::string& place, const End& a, const End& b, std::string_view what,
                         const std::string& of_a, const std::string& of_b) {
  throw InputError(fmt::format("{}: {} {} of {} against {} of {}", place, what, of_a, a.name, of_b, b.name),
                   fmt::format("choose parts of one {}", what));
}

void check_speed(const std::string& place, const End& a, const End& b) {
  if (a.speed != b.speed) refuse(place, a, b, "port speed", in_gigabits(a.speed), in_gigabits(b.speed));
}

void check_lanes(const std::string& place, const End& a, const End& b) {
  if (a.lane_rate != b.lane_rate) refuse(place, a, b, "lane rate", in_gigabits(a.lane_rate), in_gigabits(b.lane_rate));
}

/// Modules at the two ends of a fibre.
void check_optical_lanes(const std::string& place, const ModulePart& a, const ModulePart& b) {
  if (a.optical_lane_rate == b.optical_lane_rate) return;
  refuse(place, {fmt::format("module '{}'", a.id), {}, 1, {}, {}}, {fmt::format("module '{}'", b.id), {}, 1, {}, {}},
         "optical lane rate", in_gigabits(a.optical_lane_rate), in_gigabits(b.optical_lane_rate));
}

/// `plug` sits in `cage`.
void check_joint(const std::string& place, const End& plug, const End& cage) {
  if (plug.connector != cage.connector) refuse(place, plug, cage, "connector", plug.connector, cage.connector);
  check_speed(place, plug, cage);
  check_lanes(place, plug, cage);
  if (plug.ports != cage.ports) {
    refuse(place, plug, cage, "number of ports in a cage", std::to_string(plug.ports), std::to_string(cage.ports));
  }
}

End end_of(const ModulePart& module) {
  return {fmt::format("module '{}'", module.id), module.connector, module.ports, module.port_speed, module.lane_rate};
}

void check_reach(const std::string& place, const std::string& name, Metres reach, Metres length) {
  if (length <= reach) return;
  throw InputError(fmt::format("{}: {} reaches {:g} m, but links are up to {:g} m long, {:g} m too much", place, name,
                               reach.in(metre), length.in(metre), (length - reach).in(metre)),
                   "shorten the planning length or choose a medium of longer reach");
}

/// A module at one end of a fibre.
void check_fibre(const std::string& place, const ModulePart& module, const CablePart& cable, Metres longest) {
  if (module.medium != cable.medium) {
    throw InputError(fmt::format("{}: module '{}' is {}, but cable '{}' is {}", place, module.id, module.medium,
                                 cable.id, cable.medium),
                     "choose modules and fibre of one medium");
  }
  check_reach(place, end_of(module).name, module.reach, longest);
}

const ModulePart* find_module(const Parts& parts, const std::string& id) {
  return id.empty() ? nullptr : &parts.module(id);
}

bool speaks(const std::vector<std::string>& fabrics, const std::string& fabric) {
  return std::find(fabrics.begin(), fabrics.end(), fabric) != fabrics.end();
}

/// An unsplit cage of a switch.
End cage_of(const SwitchPart& part) {
  return {fmt::format("switch '{}'", part.id), part.connector, part.ports_per_cage, part.port_speed, part.lane_rate};
}

/// The cage at the lower end of a layer's links.
End lower_end(Layer layer, const Cabling& cabling, const ServerPart& server, const NicPart& nic) {
  if (layer == Layer::node_leaf) {
    return {fmt::format("server '{}'", server.id), server.connector, server.ports_per_cage,
            nic.port_speed.value.typical, nic.lane_rate};
  }
  return cage_of(cabling.switch_part(layer == Layer::leaf_spine ? DeviceKind::leaf : DeviceKind::spine));
}

}  // namespace

Cabling::Cabling(const Design& design, const Parts& parts, const ServerPart& server)
    : design_(&design),
      server_(&server),
      switches_{&parts.switch_part(design.switch_of(DeviceKind::leaf)),
                &parts.switch_part(design.switch_of(DeviceKind::spine)),
                &parts.switch_part(design.switch_of(DeviceKind::core))},
      nic_(&parts.nic(server.nic)) {
  const std::string fabric = design.fabric == "roce" ? "ethernet" : design.fabric;
  const auto refuse_fabric = [&](std::string_view what, const std::string& id) {
    throw InputError(fmt::format("design '{}' is {}, but {} '{}' is not", design.id, design.fabric, what, id),
                     fmt::format("choose parts for {}", fabric));
  };
  for (const SwitchPart* part : switches_) {
    if (part->fabric != fabric) refuse_fabric("switch", part->id);
  }
  if (!speaks(nic_->fabrics, fabric)) refuse_fabric("NIC", nic_->id);
  for (const Layer layer : all_layers) {
    const LayerMedia media = media_of(design, parts, server, layer);
    if (media.cable.empty()) continue;
    layers_[index_of(layer)] = {&parts.cable(media.cable), find_module(parts, media.lower_module),
                                find_module(parts, media.upper_module)};
    check_layer(layer, media);
  }
  if (design.ufm) {
    manager_module_ = find_module(parts, design.manager_module);
    check_manager();
  }
}

const SwitchPart& Cabling::switch_part(DeviceKind kind) const {
  return *switches_[kind == DeviceKind::spine ? 1 : kind == DeviceKind::core ? 2 : 0];
}

int Cabling::ports_per_cage(DeviceKind kind) const {
  if (kind == DeviceKind::manager) return 1;
  if (kind == DeviceKind::node) return server_->ports_per_cage;
  return switch_part(kind).ports_per_cage * (kind == DeviceKind::leaf ? design_->breakout : 1);
}

int Cabling::cages(DeviceKind kind) const {
  if (kind == DeviceKind::manager) return 1;
  return kind == DeviceKind::node ? server_->cages : switch_part(kind).cages;
}

const ModulePart* Cabling::module_at(const Link& link, DeviceKind kind) const {
  if (kind == DeviceKind::manager) return manager_module_;
  const LayerParts& parts = layer(link.layer);
  const bool is_lower = link.layer == Layer::node_leaf    ? kind == DeviceKind::node
                        : link.layer == Layer::leaf_spine ? kind == DeviceKind::leaf
                                                          : kind == DeviceKind::spine;  // spine-spine: both ends alike
  return is_lower ? parts.lower : parts.upper;
}

void Cabling::check_layer(Layer layer, const LayerMedia& media) const {
  const std::string place = place_of(*design_, layer);
  const LayerParts& parts = layers_[index_of(layer)];
  const CablePart& cable = *parts.cable;
  const End lower = lower_end(layer, *this, *server_, *nic_);
  End upper = cage_of(switch_part(layer == Layer::node_leaf    ? DeviceKind::leaf
                                  : layer == Layer::spine_core ? DeviceKind::core
                                                               : DeviceKind::spine));
  if (layer == Layer::node_leaf) {
    const End whole = upper;
    upper.ports *= design_->breakout;
    upper.speed = upper.speed / design_->breakout;
    check_speed(place, lower, upper);
    // Either the module has the halves as ports of its own, or a splitter cable divides the whole ports.
    if (design_->breakout > 1 && cable.needs_modules && cable.links == design_->breakout) upper = whole;
  } else {
    check_speed(place, lower, upper);
  }
  if (layer == Layer::spine_spine && parts.lower != parts.upper) {
    throw InputError(fmt::format("{}: both ends are spines, but their modules differ", place),
                     "name one module for lower_module and upper_module");
  }
  check_reach(place, fmt::format("cable '{}'", cable.id), cable.reach, media.longest);
  if (!cable.needs_modules) {
    if (parts.lower != nullptr || parts.upper != nullptr ||
        (layer == Layer::node_leaf && !design_->node_modules.empty())) {
      throw InputError(fmt::format("{}: cable '{}' brings its own ends, but modules are named", place, cable.id),
                       "leave the modules out, or choose fibre");
    }
    const std::string name = fmt::format("cable '{}'", cable.id);
    check_joint(place, {name, cable.lower_connector, lower.ports, cable.port_speed, cable.lane_rate}, lower);
    check_joint(place, {name, cable.upper_connector, upper.ports, cable.port_speed, cable.lane_rate}, upper);
    return;
  }
  for (const bool at_lower : {true, false}) {
    const ModulePart* module = at_lower ? parts.lower : parts.upper;
    if (module == nullptr) {
      throw InputError(
          fmt::format("{}: cable '{}' needs a module at its {} end", place, cable.id, at_lower ? "lower" : "upper"),
          "name the module in the design");
    }
    check_joint(place, end_of(*module), at_lower ? lower : upper);
    check_fibre(place, *module, cable, media.longest);
  }
  check_optical_lanes(place, *parts.lower, *parts.upper);
}

void Cabling::check_manager() const {
  const LayerParts& parts = layers_[index_of(Layer::node_leaf)];
  const std::string place = fmt::format("design '{}', UFM ends", design_->id);
  if (!parts.cable->needs_modules || manager_module_ == nullptr) {
    throw InputError(fmt::format("{}: no module for the appliances", place),
                     "name manager_module, and use fibre for media.node_leaf");
  }
  check_speed(place, end_of(*manager_module_), end_of(*parts.upper));
  check_optical_lanes(place, *manager_module_, *parts.upper);
  check_fibre(place, *manager_module_, *parts.cable, design_->media[index_of(Layer::node_leaf)].longest);
}

void Cabling::check_cages(const Fabric& fabric) const {
  struct Use {
    const ModulePart* module = nullptr;
    const CablePart* cable = nullptr;
    DeviceId peer{};
    int peer_cage = 0;
  };
  std::vector<Use> uses;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const DeviceId id{static_cast<std::uint32_t>(i)};
    const Device& device = fabric.device(id);
    if (device.kind == DeviceKind::node || device.kind == DeviceKind::manager) continue;
    const int in_cage = ports_per_cage(device.kind);
    if (in_cage == 1) continue;
    const SwitchPart& part = switch_part(device.kind);
    uses.assign(static_cast<std::size_t>(part.cages), {});
    for (const LinkId link_id : fabric.links_of(id)) {
      const Link& link = fabric.link(link_id);
      const bool is_upper = link.upper == id;
      const CablePart* cable = layer(link.layer).cable;
      const ModulePart* module = module_at(link, device.kind);
      Use& use = uses[static_cast<std::size_t>((is_upper ? link.upper_port : link.lower_port) / in_cage)];
      const DeviceKind peer_kind = fabric.device(link.lower).kind;
      const int peer_cage = link.lower_port / ports_per_cage(peer_kind);
      if (use.cable == nullptr) {
        use = {module, cable, link.lower, peer_cage};
      } else if (use.module != module || (module == nullptr && use.cable != cable)) {
        throw InputError(
            fmt::format("design '{}': two ports of one cage of switch '{}' need different modules or cables",
                        design_->id, part.id),
            fmt::format("make the uplinks of a leaf a multiple of {}, or use one module on both sides", in_cage));
      } else if (is_upper && cable->links > 1 && ports_per_cage(peer_kind) > 1 &&
                 (use.peer != link.lower || use.peer_cage != peer_cage)) {
        throw InputError(
            fmt::format("{}: cable '{}' joins one cage to one cage, but the ports of a cage lead to different ones",
                        place_of(*design_, link.layer), cable->id),
            "use a cable of one link, or fibre");
      }
    }
  }
}

}  // namespace railyard
