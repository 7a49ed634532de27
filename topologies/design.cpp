// SPDX-License-Identifier: Apache-2.0
#include "topologies/design.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "topologies/catalogue.h"
#include "topologies/reading.h"

namespace railyard {

namespace {

const std::array<std::string, 4> tier_names{"auto", "1", "2", "3"};
const std::array<std::string, 2> network_names{"infiniband", "roce"};
const std::array<std::string, 2> oversubscription_names{"fewer-uplinks", "more-downlinks"};
const std::array<std::string, 2> group_names{"pods", "rail"};
const std::array<std::string, 2> populate_names{"occupied", "full"};
const std::array<std::string, 2> fill_names{"nodes", "unit"};
const std::array<std::string, 3> join_names{"never", "spines", "cores"};
constexpr std::array<std::string_view, layer_count> layer_keys{"node_leaf", "leaf_spine", "spine_core", "spine_spine"};
constexpr std::int64_t most_planes = 16;
constexpr std::int64_t most_breakout = 8;  // lanes of a port
constexpr Limits planned_length{"0.01 m", "1000 km"};

std::size_t choice(YamlMap& map, std::string_view key, std::span<const std::string> names) {
  return map.has(key) ? map.choice(key, names) : 0;
}

LayerMedia read_layer(YamlMap& map, const Sources& sources) {
  LayerMedia media;
  media.cable = map.text("cable");
  media.upper_module = map.text("upper_module", "");
  const Figure<Metres> planned = limited_figure(map, "length", units::length, sources, planned_length);
  media.length = planned.value.typical;
  media.longest = planned.value.high;
  media.length_evidence = planned.evidence;
  if (!map.has("alternatives")) return media;
  for (YamlMap& other : map.maps("alternatives")) {
    MediaAlternative alternative;
    alternative.cable = other.text("cable");
    if (other.has("lower_modules")) alternative.lower_modules = other.texts("lower_modules");
    alternative.upper_module = other.text("upper_module", "");
    other.finish();
    media.alternatives.push_back(std::move(alternative));
  }
  return media;
}

/// Layers that every size of the design has; the rest may be left out, or must be when the topology has no such links.
bool needs_layer(const Design& design, const TopologyEntry& entry, Layer layer) {
  switch (layer) {
    case Layer::node_leaf:
      return true;
    case Layer::leaf_spine:
      return entry.global_links || design.tiers != 1;
    case Layer::spine_core:
      return !entry.global_links && (design.tiers == 0 || design.tiers == 3);
    case Layer::spine_spine:
      return entry.global_links;
  }
  return false;
}

void read_media(YamlMap& root, const Sources& sources, Design& design) {
  YamlMap media = root.map("media");
  const TopologyEntry& entry = topology(design.topology);
  for (const Layer layer : all_layers) {
    const std::string_view key = layer_keys[index_of(layer)];
    if (layer == Layer::spine_spine && !entry.global_links) continue;
    if (!media.has(key) && !needs_layer(design, entry, layer)) continue;
    YamlMap map = media.map(key);
    LayerMedia& of_layer = design.media[index_of(layer)];
    of_layer = read_layer(map, sources);
    if (layer == Layer::node_leaf) {
      if (map.has("node_modules")) design.node_modules = map.texts("node_modules");
      if (!design.node_modules.empty()) of_layer.lower_module = design.node_modules.front();
    } else {
      of_layer.lower_module = map.text("lower_module", "");
    }
    map.finish();
  }
  media.finish();
}

void read_switches(YamlMap& root, Design& design) {
  if (!root.has_map("switch")) {
    design.switch_id = root.text("switch");
    return;
  }
  YamlMap map = root.map("switch");
  design.switch_id = map.text("leaf");
  design.spine_switch_id = map.text("spine", "");
  design.core_switch_id = map.text("core", design.spine_switch_id);
  map.finish();
}

/// Options of some families only, so that none is read and then without effect.
void check_options(YamlMap& root, const Design& design) {
  const bool dragonfly = topology(design.topology).global_links;
  const auto only_for = [&](std::string_view key, bool allowed, std::string_view families) {
    if (root.has(key) && !allowed) {
      root.fail(key, fmt::format("has no meaning for {}", design.topology), fmt::format("only for {}", families));
    }
  };
  only_for("group_spines", dragonfly, "dragonfly-plus");
  only_for("global_links", dragonfly, "dragonfly-plus");
  only_for("tiers", !dragonfly, "trees: a dragonfly has leaves and spines");
  only_for("core_oversubscription", !dragonfly, "trees");
  only_for("spine_group", design.topology == "rail-fat-tree", "rail-fat-tree");
  only_for("planes_join", design.topology == "dual-tor", "dual-tor");
  if (design.ufm && design.planes > 1) {
    root.fail("ufm", "UFM ends on a fabric of several planes", "leave out ufm, or planes");
  }
  if (design.leaf_ports && root.has("oversubscription")) {
    root.fail("oversubscription", "leaf_ports fix the ratio already", "leave out one of the two");
  }
}

}  // namespace

std::string_view to_string(Layer layer) {
  constexpr std::array<std::string_view, layer_count> names{"node-leaf", "leaf-spine", "spine-core", "spine-spine"};
  return names[index_of(layer)];
}

std::string_view to_string(DeviceKind kind) {
  constexpr std::array<std::string_view, 5> names{"node", "leaf", "spine", "core", "manager"};
  return names[static_cast<std::size_t>(kind)];
}

const std::string& Design::switch_of(DeviceKind kind) const {
  const std::string& own = kind == DeviceKind::spine  ? spine_switch_id
                           : kind == DeviceKind::core ? core_switch_id
                                                      : switch_id;
  return own.empty() ? switch_id : own;
}

Design read_design(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  const Sources sources = root.sources();
  Design design;
  design.id = root.text("design");
  design.file = document.name();
  check_named_as_file(root, "design", design.id, document);
  design.description = root.text("description");
  const std::string source = root.text("source");
  if (const auto found = sources.find(source); found != sources.end()) {
    design.source = found->second.source + ", " + found->second.date;
  } else {
    std::vector<std::string> names;
    for (const auto& [name, evidence] : sources) names.push_back(name);
    root.fail_unknown("source", "source", names);
  }
  const std::vector<std::string> topologies = topology_names();
  design.topology = topologies[root.choice("topology", topologies)];
  design.fabric = network_names[root.choice("fabric", network_names)];
  read_switches(root, design);
  design.breakout = static_cast<int>(root.integer("breakout", 1, most_breakout, 1));
  design.servers = root.texts("servers");
  design.tiers = static_cast<int>(choice(root, "tiers", tier_names));
  design.planes = static_cast<int>(root.integer("planes", 1, most_planes, 1));
  design.oversubscription = root.number("oversubscription", 0.1, 64, 1);
  design.oversubscribed_by = choice(root, "oversubscribed_by", oversubscription_names) == 0
                                 ? OversubscribedBy::fewer_uplinks
                                 : OversubscribedBy::more_downlinks;
  design.core_oversubscription = root.number("core_oversubscription", 0.1, 64, 1);
  if (std::optional<YamlMap> ports = root.optional_map("leaf_ports")) {
    design.leaf_ports = {static_cast<int>(ports->integer("node", 1, most_ports)),
                         static_cast<int>(ports->integer("up", 1, most_ports))};
    ports->finish();
  }
  design.nodes_per_leaf = static_cast<int>(root.integer("nodes_per_leaf", 1, most_ports, 0));
  design.unit_nodes = static_cast<int>(root.integer("unit_nodes", 1, most_ports, 1));
  design.group_leaves = static_cast<int>(root.integer("group_leaves", 1, most_ports, 0));
  design.group_spines = static_cast<int>(root.integer("group_spines", 1, most_ports, 0));
  design.global_links = static_cast<int>(root.integer("global_links", 1, most_ports, 0));
  design.planes_join = static_cast<PlanesJoin>(choice(root, "planes_join", join_names));
  design.spine_group_by_rail = choice(root, "spine_group", group_names) == 1;
  design.reserved_ports = static_cast<int>(root.integer("reserved_ports", 0, most_ports, 0));
  design.ufm = root.flag("ufm", false);
  design.manager_module = root.text("manager_module", "");
  check_options(root, design);
  design.populate_full = choice(root, "populate", populate_names) == 1;
  design.fill_unit = choice(root, "fill", fill_names) == 1;
  read_media(root, sources, design);
  design.networks = read_site_networks(root, sources);
  root.finish();
  diagnostics.throw_if_any();
  return design;
}

std::vector<std::string> design_names(const std::filesystem::path& folder) { return yaml_names(folder); }

Design load_design(const std::filesystem::path& folder, std::string_view id) {
  return read_design(YamlDocument::load(yaml_path(folder, "design", id)));
}

const ServerPart& server_for(const Design& design, const Parts& parts, std::string_view gpu) {
  std::vector<std::string> gpus;
  for (const std::string& id : design.servers) {
    const ServerPart& server = parts.server(id);
    if (server.gpu == gpu) return server;
    if (std::find(gpus.begin(), gpus.end(), server.gpu) == gpus.end()) gpus.push_back(server.gpu);
  }
  throw InputError(fmt::format("design '{}' has no server with GPU '{}'", design.id, gpu), expected_names(gpu, gpus));
}

LayerMedia media_of(const Design& design, const Parts& parts, const ServerPart& server, Layer layer) {
  LayerMedia media = design.media[index_of(layer)];
  if (layer != Layer::node_leaf || media.cable.empty() || !parts.cable(media.cable).needs_modules) return media;
  for (const std::string& id : design.node_modules) {
    const ModulePart& module = parts.module(id);
    if (module.connector == server.connector && module.ports == server.ports_per_cage) {
      media.lower_module = id;
      return media;
    }
  }
  throw InputError(fmt::format("design '{}' has no node module for the cages of server '{}' ({}, ports per cage: {})",
                               design.id, server.id, server.connector, server.ports_per_cage),
                   "add one to media.node_leaf.node_modules");
}

}  // namespace railyard
