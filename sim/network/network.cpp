// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network.h"

#include <map>
#include <utility>

#include "base/diagnostic.h"
#include "sim/network/algorithms.h"

namespace railyard {
namespace {

using Key = std::pair<Collective, GroupLayout>;

}  // namespace

struct Network::State {
  State(const Fabric& wired, const LinkSpeeds& link_speeds, int scale_up_gpus, Algorithms algorithms)
      : speeds(link_speeds),
        fabric(wired, link_speeds.efficiency),
        placement(fabric, scale_up_gpus),
        wiring{fabric, placement, speeds},
        enabled(algorithms) {}

  std::vector<AlgorithmCost> route(Collective collective, const GroupLayout& layout);
  std::vector<AlgorithmCost> route_rounds(Collective collective, const GroupLayout& layout);

  LinkSpeeds speeds;
  FabricMap fabric;
  Placement placement;
  Wiring wiring;
  Algorithms enabled;
  std::map<Key, std::vector<AlgorithmCost>> collectives;
  std::map<GroupLayout, RingRoute> rings;  // one routing serves all collectives that go round
  std::map<int, AlgorithmCost> sends;
};

std::vector<AlgorithmCost> Network::State::route(Collective collective, const GroupLayout& layout) {
  switch (collective) {
    case Collective::all_to_all:
      return {direct_cost(route_all_to_all(wiring, placement.groups(layout)), speeds)};
    case Collective::send_receive:
      return {direct_cost(route_neighbours(wiring, placement.groups(layout)), speeds)};
    case Collective::all_reduce:
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::broadcast:
      break;
  }
  return route_rounds(collective, layout);
}

std::vector<AlgorithmCost> Network::State::route_rounds(Collective collective, const GroupLayout& layout) {
  const std::vector<RankGroup> groups = placement.groups(layout);
  auto found = rings.find(layout);
  if (found == rings.end()) found = rings.emplace(layout, route_rings(wiring, groups)).first;
  const RingRoute& ring = found->second;
  const bool several_domains = ring.domains > 1 || !ring.even;
  std::vector<AlgorithmCost> costs;
  if (enabled.hierarchical && ring.even && several_domains && ring.ranks_per_domain > 1 &&
      collective != Collective::broadcast) {
    costs.push_back(hierarchical_cost(collective, layout.size, ring, speeds));
  }
  if (enabled.tree && several_domains && collective == Collective::all_reduce) {
    costs.push_back(tree_cost(route_trees(wiring, groups), speeds));
  }
  // Ring is the library's last resort: every collective has it.
  if (enabled.ring || costs.empty()) costs.push_back(ring_cost(collective, layout.size, ring, speeds));
  return costs;
}

Network::Network(const Fabric& fabric, const Profile& profile, Speed speed, std::string_view fabric_kind,
                 int scale_up_gpus, ScaleUpKind scale_up, Algorithms enabled)
    : state_(std::make_unique<State>(fabric, LinkSpeeds(profile.collective(fabric_kind), speed, scale_up),
                                     scale_up_gpus, enabled)) {}

Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

TrafficTime Network::collective(Collective collective, Bytes bytes, const GroupLayout& groups) const {
  if (groups.size == 1) return {.time = {}, .latency = {}, .algorithm = "none", .limit = {}};
  const Key key{collective, groups};
  auto found = state_->collectives.find(key);
  if (found == state_->collectives.end()) {
    found = state_->collectives.emplace(key, state_->route(collective, groups)).first;
  }
  return fastest(found->second, bytes);
}

TrafficTime Network::send(Bytes bytes, int stride) const {
  const int gpus = state_->fabric.gpus();
  const int shift = (stride % gpus + gpus) % gpus;
  if (shift == 0) return {.time = {}, .latency = {}, .algorithm = "none", .limit = {}};
  auto found = state_->sends.find(shift);
  if (found == state_->sends.end()) {
    found = state_->sends.emplace(shift, direct_cost(route_shift(state_->wiring, shift), state_->speeds)).first;
  }
  return fastest({found->second}, bytes);
}

}  // namespace railyard
