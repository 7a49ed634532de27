// SPDX-License-Identifier: Apache-2.0
// What must be bought for a wired fabric, counted from its graph.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabric.h"

namespace railyard {

struct LayerCounts {
  std::string name;  // leaf, spine, core
  int switches = 0;
  int links_down = 0, links_up = 0;  // totals of the layer
  int links_across = 0;              // global links between the groups of a dragonfly
};

/// Counts of the back-end network, all from the graph.
struct NetworkCounts {
  std::vector<LayerCounts> layers;       // only layers that exist
  std::array<int, layer_count> links{};  // node_leaf (management ends included), leaf_spine, spine_core, spine_spine
  std::map<std::string, int> cables_by_medium;
  int cables = 0;
  int node_modules = 0, leaf_modules = 0, spine_modules = 0, core_modules = 0, manager_modules = 0;
  int switches = 0;
  int tiers = 0;
};

/// Switches of a layer by its name, 0 where there is no such layer.
[[nodiscard]] int switches_of(const NetworkCounts& counts, std::string_view layer);

enum class BomCategory { server, nic, switch_, module, cable, management, storage, software, services };
[[nodiscard]] std::string_view to_string(BomCategory category);

/// The part of a management end, one an end; it is priced, but has no entry in the catalogue of parts.
inline constexpr std::string_view manager_part = "ufm-appliance";

struct BomLine {
  std::string part;  // part id
  BomCategory category = BomCategory::server;
  bool back_end = true;  // part of the back-end network (servers are not, nor NICs: their power is the server's)
  int quantity = 0;
  std::string network = {};  // storage, in-band, out-of-band: counted by the design's rule; else empty
  Evidence evidence = {};    // of such a rule
  Metres length = {};        // cables of a schedule: the length bought; else zero
};

struct BillOfMaterials {
  std::vector<BomLine> lines;  // one line a part, category and network, in a fixed order
  NetworkCounts counts;
  Range<Watts> network_power;  // switches and modules (both ends) and active cables of the back-end network
  Range<Watts> server_power;   // provisioned, all servers with NICs, without modules
  Range<Watts> site_power;     // switches, modules and active cables of the networks beside the back end
};

/// Lists the parts of a wired fabric, and those of the design's networks beside it for its nodes. `servers` counts the
/// boxes bought (spares too); `fabric` fixes the networks.
[[nodiscard]] BillOfMaterials list_parts(const Fabric& fabric, const Design& design, const Parts& parts,
                                         const ServerPart& server, int servers);

/// The counts alone.
[[nodiscard]] NetworkCounts count_network(const Fabric& fabric, const Design& design, const Parts& parts,
                                          const ServerPart& server);

}  // namespace railyard
