// SPDX-License-Identifier: Apache-2.0
// The algorithms of the library, each under its protocols: what it costs and what the library believes.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "calibrate/profile/collective_law.h"

namespace railyard {
namespace {

constexpr std::size_t at(CollectiveProtocol protocol) { return static_cast<std::size_t>(protocol); }

/// Share of the links' bandwidth that NCCL gives trees in its own model (tuning.cc).
constexpr double tree_payload = 0.92;
/// Bandwidth at which the library takes trees, of the rings'. Not from its sources: the sizes at which published runs
/// of 32 to 512 GH200 over four NICs turn from trees to rings allow 0.917 to 0.957, so it is known from runs that are
/// validated too. A search that tries a list of speeds (24, then 22 GB/s) may be the reason.
constexpr double tree_found = 0.93;
/// The library takes NICs at this share of their line rate (12 GB/s for 100 Gb/s, topo.h).
constexpr double seen_efficiency = 0.96;

class Costs {
 public:
  Costs(Collective collective, const CollectivePaths& paths, const CollectiveSpeeds& speeds,
        const AlgorithmSet& enabled)
      : collective_(collective), paths_(paths), speeds_(speeds), library_(*speeds.library), enabled_(enabled) {
    rounds_ = collective == Collective::all_reduce ? 2 : 1;
    several_ = paths.domains > 1;
    domains_ = static_cast<std::size_t>(std::min(paths.domains, 3) - 1);
    inside_steps_ = paths.ranks - paths.domains;
    outside_steps_ = paths.domains - 1;
    channels_ = several_ ? network_channels(paths.ports) : library_.channels_inside;
    const double inside = paths.per_domain > 1 ? 1 / paths.ring_inside : 0;
    const double network = several_ ? seen_efficiency * paths.ports * paths.port : 0;
    seen_ring_ = !several_ ? inside : inside > 0 ? std::min(inside, network) : network;
    // On two domains the graph of a tree uses each NIC for both directions of both trees.
    seen_tree_ = paths.domains == 2 ? (inside > 0 ? std::min(inside, 2 * network) : 2 * network) : seen_ring_;
  }

  std::vector<AlgorithmCost> all() {
    const bool reduces = collective_ == Collective::all_reduce;
    for (const CollectiveProtocol protocol : protocols()) {
      if (enabled_.ring) ring(protocol);
      if (enabled_.tree && several_ && reduces) tree(protocol);
    }
    const bool nvls_here = enabled_.nvls && enabled_.simple && reduces && speeds_.reduction > 0 &&
                           paths_.per_domain >= library_.nvls_ranks && library_.nvls_efficiency > 0;
    if (nvls_here && (!several_ || enabled_.sharp)) nvls();
    if (nvls_here && several_ && enabled_.tree) nvls_tree();
    if (enabled_.sharp && several_ && enabled_.simple && reduces && !library_.plain) {
      collnet_direct();
      collnet_chain();
    }
    const bool gathers = collective_ == Collective::all_gather || collective_ == Collective::reduce_scatter;
    if (enabled_.pat && gathers && several_ && paths_.per_domain == 1 && !library_.plain) pat();
    if (enabled_.hierarchical && several_ && paths_.even && paths_.per_domain > 1 &&
        collective_ != Collective::broadcast) {
      hierarchical();
    }
    if (enabled_.only)
      std::erase_if(costs_, [&](const AlgorithmCost& cost) { return cost.algorithm != *enabled_.only; });
    if (costs_.empty()) ring(CollectiveProtocol::simple);
    return std::move(costs_);
  }

 private:
  std::vector<CollectiveProtocol> protocols() const {
    std::vector<CollectiveProtocol> result;
    if (enabled_.ll && library_.has_ll) result.push_back(CollectiveProtocol::ll);
    if (enabled_.ll128 && library_.has_ll128) result.push_back(CollectiveProtocol::ll128);
    if (enabled_.simple) result.push_back(CollectiveProtocol::simple);
    return result;
  }

  /// Seconds per byte on `believed` bytes per second of links.
  void add(AlgorithmCost cost, double seen_bandwidth) {
    cost.seen_per_byte = library_.plain ? cost.per_byte : 1 / seen_bandwidth;
    costs_.push_back(cost);
  }

