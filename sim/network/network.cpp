// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network.h"

#include <map>
#include <utility>

#include "base/diagnostic.h"
#include "calibrate/profile/collective_law.h"
#include "sim/network/routes.h"
#include "sim/network/uniform_all_to_all.h"

namespace railyard {
namespace {

using Key = std::pair<Collective, GroupLayout>;

/// Every way the library has for one collective, and which links bound it where the network does.
struct LibraryWays {
  std::vector<AlgorithmCost> costs;
  LinkClass ring_where = LinkClass::none, tree_where = LinkClass::none;
};

bool climbs_trees(CollectiveAlgorithm algorithm) {
  return algorithm == CollectiveAlgorithm::tree || algorithm == CollectiveAlgorithm::nvls_tree;
}

TrafficTime answer(const LibraryWays& ways, Bytes bytes, const CollectiveLibrary& library) {
  const double size = bytes.in(byte);
  const AlgorithmCost& cost = library_choice(ways.costs, size, library);
  const double time = cost.time(size);
  const LinkClass network = climbs_trees(cost.algorithm) ? ways.tree_where : ways.ring_where;
  const double transfer = cost.transfer(size);
  const bool by_latency = time - transfer > time / 2;
  const bool by_channels = cost.by_channels || transfer > size * cost.per_byte;
  return {.time = time * second,
          .latency = cost.latency * second,
          .algorithm = to_string(cost.algorithm),
          .limit = std::string(by_latency    ? "latency"
                               : by_channels ? "channels"
                                             : to_string(cost.by_network ? network : LinkClass::scale_up)),
          .protocol = to_string(cost.protocol)};
}

constexpr TrafficTime no_traffic() {
  return {.time = {}, .latency = {}, .algorithm = "none", .limit = {}, .protocol = {}};
}

}  // namespace

struct Network::State {
  State(const Fabric& wired, const CollectiveSpeeds& link_speeds, int scale_up_gpus, const Algorithms& algorithms)
      : speeds(link_speeds),
        fabric(wired, link_speeds.efficiency),
        placement(fabric, scale_up_gpus),
        wiring{fabric, placement, speeds},
        enabled(algorithms) {}

  LibraryWays route(Collective collective, const GroupLayout& layout);
  LibraryWays route(Collective collective, std::span<const RankGroup> groups) const;
  const RoundRoute& route_rounds(const GroupLayout& layout, bool with_trees);
  [[nodiscard]] bool climbs(Collective collective) const {
    return collective == Collective::all_reduce ? enabled.tree || enabled.sharp : enabled.pat;
  }
  [[nodiscard]] LibraryWays direct(const DirectRoute& route) const {
    LibraryWays ways{{direct_cost(route.paths, speeds)}, route.where, {}};
    const bool hierarchical = enabled.hierarchical && route.paths.all_to_all && route.paths.over_network;
    if (hierarchical) ways.costs.push_back(hierarchical_all_to_all_cost(route.paths, speeds));
    if (hierarchical && enabled.only == CollectiveAlgorithm::hierarchical_all_to_all)
      ways.costs.erase(ways.costs.begin());
    return ways;
  }

  CollectiveSpeeds speeds;
  FabricMap fabric;
  Placement placement;
  Wiring wiring;
  Algorithms enabled;
  std::map<Key, LibraryWays> collectives;
  // One routing serves all collectives that go round; trees are added when an all_reduce asks.
  std::map<GroupLayout, RoundRoute> rounds;
  std::map<int, LibraryWays> sends;
};

LibraryWays Network::State::route(Collective collective, std::span<const RankGroup> groups) const {
  if (collective == Collective::all_to_all) return direct(route_uniform_all_to_all(wiring, groups));
  if (collective == Collective::send_receive) return direct(route_neighbours(wiring, groups));
  RoundRoute round = route_rings(wiring, groups);
  if (climbs(collective) && round.paths.domains > 1) route_trees(wiring, groups, round);
  return {collective_costs(collective, round.paths, speeds, enabled), round.ring_where, round.tree_where};
}

LibraryWays Network::State::route(Collective collective, const GroupLayout& layout) {
  if (collective == Collective::all_to_all || collective == Collective::send_receive)
    return route(collective, placement.groups(layout));
  const RoundRoute& round = route_rounds(layout, climbs(collective));
  return {collective_costs(collective, round.paths, speeds, enabled), round.ring_where, round.tree_where};
}

const RoundRoute& Network::State::route_rounds(const GroupLayout& layout, bool with_trees) {
  auto found = rounds.find(layout);
  if (found != rounds.end() && (!with_trees || found->second.paths.domains == 1 || found->second.paths.tree_depth > 0))
    return found->second;
  const std::vector<RankGroup> groups = placement.groups(layout);
  if (found == rounds.end()) found = rounds.emplace(layout, route_rings(wiring, groups)).first;
  if (with_trees && found->second.paths.domains > 1) route_trees(wiring, groups, found->second);
  return found->second;
}

Network::Network(const Fabric& fabric, const Profile& profile, Speed speed, std::string_view fabric_kind,
                 int scale_up_gpus, ScaleUpKind scale_up, Algorithms enabled)
    : state_(std::make_unique<State>(
          fabric, CollectiveSpeeds(profile.collective(fabric_kind), speed, scale_up == ScaleUpKind::mesh),
          scale_up_gpus, enabled)) {}

Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

TrafficTime Network::collective(Collective collective, Bytes bytes, const GroupLayout& groups) const {
  if (groups.size == 1) return no_traffic();
  const Key key{collective, groups};
  auto found = state_->collectives.find(key);
  if (found == state_->collectives.end()) {
    found = state_->collectives.emplace(key, state_->route(collective, groups)).first;
  }
  return answer(found->second, bytes, *state_->speeds.library);
}

std::vector<TrafficTime> Network::collective(Collective collective, std::span<const Bytes> sizes,
                                             std::span<const int> gpus) const {
  std::vector<RankGroup> groups;
  groups.push_back(state_->placement.group(gpus));
  const LibraryWays ways = state_->route(collective, groups);
  std::vector<TrafficTime> times;
  for (const Bytes bytes : sizes) times.push_back(answer(ways, bytes, *state_->speeds.library));
  return times;
}

TrafficTime Network::send(Bytes bytes, int stride) const {
  const int gpus = state_->fabric.gpus();
  const int shift = (stride % gpus + gpus) % gpus;
  if (shift == 0) return no_traffic();
  auto found = state_->sends.find(shift);
  if (found == state_->sends.end()) {
    found = state_->sends.emplace(shift, state_->direct(route_shift(state_->wiring, shift))).first;
  }
  return answer(found->second, bytes, *state_->speeds.library);
}

}  // namespace railyard
