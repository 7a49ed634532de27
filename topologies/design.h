// SPDX-License-Identifier: Apache-2.0
// A design: the recipe that yields a fabric for any number of GPUs. Data: topologies/designs/*.yaml.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "topologies/parts.h"
#include "topologies/site_network.h"

namespace railyard {

enum class DeviceKind : std::uint8_t { node, leaf, spine, core, manager };
[[nodiscard]] std::string_view to_string(DeviceKind kind);

/// Link layers from the nodes upwards; spine-spine are the global links between the groups of a dragonfly.
enum class Layer : std::uint8_t { node_leaf, leaf_spine, spine_core, spine_spine };
inline constexpr int layer_count = 4;
inline constexpr std::array all_layers{Layer::node_leaf, Layer::leaf_spine, Layer::spine_core, Layer::spine_spine};
[[nodiscard]] constexpr std::size_t index_of(Layer layer) { return static_cast<std::size_t>(layer); }
[[nodiscard]] std::string_view to_string(Layer layer);  // node-leaf, leaf-spine, spine-core, spine-spine

/// Another way to make the links of a layer, taken where a floor plan knows the lengths and it is cheaper.
struct MediaAlternative {
  std::string cable;
  std::vector<std::string> lower_modules;  // the one that fits the lower cages is used; none with copper
  std::string upper_module;
};

/// What the links of one layer are made of; all empty for a layer that the tiers of the design leave out.
struct LayerMedia {
  std::string cable;         // part id
  std::string lower_module;  // part ids; empty when the cable brings its ends
  std::string upper_module;
  Metres length;   // planning length
  Metres longest;  // upper end of its range, checked against reach
  Evidence length_evidence;
  std::vector<MediaAlternative> alternatives;
};

/// How a two-tier oversubscription is made (ratio 1 is non-blocking; below 1 has more uplinks than downlinks).
enum class OversubscribedBy { fewer_uplinks, more_downlinks };

/// Where the planes of a design meet: nowhere, in the spines (two leaves for each rail, one set of spines) or in the
/// cores.
enum class PlanesJoin : std::uint8_t { never, spines, cores };

/// Ports of a leaf: NIC ports towards nodes, and uplinks.
struct LeafPorts {
  int down = 0, up = 0;
};

struct Design {
  std::string id, description, source;
  std::string file;       // it was read from; for messages
  std::string topology;   // a name of topologies/catalogue.h, e.g. rail-fat-tree
  std::string fabric;     // infiniband, roce
  std::string switch_id;  // of the leaves, and of the layers above where they name no other
  std::string spine_switch_id, core_switch_id;
  int breakout = 1;                  // NIC links that one node-facing port of a leaf is split into
  std::vector<std::string> servers;  // servers this design takes; the first whose GPU matches is used
  int tiers = 0;                     // 0: the fewest of 1, 2, 3 that hold the GPUs
  int planes = 1;                    // disjoint fabrics alike; each takes one of a GPU's NIC ports
  double oversubscription = 1;
  OversubscribedBy oversubscribed_by = OversubscribedBy::fewer_uplinks;
  double core_oversubscription = 1;        // downlinks to uplinks of a spine
  std::optional<LeafPorts> leaf_ports;     // fixed by the leaf switch or the recipe, instead of a ratio
  int nodes_per_leaf = 0;                  // most; 0: as many as fit
  int unit_nodes = 1;                      // nodes bought together and kept in one pod: the trays of a rack
  int group_leaves = 0, group_spines = 0;  // of a spine group or dragonfly group; 0: as many as fit
  int global_links = 0;                    // dragonfly: between each two groups; 0: as many as fit
  PlanesJoin planes_join = PlanesJoin::never;
  bool spine_group_by_rail = false;  // three tiers: leaves of one rail form the groups (default: of pods)
  int reserved_ports = 0;            // per leaf, kept free
  bool ufm = false;                  // four UFM ends on leaf ports
  bool populate_full = false;        // modules in every cage instead of the occupied ones
  bool fill_unit = false;            // wire nodes that would complete the last pod
  std::array<LayerMedia, layer_count> media;
  // Modules a node may carry, one for each kind of cage; media[node_leaf].lower_module is the first.
  std::vector<std::string> node_modules;
  std::string manager_module;         // module of a UFM end; needed with ufm
  std::vector<SiteNetwork> networks;  // beside the back end

  /// Part id of the switches of a layer: leaf, spine or core.
  [[nodiscard]] const std::string& switch_of(DeviceKind kind) const;
};

/// Reads one design. Throws InputError.
[[nodiscard]] Design read_design(const YamlDocument& document);

/// What would keep a design from being wired with these parts: names that none of them has (with the nearest ones),
/// else ends that do not fit, for each of its servers. Empty for a sound design.
[[nodiscard]] std::vector<Diagnostic> design_faults(const Design& design, const Parts& parts);

/// Ids of the designs in a folder, sorted.
[[nodiscard]] std::vector<std::string> design_names(const std::filesystem::path& folder);

/// Reads folder/id.yaml; an unknown id is an InputError with the nearest name.
[[nodiscard]] Design load_design(const std::filesystem::path& folder, std::string_view id);

/// The server of the design for this GPU; throws InputError naming the GPUs the design takes.
[[nodiscard]] const ServerPart& server_for(const Design& design, const Parts& parts, std::string_view gpu);

/// The media of a layer with the module that fits the cages of this server: lower_module is empty when the cable brings
/// its ends or the design leaves the layer out. Throws InputError when the design has no module for these cages.
[[nodiscard]] LayerMedia media_of(const Design& design, const Parts& parts, const ServerPart& server, Layer layer);

}  // namespace railyard
