// SPDX-License-Identifier: Apache-2.0
#include "sim/network/algorithms.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace railyard {
namespace {

// Share of the links' bandwidth that NCCL gives trees in its tuning (src/graph/tuning.cc, "min(0.92 x bw, ...)").
constexpr double tree_share = 0.92;

/// Times a collective of rings sends its bytes all the way round.
int rounds(Collective collective) { return collective == Collective::all_reduce ? 2 : 1; }

}  // namespace

double AlgorithmCost::time(double bytes) const {
  const double transfer = bytes * per_byte;
  return latency + transfer + 2 * std::sqrt(pipelined * transfer);
}

AlgorithmCost ring_cost(Collective collective, int ranks, const RingRoute& route, const LinkSpeeds& speeds) {
  return {.name = "ring",
          .latency = speeds.base_latency + rounds(collective) * route.pass,
          .pipelined = collective == Collective::broadcast ? route.pass : 0,
          .per_byte = bus_bandwidth_factor(collective, ranks) * route.all.congestion,
          .where = route.all.where};
}

AlgorithmCost hierarchical_cost(Collective collective, int ranks, const RingRoute& route, const LinkSpeeds& speeds) {
  assert(route.even && route.domains > 1 && route.ranks_per_domain > 1);
  // all_gather of S over N domains of p ranks: a rank gathers S (N-1) / (N p) over its own rail, where p rings share
  // the links as the channels of the flat ring do, so that the same congestion holds for S (N-1) / N; then S (p-1) / p
  // inside. reduce_scatter is the same backwards, all_reduce is both.
  const double n = route.domains, p = route.ranks_per_domain;
  assert(route.domains * route.ranks_per_domain == ranks);
  static_cast<void>(ranks);
  const double outside = (n - 1) / n * route.network.congestion;
  const double inside = (p - 1) / p / speeds.ring_of(route.ranks_per_domain);
  return {.name = "hierarchical ring",
          .latency = speeds.base_latency + rounds(collective) * (route.domain_pass + route.network_pass),
          .pipelined = 0,
          .per_byte = rounds(collective) * (outside + inside),
          .where = outside >= inside ? route.network.where : LinkClass::scale_up};
}

AlgorithmCost tree_cost(const TreeRoute& route, const LinkSpeeds& speeds) {
  return {.name = "tree",
          .latency = speeds.base_latency + route.path,
          .pipelined = route.path,
          .per_byte = route.all.congestion / tree_share,
          .where = route.all.where};
}

AlgorithmCost direct_cost(const DirectRoute& route, const LinkSpeeds& speeds) {
  return {.name = "direct",
          .latency = speeds.base_latency + route.hop,
          .pipelined = 0,
          .per_byte = route.all.congestion,
          .where = route.all.where};
}

TrafficTime fastest(const std::vector<AlgorithmCost>& costs, Bytes bytes) {
  assert(!costs.empty() && bytes >= Bytes{});
  const double size = bytes.in(byte);
  const AlgorithmCost* best = nullptr;
  double best_time = 0;
  for (const AlgorithmCost& cost : costs) {
    const double time = cost.time(size);
    if (best == nullptr || time < best_time) {
      best = &cost;
      best_time = time;
    }
  }
  const bool by_latency = best_time - size * best->per_byte > best_time / 2;
  return {.time = best_time * second,
          .latency = best->latency * second,
          .algorithm = best->name,
          .limit = std::string(by_latency ? "latency" : to_string(best->where))};
}

}  // namespace railyard
