// SPDX-License-Identifier: Apache-2.0
#include "topologies/site_network.h"

namespace railyard {

namespace {

// So that the pieces of the largest cluster (4 Mi nodes) can be counted.
constexpr std::int64_t most_a_node = 64;  // of a node, and of a unit for each of its nodes
constexpr std::int64_t most_a_cluster = 1'000'000;
constexpr std::int64_t most_unit_nodes = 1 << 16;

int pieces_key(YamlMap& map, std::string_view key, std::int64_t most) {
  return static_cast<int>(map.integer(key, 0, most, 0));
}

Evidence read_evidence(YamlMap& map, const Sources& sources) {
  Evidence evidence;
  evidence.kind = map.has("assumed") ? EvidenceKind::assumed : EvidenceKind::sourced;
  evidence.rule = map.text(map.has("assumed") ? "assumed" : "derived", "");
  const std::string id = map.text("source");
  if (const auto found = sources.find(id); found != sources.end()) {
    evidence.source = found->second.source;
    evidence.date = found->second.date;
    return evidence;
  }
  std::vector<std::string> names;
  for (const auto& [name, source] : sources) names.push_back(name);
  map.fail_unknown("source", "source", names);
  return evidence;
}

}  // namespace

int pieces(const SiteNetwork& network, const SiteNetworkLine& line, int nodes) {
  const int units = (nodes + network.unit_nodes - 1) / network.unit_nodes;
  return line.of_node * nodes + line.of_unit * units + line.of_cluster;
}

std::vector<SiteNetwork> read_site_networks(YamlMap& root, const Sources& sources) {
  std::vector<SiteNetwork> networks;
  std::optional<YamlMap> all = root.optional_map("networks");
  if (!all) return networks;
  for (const std::string& name : all->keys()) {
    YamlMap map = all->map(name);
    SiteNetwork network;
    network.name = name;
    network.unit_nodes = static_cast<int>(map.integer("unit_nodes", 1, most_unit_nodes, 1));
    network.evidence = read_evidence(map, sources);
    YamlMap parts = map.map("parts");
    for (const std::string& part : parts.keys()) {
      YamlMap counts = parts.map(part);
      SiteNetworkLine line;
      line.part = part;
      line.of_node = pieces_key(counts, "node", most_a_node);
      line.of_unit = pieces_key(counts, "unit", most_a_node * network.unit_nodes);
      line.of_cluster = pieces_key(counts, "cluster", most_a_cluster);
      counts.finish();
      if (line.of_node + line.of_unit + line.of_cluster == 0) {
        parts.fail(part, "no pieces", "expected a count for 'node', 'unit' or 'cluster'");
      }
      network.lines.push_back(line);
    }
    parts.finish();
    map.finish();
    networks.push_back(std::move(network));
  }
  all->finish();
  return networks;
}

}  // namespace railyard