  void ring(CollectiveProtocol protocol) {
    const std::size_t p = at(protocol);
    const bool simple = protocol == CollectiveProtocol::simple;
    const bool alone = paths_.per_domain == 1;  // the network's hop is then not hidden: NCCL takes the tree's
    const double outside = (alone ? library_.outside.tree : library_.outside.ring)[p];
    double inside = speeds_.inside(library_.inside.ring[p]);
    double seen_inside = library_.inside.ring[p];
    if (several_ && !library_.plain) {
      inside = std::max(inside, library_.inside_at_least[p] / library_.inside_at_least[0] * speeds_.network_step);
      seen_inside = std::max(seen_inside, library_.inside_at_least[p]);
    }
    const double pass =
        inside_steps_ * inside + outside_steps_ * speeds_.outside(outside, protocol) + paths_.ring_further;
    const double factor = bus_bandwidth_factor(collective_, paths_.ranks);
    // Channels under Simple copy at their own rate; more of them run inside a domain than over the network.
    const bool by_channels = simple && several_ && paths_.per_domain > 1 && !library_.plain && speeds_.channel > 0;
    const double channels = by_channels ? 1 / (ring_channels(paths_.ports, library_) * speeds_.channel) : 0;
    double slowest = std::max({paths_.ring_inside, paths_.ring_network, channels}) / library_.payload[p];
    if (protocol == CollectiveProtocol::ll) slowest = std::max(slowest, 1 / library_.ll_limit[domains_]);
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::ring,
                       .protocol = protocol,
                       .latency = speeds_.start(protocol) + rounds_ * pass,
                       .per_byte = factor * slowest,
                       .by_network = paths_.ring_network >= std::max(paths_.ring_inside, channels),
                       .by_channels = channels > std::max(paths_.ring_inside, paths_.ring_network)};
    if (several_ && !library_.plain && protocol != CollectiveProtocol::ll) {
      // Filling and draining show: a hop over the network for each of two slices at either end.
      cost.hidden = std::max(0.0, rounds_ * pass - 4 * speeds_.outside(outside, protocol));
    }
    if (library_.plain) {
      cost.pipelined = collective_ == Collective::broadcast ? pass : 0;
    } else if (simple && !several_) {
      // Each step passes slices on while the next begins: only one step's bytes wait for the first slice.
      cost.pipelined = speeds_.pipelining / (paths_.ranks - 1);
    }
    if (several_ && protocol != CollectiveProtocol::ll) {
      cost.least = speeds_.start(protocol) + rounds_ * (paths_.ranks - 1) * speeds_.message_gap;
    }
    cost.seen_latency =
        library_.start_over_quick[p] + seen_base + rounds_ * (inside_steps_ * seen_inside + outside_steps_ * outside);
    cost.seen_plateau = simple && several_ && collective_ == Collective::all_reduce;
    double seen = seen_ring_;
    if (protocol == CollectiveProtocol::ll) seen = std::min(library_.ll_limit[domains_], seen / 2);
    if (protocol == CollectiveProtocol::ll128)
      seen = std::min(tree_payload * seen, channels_ * library_.ring_ll128_channel);
    add(cost, seen / factor);
  }

  /// Fills `cost` with what trees between domains share; `per_byte` is the slower of both.
  void between(AlgorithmCost& cost, double inside_per_byte, double network_per_byte) const {
    cost.per_byte = std::max(inside_per_byte, network_per_byte);
    cost.by_network = network_per_byte >= inside_per_byte;
    cost.chunk = channels_ * library_.chunk;
  }
  double tree_network() const { return paths_.tree_network / (paths_.domains > 2 ? speeds_.tree_share : 1); }

