// SPDX-License-Identifier: Apache-2.0
// Every topology railyard can wire: one name, one sentence, one builder. A new topology is one file and one line here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabric.h"

namespace railyard {

/// What a builder wires: parts are checked against each other before it is called.
struct FabricOrder {
  const Design& design;
  const SwitchPart& switch_part;
  const ServerPart& server;
  int gpus = 0;  // a positive multiple of server.gpus
};

struct TopologyEntry {
  std::string_view name, description;
  Fabric (*build)(const FabricOrder&);
};

[[nodiscard]] std::span<const TopologyEntry> topologies();
[[nodiscard]] std::vector<std::string> topology_names();
/// The entry of this name; throws InputError with the nearest name.
[[nodiscard]] const TopologyEntry& topology(std::string_view name);

}  // namespace railyard
