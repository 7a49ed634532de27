// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/collective_law.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace railyard {
namespace {

// NCCL's corrections of tree bandwidth over powers of two from 64 B on (tuning.cc, treeCorrectionFactor): LL, LL128,
// Simple.
constexpr int corrections = 24;
constexpr std::array<std::array<double, corrections>, protocol_count> tree_correction{
    {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
     {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}}};
// And of the latency of long rings over the network under Simple ("plateau effect"), since Ampere.
constexpr double plateau = 1.4;

}  // namespace

CollectiveSpeeds::CollectiveSpeeds(const CollectiveParameters& parameters, Speed speed, bool is_mesh) : mesh(is_mesh) {
  const Scenario rate = speed == Speed::slow   ? Scenario::low
                        : speed == Speed::fast ? Scenario::high
                                               : Scenario::typical;
  const Scenario delay = speed == Speed::slow   ? Scenario::high
                         : speed == Speed::fast ? Scenario::low
                                                : Scenario::typical;
  library = parameters.library != nullptr ? parameters.library : &collective_library("plain");
  ring = pick(parameters.scale_up_ring.value, rate).in(byte / second);
  link = pick(parameters.scale_up_link.value, rate).in(byte / second);
  if (parameters.scale_up_reduction) reduction = pick(parameters.scale_up_reduction->value, rate).in(byte / second);
  efficiency = pick(parameters.scale_out_efficiency.value, rate);
  if (parameters.tree_share) tree_share = pick(parameters.tree_share->value, rate);
  if (parameters.all_to_all_share) all_to_all_share = pick(parameters.all_to_all_share->value, rate);
  base_latency = pick(parameters.base_latency.value, delay).in(second);
  scale_up_hop = pick(parameters.scale_up_hop.value, delay).in(second);
  scale_out_hop = pick(parameters.scale_out_hop.value, delay).in(second);
  switch_latency = pick(parameters.switch_latency.value, delay).in(second);
  if (parameters.pipelining) pipelining = pick(parameters.pipelining->value, delay).in(second);
  if (parameters.message_gap) message_gap = pick(parameters.message_gap->value, delay).in(second);
  if (parameters.network_step) network_step = pick(parameters.network_step->value, delay).in(second);
  if (parameters.channel) channel = pick(parameters.channel->value, rate).in(byte / second);
}

double CollectiveSpeeds::ring_of(int ranks) const { return mesh ? std::min(ring, (ranks - 1) * link) : ring; }

double CollectiveSpeeds::chain_of(int ranks) const {
  return mesh && ranks > 1 ? ring_of(ranks) * ranks / (ranks - 1) : ring;
}

double CollectiveSpeeds::start(CollectiveProtocol protocol) const {
  return base_latency + library->start_over_quick[static_cast<std::size_t>(protocol)];
}

double CollectiveSpeeds::inside(double constant) const {
  return library->plain ? scale_up_hop : constant * scale_up_hop / library->inside_reference;
}

double CollectiveSpeeds::outside(double constant, CollectiveProtocol protocol) const {
  if (library->plain) return scale_out_hop;
  const double added = scale_out_hop - library->outside_reference;
  return std::max(0.0, constant + library->network_waits[static_cast<std::size_t>(protocol)] * added);
}

CollectivePaths even_paths(int ranks, int domains, int ports, double port, const CollectiveSpeeds& speeds) {
  assert(ranks >= 2 && domains >= 1 && ranks % domains == 0);
  CollectivePaths paths;
  paths.ranks = ranks;
  paths.domains = domains;
  paths.per_domain = ranks / domains;
  paths.ports = ports;
  paths.port = port;
  if (paths.per_domain > 1) {
    paths.ring_inside = 1 / (domains > 1 ? speeds.chain_of(paths.per_domain) : speeds.ring_of(paths.per_domain));
    paths.tree_inside = 2 / speeds.chain_of(paths.per_domain);
  }
  if (domains == 1) return paths;
  paths.ring_network = 1 / (ports * port * speeds.efficiency);
  // Two domains exchange every byte once each way; of more, an inner one passes it on to two.
  paths.tree_network = (domains == 2 ? 1 : 2) * paths.ring_network;
  for (int reach = 2; reach <= domains; reach *= 2) ++paths.tree_depth;
  return paths;
}

double PairChannels::time(double bytes) const {
  if (rate <= 0) return 0;
  int channels = least;
  while (bytes / channels > part && channels <= most / 2) channels *= 2;
  return bytes / (channels * rate);
}

int network_channels(int ports) { return std::clamp(2 * ports, 2, 16); }

int ring_channels(int ports, const CollectiveLibrary& library) {
  const int channels = network_channels(ports);
  return library.doubles_ring_channels && channels < 16 ? 2 * channels : channels;
}