  void tree(CollectiveProtocol protocol) {
    const std::size_t p = at(protocol);
    const bool quick = protocol == CollectiveProtocol::ll;
    const int chain = paths_.per_domain - 1;
    double inside = speeds_.inside(library_.inside.tree[p]);
    if (several_) inside = std::max(inside, library_.inside_at_least[p]);
    const double path = 2 * (chain * inside + paths_.tree_depth * speeds_.outside(library_.outside.tree[p], protocol)) +
                        paths_.tree_further;
    AlgorithmCost cost{
        .algorithm = CollectiveAlgorithm::tree, .protocol = protocol, .latency = speeds_.start(protocol) + path};
    const double payload = library_.plain ? tree_payload
                           : quick        ? 2 * tree_payload * library_.tree_ll_payload
                                          : library_.payload[p];
    if (library_.plain) cost.pipelined = path;  // chunks of any size, see AlgorithmCost
    between(cost, paths_.tree_inside / payload, tree_network() / payload);
    if (quick) cost.per_byte = std::max(cost.per_byte, 2 / library_.ll_limit[domains_]);
    // Of the stages up and down, that of the first chunk is in the transfer already.
    cost.fill = (2 * paths_.tree_depth - 1) * cost.per_byte + 2 * chain * paths_.tree_inside;
    if (quick) {
      cost.chunk = 0;  // LL has small steps of its own
      cost.first = library_.ll_chunk;
      cost.first_per_byte = 2 * paths_.tree_depth / library_.ll_rate;
    }
    cost.seen_latency = library_.start_over_quick[p] + seen_base +
                        2 * (chain * library_.inside.tree[p] + paths_.tree_depth * library_.outside.tree[p]);
    cost.seen_as_tree = !library_.plain;
    double seen = std::min(tree_payload * tree_found * seen_tree_, channels_ * library_.tree_channel[domains_]);
    if (quick) seen = std::min(seen * library_.tree_ll_payload, library_.ll_limit[domains_]);
    if (protocol == CollectiveProtocol::ll128)
      seen = std::min(seen * library_.payload[p], channels_ * library_.tree_ll128_channel[domains_]);
    add(cost, seen / 2);
  }

  /// Every GPU's links carry its own bytes to the switches once, its share of the sum to it and back to all: S (p + 1)
  /// / p each way.
  double nvls_per_byte() const { return (paths_.per_domain + 1.0) / paths_.per_domain / speeds_.reduction; }
  double seen_nvls() const {
    return library_.nvls_efficiency * seen_scale_up() * paths_.per_domain / (paths_.per_domain + 1.0);
  }
  double seen_scale_up() const { return 1 / paths_.ring_inside; }

  void nvls() {
    constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::nvls,
                       .protocol = simple,
                       .latency = speeds_.start(CollectiveProtocol::ll) + speeds_.inside(library_.inside.nvls),
                       .pipelined = speeds_.pipelining,
                       .per_byte = nvls_per_byte()};
    cost.seen_latency = library_.inside.nvls;
    double seen = seen_nvls();
    if (several_) {  // the sum of a domain crosses its NICs once each way, the fabric's switches add it up
      cost.latency += speeds_.outside(library_.outside.nvls, simple) + paths_.tree_further / 2;
      cost.by_network = paths_.ring_network >= cost.per_byte;
      cost.per_byte = std::max(cost.per_byte, paths_.ring_network);
      cost.seen_latency += library_.outside.nvls;
      seen = std::min(seen, seen_ring_);
    }
    add(cost, seen);
  }

