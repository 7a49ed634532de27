// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/paths.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "sim/network/flow/hashed_ways.h"
#include "sim/network/flow/mix.h"
#include "sim/network/flow/resources.h"

namespace railyard {
namespace {

/// A part of a message: out of one NIC port, into another.
struct Leg {
  int from = 0, to = 0;  // ports
  double fraction = 1;
};

/// Where flows are put together, one after the other.
struct Desk {
  std::vector<Use> own, way;
  std::vector<PathUse> paths;
  std::vector<Leg> legs;
  std::unordered_map<std::uint64_t, PathId> known;  // by classes of leaves
};

}  // namespace

struct FlowNetwork::State {
  State(const Fabric& wired, const EndLimits& limits, const RoutingRule& routing)
      : fabric(wired), ends(limits), rule(routing), classes(fabric), ways(classes), table(fabric, classes, ends, rule) {
    if (rule.spreading == Spreading::hashed) {
      hashed.emplace(fabric, classes, ways, table.resource_of_links());
    }
  }

  Fabric fabric;
  EndLimits ends;
  RoutingRule rule;
  SwitchClasses classes;
  Ways ways;
  ResourceTable table;
  std::optional<HashedWays> hashed;

  [[nodiscard]] int domain(int gpu) const { return gpu / ends.scale_up_gpus; }
  [[nodiscard]] int steps(int from_port, int to_port) const {
    return ways.towards(classes.class_of(table.port(to_port).leaf)).steps(classes.class_of(table.port(from_port).leaf));
  }
  [[nodiscard]] DeviceId first_leaf(int gpu) const { return table.port(table.live_port(gpu)).leaf; }
  void find_legs(int from, int to, std::vector<Leg>& legs) const;
  /// The GPU by whose NIC a message leaves: the sender, or another of its domain.
  [[nodiscard]] int find_relay(int from, int to, std::vector<Leg>& legs) const;
  [[noreturn]] void refuse(int from, int to) const;
  [[nodiscard]] PathId sprayed_path(DeviceId from_leaf, DeviceId to_leaf, Desk& desk, FlowSet& flows) const;
  void add_hashed(const Message& message, std::size_t order, const Leg& leg, Desk& desk) const;
};

void FlowNetwork::State::find_legs(int from, int to, std::vector<Leg>& legs) const {
  legs.clear();
  double sum = 0;
  const auto add = [&](int from_port, int to_port) {
    if (from_port < 0 || to_port < 0 || steps(from_port, to_port) < 0) return;
    const double passes = std::min(table.port(from_port).bandwidth, table.port(to_port).bandwidth);
    legs.push_back({from_port, to_port, passes});
    sum += passes;
  };
  const int planes = table.planes();
  for (int plane = 0; plane < planes; ++plane) add(table.port_of(from, plane), table.port_of(to, plane));
  // Planes that are joined somewhere above: any port reaches any other.
  for (int out = 0; legs.empty() && out < planes; ++out) {
    for (int in = 0; in < planes; ++in) {
      if (in != out) add(table.port_of(from, out), table.port_of(to, in));
    }
  }
  for (Leg& leg : legs) leg.fraction /= sum;
}

int FlowNetwork::State::find_relay(int from, int to, std::vector<Leg>& legs) const {
  if (table.live_port(to) < 0) table.refuse_gpu(to);
  const int node = fabric.shape().gpus_per_node;
  int relay = from;
  const DeviceId to_leaf = first_leaf(to);
  const bool own_port = table.live_port(from) >= 0;
  const bool same_leaf = own_port && first_leaf(from) == to_leaf;
  if (rule.change_rails && fabric.device(to_leaf).rail >= 0 && !same_leaf) {
    const int same_rail = from / node * node + to % node;
    if (domain(same_rail) == domain(from) && table.live_port(same_rail) >= 0) relay = same_rail;
  }
  if (relay == from && !own_port) table.refuse_gpu(from);
  find_legs(relay, to, legs);
  if (!legs.empty()) return relay;
  // The way is broken: any other GPU of the domain that still has one.
  const int first = domain(from) * ends.scale_up_gpus, last = std::min(first + ends.scale_up_gpus, table.gpus());
  for (int gpu = first; rule.change_rails && gpu < last; ++gpu) {
    if (gpu == relay) continue;
    find_legs(gpu, to, legs);
    if (!legs.empty()) return gpu;
  }
  refuse(from, to);
}

void FlowNetwork::State::refuse(int from, int to) const {
  throw InputError(fmt::format("GPU {} cannot reach GPU {}: no switch links {} to {}{}", from, to,
                               table.leaf_name(first_leaf(from)), table.leaf_name(first_leaf(to)),
                               rule.change_rails ? ", nor is there a way by another GPU of its scale-up domain" : ""),
                   "a fabric in which every two GPUs that talk are linked");
}

FlowNetwork::FlowNetwork(const Fabric& fabric, const EndLimits& ends, const RoutingRule& rule)
    : state_(std::make_unique<State>(fabric, ends, rule)) {}
FlowNetwork::~FlowNetwork() = default;
FlowNetwork::FlowNetwork(FlowNetwork&&) noexcept = default;
FlowNetwork& FlowNetwork::operator=(FlowNetwork&&) noexcept = default;

std::span<const double> FlowNetwork::capacities() const { return state_->table.capacities(); }
ResourceKind FlowNetwork::kind(ResourceId resource) const { return state_->table.kind(resource); }
std::string FlowNetwork::name(ResourceId resource) const { return state_->table.name(resource); }
int FlowNetwork::gpus() const { return state_->table.gpus(); }
int FlowNetwork::domain(int gpu) const { return state_->domain(gpu); }

void FlowNetwork::reseed(std::uint64_t seed) { state_->rule.seed = seed; }

PathId FlowNetwork::State::sprayed_path(DeviceId from_leaf, DeviceId to_leaf, Desk& desk, FlowSet& flows) const {
  const int from = classes.class_of(from_leaf), to = classes.class_of(to_leaf);
  const auto [entry, fresh] =
      desk.known.try_emplace(static_cast<std::uint64_t>(from) << 32U | static_cast<std::uint64_t>(to));
  if (fresh) {
    desk.way.clear();
    ways.spray(from, to, table.first_bundle(), desk.way);
    entry->second = flows.add_path(desk.way);
  }
  return entry->second;
}

void FlowNetwork::State::add_hashed(const Message& message, std::size_t order, const Leg& leg, Desk& desk) const {
  const DeviceId from = table.port(leg.from).leaf, to = table.port(leg.to).leaf;
  // By GPU and plane, so that a failure elsewhere changes nobody's hash; two messages between the same ends are two
  // connections.
  const auto plane = static_cast<std::uint64_t>(fabric.device(from).plane);
  const std::uint64_t ends_hash = mixed(
      mixed(static_cast<std::uint64_t>(message.from) << 32U | static_cast<std::uint64_t>(message.to), plane), order);
  for (int connection = 0; connection < rule.connections; ++connection) {
    hashed->add(from, to, mixed(ends_hash, static_cast<std::uint64_t>(connection)), rule.seed,
                leg.fraction / rule.connections, desk.own);
  }
}

RoutedMessages FlowNetwork::route(std::span<const Message> messages) const {
  const State& s = *state_;
  RoutedMessages routed;
  routed.switches.reserve(messages.size());
  routed.relayed.reserve(messages.size());
  Desk desk;
  for (std::size_t order = 0; order < messages.size(); ++order) {
    const Message& message = messages[order];
    const int from = message.from, to = message.to;
    assert(from >= 0 && from < gpus() && to >= 0 && to < gpus());
    desk.own.clear();
    desk.paths.clear();
    int switches = 0, relay = from;
    if (from != to) s.table.add_library(from, desk.own);
    if (from != to && s.domain(from) == s.domain(to)) {
      s.table.add_scale_up(from, to, desk.own);
    } else if (from != to) {
      relay = s.find_relay(from, to, desk.legs);
      if (relay != from) s.table.add_scale_up(from, relay, desk.own);
      s.table.add_pcie(relay, to, desk.own);
      for (const Leg& leg : desk.legs) {
        s.table.add_nic(leg.from, leg.to, leg.fraction, desk.own);
        switches = std::max(switches, 1 + s.steps(leg.from, leg.to));
        const DeviceId from_leaf = s.table.port(leg.from).leaf, to_leaf = s.table.port(leg.to).leaf;
        if (from_leaf == to_leaf) continue;
        if (s.hashed) {
          s.add_hashed(message, order, leg, desk);
        } else {
          desk.paths.push_back({s.sprayed_path(from_leaf, to_leaf, desk, routed.flows), leg.fraction});
        }
      }
    }
    routed.flows.add(desk.own, desk.paths);
    routed.switches.push_back(static_cast<std::uint8_t>(switches));
    routed.relayed.push_back(relay != from ? 1 : 0);
  }
  return routed;
}

}  // namespace railyard
