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
const std::array<std::string, 2> fabric_names{"infiniband", "roce"};
const std::array<std::string, 2> oversubscription_names{"fewer-uplinks", "more-downlinks"};
const std::array<std::string, 2> group_names{"pods", "rail"};
const std::array<std::string, 2> populate_names{"occupied", "full"};
const std::array<std::string, 2> fill_names{"nodes", "unit"};
constexpr std::array<std::string_view, layer_count> layer_keys{"node_leaf", "leaf_spine", "spine_core"};
constexpr std::int64_t most_planes = 16;
constexpr Limits length{"0.01 m", "1000 km"};

std::size_t choice(YamlMap& map, std::string_view key, std::span<const std::string> names) {
  return map.has(key) ? map.choice(key, names) : 0;
}

LayerMedia read_layer(YamlMap& map, const Sources& sources) {
  LayerMedia media;
  media.cable = map.text("cable");
  media.upper_module = map.text("upper_module", "");
  const Figure<Metres> planned = limited_figure(map, "length", units::length, sources, length);
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

void read_media(YamlMap& root, const Sources& sources, Design& design) {
  YamlMap media = root.map("media");
  const std::size_t tiers = design.tiers == 0 ? layer_keys.size() : static_cast<std::size_t>(design.tiers);
  for (std::size_t layer = 0; layer < layer_keys.size(); ++layer) {
    if (!media.has(layer_keys[layer]) && layer >= tiers) continue;
    YamlMap map = media.map(layer_keys[layer]);
    design.media[layer] = read_layer(map, sources);
    if (layer == index_of(Layer::node_leaf)) {
      if (map.has("node_modules")) design.node_modules = map.texts("node_modules");
      if (!design.node_modules.empty()) design.media[layer].lower_module = design.node_modules.front();
    } else {
      design.media[layer].lower_module = map.text("lower_module", "");
    }
    map.finish();
  }
  media.finish();
}

}  // namespace

std::string_view to_string(Layer layer) {
  constexpr std::array<std::string_view, layer_count> names{"node-leaf", "leaf-spine", "spine-core"};
  return names[index_of(layer)];
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
  design.fabric = fabric_names[root.choice("fabric", fabric_names)];
  design.switch_id = root.text("switch");
  design.servers = root.texts("servers");
  design.tiers = static_cast<int>(choice(root, "tiers", tier_names));
  design.planes = static_cast<int>(root.integer("planes", 1, most_planes, 1));
  design.oversubscription = root.number("oversubscription", 0.1, 64, 1);
  design.oversubscribed_by = choice(root, "oversubscribed_by", oversubscription_names) == 0
                                 ? OversubscribedBy::fewer_uplinks
                                 : OversubscribedBy::more_downlinks;
  design.spine_group_by_rail = choice(root, "spine_group", group_names) == 1;
  design.reserved_ports = static_cast<int>(root.integer("reserved_ports", 0, 4096, 0));
  design.ufm = root.flag("ufm", false);
  design.manager_module = root.text("manager_module", "");
  if (design.ufm && design.planes > 1) {
    root.fail("ufm", "UFM ends on a fabric of several planes", "leave out ufm, or planes");
  }
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