  void nvls_tree() {
    constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::nvls_tree, .protocol = simple};
    cost.latency = speeds_.start(CollectiveProtocol::ll) + speeds_.inside(library_.inside.nvls_tree) +
                   2 * paths_.tree_depth * speeds_.outside(library_.outside.nvls_tree, simple) + paths_.tree_further;
    between(cost, nvls_per_byte() / tree_payload, tree_network());
    // A chunk is a part for each GPU on each channel. On every level up it crosses the network and is added to what
    // the switches reduce, on every level down it is stored through them; the lowest domains reduce first and store
    // last. That a message is two chunks at least is seen in a run over two nodes, not read in the sources.
    const double through_switches = 1 / speeds_.reduction;
    cost.chunk = channels_ * paths_.per_domain * (paths_.domains < 4 ? library_.nvls_chunk : library_.nvls_chunk / 2);
    cost.halved = true;
    cost.fill = 2 * paths_.tree_depth * (paths_.ring_network + through_switches) + 2 * through_switches - cost.per_byte;
    cost.seen_latency = library_.inside.nvls_tree + 2 * paths_.tree_depth * library_.outside.nvls_tree;
    const double factor = bus_bandwidth_factor(collective_, paths_.ranks);
    const double network = seen_efficiency * paths_.ports * paths_.port;
    add(cost,
        std::min(2 * library_.nvls_efficiency * seen_scale_up() * 15 / 16, (paths_.domains == 2 ? 2 : 1) * network) /
            factor);
  }

  void collnet_direct() {
    constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
    const int others = paths_.per_domain - 1;
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::collnet_direct, .protocol = simple};
    // 0.4 us for each further rank of the domain (tuning.cc).
    const double gathered = 2 * 0.4e-6 * others;
    cost.latency = speeds_.start(simple) + 2 * std::min(1, others) * speeds_.inside(library_.inside.collnet_direct) +
                   gathered + speeds_.outside(library_.outside.collnet_direct, simple) + paths_.tree_further / 2;
    // Inside, a rank hands all shares but its own to the others and takes theirs, then the sums: both ways twice.
    const double inside = others > 0 ? 2.0 * others / paths_.per_domain * paths_.ring_inside : 0;
    cost.per_byte = std::max(inside, paths_.ring_network);
    cost.by_network = paths_.ring_network >= inside;
    cost.seen_latency =
        2 * std::min(1, others) * library_.inside.collnet_direct + gathered + library_.outside.collnet_direct;
    add(cost, 0.85 / cost.per_byte);
  }

  void collnet_chain() {
    constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
    const int chain = paths_.per_domain - 1;
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::collnet_chain, .protocol = simple};
    cost.latency = speeds_.start(simple) + 2 * chain * speeds_.inside(library_.inside.collnet_chain) +
                   speeds_.outside(library_.outside.collnet_chain, simple) + paths_.tree_further / 2;
    cost.per_byte = std::max(paths_.tree_inside, paths_.ring_network);
    cost.by_network = paths_.ring_network >= paths_.tree_inside;
    cost.chunk = channels_ * library_.chunk;
    cost.fill = 2 * chain * paths_.tree_inside;
    cost.seen_latency = 2 * chain * library_.inside.collnet_chain + library_.outside.collnet_chain;
    add(cost, 1 / std::max(paths_.tree_inside, paths_.ring_network));
  }

  void pat() {
    // base + log2 of the nodes, of which 3.5 hops overlap, + 2.8 us a rank, at 0.75 of a ring (tuning.cc).
    constexpr double overlapped = 3.5, each = 2.8e-6, share = 0.75;
    constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
    const double factor = bus_bandwidth_factor(collective_, paths_.ranks);
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::pat, .protocol = simple};
    cost.latency = speeds_.start(simple) +
                   paths_.tree_depth * speeds_.outside(library_.outside.pat, simple) / overlapped +
                   each * paths_.ranks + paths_.tree_further / 2;
    cost.per_byte = factor * paths_.ring_network / share;
    cost.by_network = true;
    cost.seen_latency = 8e-6 + paths_.tree_depth * library_.outside.pat / overlapped + each * paths_.ranks;
    add(cost, share * seen_ring_ / factor);
  }

  void hierarchical() {
    // all_gather of S over N domains of p ranks: a rank gathers S (N-1) / (N p) over its own rail, where p rings share
    // the links as the channels of the flat ring do, so that the same congestion holds for S (N-1) / N; then S (p-1) /
    // p inside. reduce_scatter is the same backwards, all_reduce is both.
    constexpr CollectiveProtocol simple = CollectiveProtocol::simple;
    const std::size_t p = at(simple);
    const double n = paths_.domains, here = paths_.per_domain;
    const double outside = (n - 1) / n * paths_.ring_network;
    const double inside = (here - 1) / here / speeds_.ring_of(paths_.per_domain);
    AlgorithmCost cost{.algorithm = CollectiveAlgorithm::hierarchical_ring, .protocol = simple};
    cost.latency = speeds_.start(simple) +
                   rounds_ * ((here - 1) * speeds_.inside(library_.inside.ring[p]) +
                              (n - 1) * speeds_.outside(library_.outside.tree[p], simple) + paths_.ring_further);
    cost.per_byte = rounds_ * (outside + inside);
    cost.by_network = outside >= inside;
    cost.seen_latency = cost.latency;
    add(cost, 1 / cost.per_byte);
  }

  static constexpr double seen_base = 6.6e-6;  // of LL, rings and trees (6.8)

  Collective collective_;
  const CollectivePaths& paths_;
  const CollectiveSpeeds& speeds_;
  const CollectiveLibrary& library_;
  const AlgorithmSet& enabled_;
  int rounds_ = 1, inside_steps_ = 0, outside_steps_ = 0, channels_ = 1;
  std::size_t domains_ = 0;
  bool several_ = false;
  double seen_ring_ = 0, seen_tree_ = 0;
  std::vector<AlgorithmCost> costs_;
};

}  // namespace

std::vector<AlgorithmCost> collective_costs(Collective collective, const CollectivePaths& paths,
                                            const CollectiveSpeeds& speeds, const AlgorithmSet& enabled) {
  assert(paths.ranks >= 2 && speeds.library != nullptr);
  return Costs(collective, paths, speeds, enabled).all();
}

}  // namespace railyard