double AlgorithmCost::time(double bytes) const {
  const double moved = transfer(bytes);
  const double chunked = std::min(chunk, (halved ? bytes : std::sqrt(chunk * bytes)) / 2) * fill;
  // Slices are as many as on the links alone, however slowly channels fill them.
  const double sliced = 2 * std::sqrt(pipelined * bytes * per_byte);
  return std::max(least, latency + moved - std::min(hidden, moved / 2) + sliced) + chunked +
         std::min(first, std::sqrt(first * bytes)) * first_per_byte;
}

double AlgorithmCost::seen(double bytes) const {
  double rate = 1;
  if (seen_as_tree && bytes >= 64) {
    const int power = static_cast<int>(std::floor(std::log2(bytes / 64)));
    if (power < corrections)
      rate = tree_correction[static_cast<std::size_t>(protocol)][static_cast<std::size_t>(power)];
  }
  return seen_latency * (seen_plateau ? plateau : 1) + bytes * seen_per_byte / rate;
}

namespace {

/// scheduleP2pTasksToPlan and ncclTopoGetNchannels, NCCL 2.29: inside a domain a communicator shares 32 channels among
/// its ranks; over the network a pair gets two, and one where 8 or more operations would meet on each channel.
PairChannels pair_channels(const DirectPaths& paths, const CollectiveSpeeds& speeds) {
  const CollectiveLibrary& library = *speeds.library;
  if (paths.ranks < 2 || library.plain) return {};
  PairChannels pair{.rate = speeds.channel};
  if (paths.over_network) {
    constexpr int per_nic = 2, crowded = 4;
    pair.least = pair.most = per_nic * paths.ranks > crowded * ring_channels(paths.ports, library) ? 1 : per_nic;
    return pair;
  }
  pair.least = pair.most = library.pair_channels;
  while (pair.least > 1 && pair.least * paths.ranks > library.pair_channels) pair.least /= 2;
  pair.part = library.pair_part;
  return pair;
}

}  // namespace

AlgorithmCost direct_cost(const DirectPaths& paths, const CollectiveSpeeds& speeds) {
  constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
  const CollectiveLibrary& library = *speeds.library;
  constexpr auto slot = static_cast<std::size_t>(simple);
  const double network = paths.all_to_all ? paths.network / speeds.all_to_all_share : paths.network;
  const double hop = paths.over_network ? speeds.outside(library.outside.ring[slot], simple)
                                        : speeds.inside(library.inside.ring[slot]);
  AlgorithmCost cost{.algorithm = CollectiveAlgorithm::direct,
                     .protocol = simple,
                     .latency = speeds.start(simple) + hop + paths.further,
                     .pipelined = speeds.pipelining,
                     .per_byte = std::max(paths.inside, network),
                     .by_network = network >= paths.inside && paths.over_network,
                     .pair = pair_channels(paths, speeds)};
  cost.seen_latency = cost.latency;
  cost.seen_per_byte = cost.per_byte;
  return cost;
}

AlgorithmCost hierarchical_all_to_all_cost(const DirectPaths& paths, const CollectiveSpeeds& speeds) {
  constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
  const int here = std::max(1, paths.per_domain);
  AlgorithmCost cost = direct_cost(paths, speeds);
  cost.algorithm = CollectiveAlgorithm::hierarchical_all_to_all;
  cost.latency += speeds.inside(speeds.library->inside.ring[static_cast<std::size_t>(simple)]);
  // What a rank sends out is at most all of its bytes; it is handed on before it leaves.
  const double handed = (here - 1.0) / here / (here > 1 ? speeds.ring_of(here) : 1);
  cost.per_byte += handed;
  cost.by_network = cost.by_network && paths.network >= paths.inside + handed;
  cost.seen_latency = cost.latency;
  cost.seen_per_byte = cost.per_byte;
  return cost;
}

DirectPaths even_all_to_all(int ranks, int domains, int ports, double port, const CollectiveSpeeds& speeds) {
  const int here = ranks / domains;
  DirectPaths paths{.over_network = domains > 1, .all_to_all = true, .per_domain = here};
  if (here > 1) paths.inside = (here - 1.0) / ranks / speeds.ring_of(here);
  if (domains > 1)
    paths.network = static_cast<double>(ranks - here) / ranks * here / (ports * port * speeds.efficiency);
  return paths;
}

DirectPaths even_neighbours(int ranks, int domains, int ports, double port, const CollectiveSpeeds& speeds) {
  DirectPaths paths{.inside = 1 / speeds.link, .over_network = domains > 1, .ranks = ranks, .ports = ports};
  if (domains > 1) paths.network = 1 / (port * speeds.efficiency);
  return paths;
}

const AlgorithmCost& library_choice(std::span<const AlgorithmCost> costs, double bytes,
                                    const CollectiveLibrary& library) {
  assert(!costs.empty());
  const auto believed = [&](const AlgorithmCost& cost) { return library.plain ? cost.time(bytes) : cost.seen(bytes); };
  const AlgorithmCost* best = &costs.front();
  double best_time = believed(*best);
  for (const AlgorithmCost& cost : costs.subspan(1)) {
    const double time = believed(cost);
    if (time < best_time) {
      best = &cost;
      best_time = time;
    }
  }
  return *best;
}

}  // namespace railyard
