// SPDX-License-Identifier: Apache-2.0
#include "topologies/bill_of_materials.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "topologies/cable_schedule.h"
#include "topologies/cabling.h"

namespace railyard {

namespace {

/// Pieces of each part and the counts, taken from the links at every device.
struct Tally {
  NetworkCounts counts;
  std::map<std::string, int> switches, line_cards, modules;  // by part id
  std::map<std::pair<std::string, Metres>, int> cables;      // by part id and length bought (zero: as planned)
};

/// Where modules and cables come from: the design's media, or a schedule's choices.
struct MediaSource {
  const Cabling& cabling;
  const CableSchedule* schedule = nullptr;

  [[nodiscard]] const ModulePart* module_at(LinkId id, const Link& link, DeviceId device, DeviceKind kind) const {
    if (schedule == nullptr || kind == DeviceKind::manager) return cabling.module_at(link, kind);
    const CableChoice& choice = schedule->choice_of(id);
    return link.lower == device ? choice.lower_module : choice.upper_module;
  }
};

/// Modules at one device: one for each occupied cage, or for every cage of a switch that is populated in full.
int add_modules(const Fabric& fabric, DeviceId id, const MediaSource& media, bool populate_full, Tally& tally,
                std::vector<const ModulePart*>& cages) {
  const Device& device = fabric.device(id);
  const int per_cage = media.cabling.ports_per_cage(device.kind);
  cages.assign(static_cast<std::size_t>(media.cabling.cages(device.kind)), nullptr);
  for (const LinkId link_id : fabric.links_of(id)) {
    const Link& link = fabric.link(link_id);
    const int port = link.lower == id ? link.lower_port : link.upper_port;
    cages[static_cast<std::size_t>(port / per_cage)] = media.module_at(link_id, link, id, device.kind);
  }
  if (populate_full && device.kind != DeviceKind::manager) {
    // An empty cage gets the module of the cage before it (the first ones that of the first occupied cage).
    const ModulePart* last = nullptr;
    for (const ModulePart* module : cages) {
      if (module != nullptr && last == nullptr) last = module;
    }
    for (const ModulePart*& module : cages) {
      if (module == nullptr) module = last;
      last = module;
    }
  }
  int modules = 0;
  for (const ModulePart* module : cages) {
    if (module == nullptr) continue;
    ++modules;
    ++tally.modules[module->id];
  }
  return modules;
}

/// Cables: a cable of n links serves up to n ports of one cage at its upper end.
void add_cables(const Fabric& fabric, DeviceId id, const Cabling& cabling, Tally& tally) {
  std::map<std::pair<Layer, int>, int> links_in_cage;
  const int per_cage = cabling.ports_per_cage(fabric.device(id).kind);
  for (const LinkId link_id : fabric.links_of(id)) {
    const Link& link = fabric.link(link_id);
    if (link.upper == id) ++links_in_cage[{link.layer, link.upper_port / per_cage}];
  }
  for (const auto& [place, links] : links_in_cage) {
    const CablePart& cable = *cabling.layer(place.first).cable;
    const int cables = (links + cable.links - 1) / cable.links;
    tally.counts.cables += cables;
    tally.counts.cables_by_medium[cable.medium] += cables;
    tally.cables[{cable.id, Metres{}}] += cables;
  }
}

void add_cables(const CableSchedule& schedule, Tally& tally) {
  for (const Cable& cable : schedule.cables()) {
    const CableChoice& choice = schedule.choice_of(cable);
    ++tally.counts.cables;
    ++tally.counts.cables_by_medium[choice.cable->medium];
    ++tally.cables[{choice.cable->id, choice.stock}];
  }
}

/// Cards of a modular switch: those with a link.
void add_line_cards(const Fabric& fabric, DeviceId id, const Cabling& cabling, Tally& tally) {
  const DeviceKind kind = fabric.device(id).kind;
  if (kind == DeviceKind::node || kind == DeviceKind::manager) return;
  const SwitchPart& part = cabling.switch_part(kind);
  if (part.slots == 0) return;
  const int ports_of_card = part.cages_of_card() * cabling.ports_per_cage(kind);
  std::vector<bool> in_use(static_cast<std::size_t>(part.slots));
  for (const LinkId link_id : fabric.links_of(id)) {
    const Link& link = fabric.link(link_id);
    in_use[static_cast<std::size_t>((link.lower == id ? link.lower_port : link.upper_port) / ports_of_card)] = true;
  }
  tally.line_cards[part.line_card] += static_cast<int>(std::count(in_use.begin(), in_use.end(), true));
}

LayerCounts count_layer(const Fabric& fabric, DeviceKind kind, std::string name) {
  const auto links = [&](Layer layer) { return static_cast<int>(fabric.count(layer)); };
  LayerCounts counts{.name = std::move(name), .switches = static_cast<int>(fabric.count(kind))};
  switch (kind) {
    case DeviceKind::leaf:
      counts.links_down = links(Layer::node_leaf), counts.links_up = links(Layer::leaf_spine);
      break;
    case DeviceKind::spine:
      counts.links_down = links(Layer::leaf_spine), counts.links_up = links(Layer::spine_core);
      counts.links_across = links(Layer::spine_spine);
      break;
    default:
      counts.links_down = links(Layer::spine_core);
  }
  return counts;
}

Tally count_all(const Fabric& fabric, const Design& design, const MediaSource& media) {
  Tally tally;
  NetworkCounts& counts = tally.counts;
  for (const Layer layer : all_layers) {
    counts.links[index_of(layer)] = static_cast<int>(fabric.count(layer));
  }
  for (const auto& [kind, name] : {std::pair{DeviceKind::leaf, "leaf"}, std::pair{DeviceKind::spine, "spine"},
                                   std::pair{DeviceKind::core, "core"}}) {
    if (fabric.count(kind) == 0) continue;
    counts.layers.push_back(count_layer(fabric, kind, name));
    counts.switches += counts.layers.back().switches;
    ++counts.tiers;
    tally.switches[media.cabling.switch_part(kind).id] += counts.layers.back().switches;
  }
  std::vector<const ModulePart*> cages;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const DeviceId id{static_cast<std::uint32_t>(i)};
    const int modules = add_modules(fabric, id, media, design.populate_full, tally, cages);
    switch (fabric.device(id).kind) {
      case DeviceKind::node:
        counts.node_modules += modules;
        break;
      case DeviceKind::leaf:
        counts.leaf_modules += modules;
        break;
      case DeviceKind::spine:
        counts.spine_modules += modules;
        break;
      case DeviceKind::core:
        counts.core_modules += modules;
        break;
      case DeviceKind::manager:
        counts.manager_modules += modules;
        break;
    }
    add_line_cards(fabric, id, media.cabling, tally);
    if (media.schedule == nullptr) add_cables(fabric, id, media.cabling, tally);
  }
  if (media.schedule != nullptr) add_cables(*media.schedule, tally);
  return tally;
}

/// What a part is on a bill, and the power of one piece.
struct Listed {
  BomCategory category = BomCategory::management;
  Range<Watts> power;
};

template <class Part>
std::optional<Listed> listed_in(const std::map<std::string, Part, std::less<>>& parts, std::string_view id,
                                BomCategory category) {
  const auto found = parts.find(id);
  if (found == parts.end()) return std::nullopt;
  return Listed{category, found->second.power.value};
}

/// Throws InputError when the catalogue has no network part of this id.
Listed network_part(const Parts& parts, const Design& design, const SiteNetwork& network, const std::string& id) {
  for (const auto& found :
       {listed_in(parts.switches, id, BomCategory::switch_), listed_in(parts.modules, id, BomCategory::module),
        listed_in(parts.cables, id, BomCategory::cable)}) {
    if (found) return *found;
  }
  if (const auto found = parts.equipment.find(id); found != parts.equipment.end()) {
    const bool management = found->second.category == to_string(BomCategory::management);
    return {management ? BomCategory::management : BomCategory::services, found->second.power.value};
  }
  std::vector<std::string> names;
  const auto add = [&names](const auto& kind) {
    for (const auto& [name, part] : kind) names.push_back(name);
  };
  add(parts.switches), add(parts.modules), add(parts.cables), add(parts.equipment);
  throw InputError(
      fmt::format("design '{}', network '{}': no switch, module, cable or equipment '{}'", design.id, network.name, id),
      expected_names(id, names));
}

void list_site_networks(const Design& design, const Parts& parts, int nodes, BillOfMaterials& bill) {
  for (const SiteNetwork& network : design.networks) {
    for (const SiteNetworkLine& line : network.lines) {
      const Listed part = network_part(parts, design, network, line.part);
      const int quantity = pieces(network, line, nodes);
      bill.lines.push_back({line.part, part.category, false, quantity, network.name, network.evidence});
      bill.site_power += part.power * quantity;
    }
  }
}

BillOfMaterials list_all(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
                         int servers, const MediaSource& media) {
  Tally tally = count_all(fabric, design, media);
  BillOfMaterials bill;
  bill.counts = std::move(tally.counts);
  const auto add = [&](std::string_view part, BomCategory category, bool back_end, int quantity) {
    if (quantity > 0) bill.lines.push_back({std::string(part), category, back_end, quantity});
  };
  add(server.id, BomCategory::server, false, servers);
  add(server.nic, BomCategory::nic, false, servers * server.nics);
  for (const auto& [id, quantity] : tally.switches) {
    add(id, BomCategory::switch_, true, quantity);
    bill.network_power += parts.switch_part(id).power.value * quantity;
  }
  for (const auto& [id, quantity] : tally.line_cards) {
    add(id, BomCategory::switch_, true, quantity);
    bill.network_power += parts.line_card(id).power.value * quantity;
  }
  for (const auto& [id, quantity] : tally.modules) {
    add(id, BomCategory::module, true, quantity);
    bill.network_power += parts.module(id).power.value * quantity;
  }
  for (const auto& [cable, quantity] : tally.cables) {
    add(cable.first, BomCategory::cable, true, quantity);
    bill.lines.back().length = cable.second;
    bill.network_power += parts.cable(cable.first).power.value * quantity;
  }
  add(manager_part, BomCategory::management, true, static_cast<int>(fabric.count(DeviceKind::manager)));
  list_site_networks(design, parts, fabric.shape().nodes, bill);
  bill.server_power = server.power.value * servers;
  return bill;
}

}  // namespace

int switches_of(const NetworkCounts& counts, std::string_view layer) {
  for (const LayerCounts& each : counts.layers) {
    if (each.name == layer) return each.switches;
  }
  return 0;
}

std::string_view to_string(BomCategory category) {
  constexpr std::array<std::string_view, 9> names{"server",     "nic",     "switch",   "module",  "cable",
                                                  "management", "storage", "software", "services"};
  return names[static_cast<std::size_t>(category)];
}

NetworkCounts count_network(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server) {
  const Cabling cabling(design, parts, server);
  return count_all(fabric, design, {cabling}).counts;
}

BillOfMaterials list_parts(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
                           int servers) {
  const Cabling cabling(design, parts, server);
  return list_all(fabric, design, parts, server, servers, {cabling});
}

BillOfMaterials list_parts(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
                           int servers, const CableSchedule& schedule) {
  Design any_length = design;  // the schedule knows the lengths
  for (LayerMedia& media : any_length.media) media.length = media.longest = Metres{};
  const Cabling cabling(any_length, parts, server);
  return list_all(fabric, design, parts, server, servers, {cabling, &schedule});
}

}  // namespace railyard
