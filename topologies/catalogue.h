// SPDX-License-Identifier: Apache-2.0
// Every topology railyard can wire: one name, one sentence, one builder. A new topology is one file and one line here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabric.h"

namespace railyard {

/// What a builder wires: parts are checked against each other before it is called.
struct FabricOrder {
  const Design& design;
  const SwitchPart& leaf_switch;
  const SwitchPart& spine_switch;
  const SwitchPart& core_switch;
  const ServerPart& server;
  int gpus = 0;  // a positive multiple of server.gpus
};

/// Why an order cannot be built: "do not fit 3 tiers of qm9700 with 64 ports".
struct Misfit {
  std::string what;
  std::int64_t limit = 0;  // GPUs that would fit; 0: none
  std::string room_of;   // not empty: `limit` is the room there, and more may fit elsewhere ("which takes another pod")
  std::string why = {};  // where nothing fits at all: the ports that are short
};

struct TopologyEntry {
  std::string_view name, description;
  /// Throws InputError when parts and options do not suit the family at any size.
  std::optional<Misfit> (*misfit)(const FabricOrder&);
  /// Wires an order that fits.
  Fabric (*build)(const FabricOrder&);
  bool global_links = false;  // between spines, instead of a core layer
};

[[nodiscard]] std::span<const TopologyEntry> topologies();
[[nodiscard]] std::vector<std::string> topology_names();
/// The entry of this name; throws InputError with the nearest name.
[[nodiscard]] const TopologyEntry& topology(std::string_view name);

}  // namespace railyard
