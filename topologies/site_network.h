// SPDX-License-Identifier: Apache-2.0
// Networks beside the back end (storage, in-band, out-of-band) and the rest of a site (management servers, racks, power
// distribution): counted by a rule from the number of nodes, not wired.
#pragma once

#include <string>
#include <vector>

#include "base/evidence.h"
#include "base/yaml_reader.h"

namespace railyard {

/// Pieces of one part: of_node * nodes + of_unit * units + of_cluster.
struct SiteNetworkLine {
  std::string part;  // a switch, module, cable, NIC or equipment
  int of_node = 0, of_unit = 0, of_cluster = 0;
};

struct SiteNetwork {
  std::string name;    // storage, in-band, out-of-band, infrastructure
  int unit_nodes = 1;  // nodes of a scalable unit; a unit begun counts
  std::vector<SiteNetworkLine> lines;
  Evidence evidence;  // of the rule
};

/// Pieces of one line for a cluster of `nodes` nodes.
[[nodiscard]] int pieces(const SiteNetwork& network, const SiteNetworkLine& line, int nodes);

/// Reads the `networks` map of a design (topologies/FORMAT.md); nothing when there is none.
[[nodiscard]] std::vector<SiteNetwork> read_site_networks(YamlMap& root, const Sources& sources);

}  // namespace railyard
