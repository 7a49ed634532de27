// SPDX-License-Identifier: Apache-2.0
// The collective law: how long a collective takes, from hops and bandwidths given as numbers, for every algorithm and
// protocol of the library, and which of them the library takes. It chooses by its own constants (collective_library.h),
// not by what is true: over a slow network it may choose badly, and then takes the time of its choice.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "calibrate/profile/collective_library.h"
#include "calibrate/profile/profile.h"

namespace railyard {

/// The library's speeds over one fabric at one end of their ranges, as bare numbers in base units.
struct CollectiveSpeeds {
  const CollectiveLibrary* library = nullptr;
  double ring = 0, link = 0;  // bytes per second, of a ring over the whole domain and between one pair
  double reduction = 0;       // of a GPU's links while the scale-up switches reduce; 0: they do not
  double base_latency = 0, scale_up_hop = 0, scale_out_hop = 0, switch_latency = 0;  // seconds
  double pipelining = 0;       // seconds: what cutting a large message into slices costs, see AlgorithmCost
  double efficiency = 1;       // of a NIC's line rate
  double message_gap = 0;      // seconds between two messages of a ring on one edge of the network
  double network_step = 1e-6;  // seconds of a ring's step inside at least, where it goes on over the network
  double channel = 0;          // bytes per second that one channel copies under Simple; 0: not limited
  double tree_share = 1;       // of the NICs' bandwidth, trees over more than two domains
  double all_to_all_share = 1;
  bool mesh = false;  // a pair of GPUs has a link of its own

  CollectiveSpeeds() = default;
  CollectiveSpeeds(const CollectiveParameters& parameters, Speed speed, bool is_mesh);

  /// Bus bandwidth of rings inside a domain. Switched: that of any number of ranks. Mesh: `ranks` GPUs have ranks - 1
  /// links each to one another, and the complete graph falls into as many rings; a pair sees one link.
  [[nodiscard]] double ring_of(int ranks) const;
  /// The same for a ring that runs on to other domains. Switched: the library's channels bound it as inside. Mesh: the
  /// links carry chains of ranks - 1 of every `ranks` edges, so they last for ranks / (ranks - 1) as much.
  [[nodiscard]] double chain_of(int ranks) const;
  /// Seconds of a protocol before its first hop.
  [[nodiscard]] double start(CollectiveProtocol protocol) const;
  /// A constant of the library inside a domain, scaled to the profile's hop.
  [[nodiscard]] double inside(double constant) const;
  /// One over the network: NICs, cables and the first switch add to the library's constant what they add to the hop of
  /// a tree under LL (twice under Simple, which flushes).
  [[nodiscard]] double outside(double constant, CollectiveProtocol protocol) const;
};

/// One group laid over domains: how far its bytes go and what the links they share allow.
struct CollectivePaths {
  int ranks = 2, domains = 1, per_domain = 2;  // ranks of the largest domain
  bool even = true;                            // equally many in all of them
  int ports = 1;                               // NICs that one domain uses
  double port = 0;                             // line rate of one, bytes per second: what the library counts on
  double ring_further = 0;                     // seconds: switches beyond the first and relays, once around
  double ring_inside = 0, ring_network = 0;    // seconds per byte of bus bandwidth
  int tree_depth = 0;                          // edges between domains from the farthest to the root
  double tree_further = 0;                     // seconds, up and down
  double tree_inside = 0, tree_network = 0;    // seconds per byte of the message
};

/// Domains alike, every rank on its own rail of a fabric that nothing else uses, one switch between any two: what a
/// published run tells of its cluster. `port` is the line rate of one NIC in bytes per second.
[[nodiscard]] CollectivePaths even_paths(int ranks, int domains, int ports, double port,
                                         const CollectiveSpeeds& speeds);

/// Channels of the library between two GPUs: as few as `least`, doubled up to `most` while the share of one exceeds
/// `part` bytes (enqueue.cc).
struct PairChannels {
  int least = 1, most = 1;
  double part = 0, rate = 0;  // rate: bytes per second of one; 0: no limit
  /// Seconds that the channels take to copy a message; nothing where they do not limit.
  [[nodiscard]] double time(double bytes) const;
};

/// One algorithm under one protocol.
struct AlgorithmCost {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  CollectiveProtocol protocol = CollectiveProtocol::simple;
  double latency = 0;                          // seconds that do not grow with bytes
  double pipelined = 0;                        // seconds of the stage that slices are passed through
  double hidden = 0;                           // seconds of `latency` that pass while other slices are on their way
  double per_byte = 0;                         // seconds
  bool by_network = false;                     // which of the two bounds per_byte
  bool by_channels = false;                    // neither: the channels' copies do
  PairChannels pair;                           // of flows from GPU to GPU
  double least = 0;                            // seconds: messages that follow one another on an edge
  double chunk = 0, fill = 0;                  // bytes of a full chunk; seconds per byte of it to fill all stages
  bool halved = false;                         // a message is at least two chunks; otherwise see `time`
  double first = 0, first_per_byte = 0;        // bytes of a first message; seconds per byte
  double seen_latency = 0, seen_per_byte = 0;  // as the library believes
  bool seen_as_tree = false, seen_plateau = false;

  /// Physical time: max(least, latency + T - min(hidden, T / 2) + 2 sqrt(pipelined S b)) + fill c(S) + first message,
  /// where T is the transfer, S b or the channels' time. The square root is what a pipeline of one stage loses when S
  /// is cut into the best number of slices (Sanders, Speck, Träff 2009, section 2). Of a ring's chunk one of two slices
  /// is passed on while the other is on its way, which hides up to half of the transfer. c(S) = min(chunk, sqrt(chunk
  /// S) / 2), or min(chunk, S / 2): libraries halve their chunks for small messages.
  [[nodiscard]] double time(double bytes) const;
  /// Seconds of `time` that bandwidth takes: T.
  [[nodiscard]] double transfer(double bytes) const { return std::max(bytes * per_byte, pair.time(bytes)); }
  /// What the library believes, with its corrections for trees of middle sizes and long rings (tuning.cc).
  [[nodiscard]] double seen(double bytes) const;
};

/// all_reduce, all_gather, reduce_scatter and broadcast, every enabled algorithm and protocol; never empty: ring is the
/// last resort.
[[nodiscard]] std::vector<AlgorithmCost> collective_costs(Collective collective, const CollectivePaths& paths,
                                                          const CollectiveSpeeds& speeds, const AlgorithmSet& enabled);

/// Flows without steps: all_to_all, send_receive.
struct DirectPaths {
  double inside = 0, network = 0;  // seconds per byte that one GPU sends
  double further = 0;              // seconds: switches beyond the first and relays of the longest way
  bool over_network = false;
  bool all_to_all = false;
  int per_domain = 1;  // ranks of the largest domain
  /// Of the communicator, for flows between neighbours: it decides how many channels a pair gets. 0: no limit by them.
  int ranks = 0;
  int ports = 1;  // NICs that one domain uses
};
[[nodiscard]] AlgorithmCost direct_cost(const DirectPaths& paths, const CollectiveSpeeds& speeds);
/// An all_to_all that first hands the bytes for other domains to the rank on the receiver's rail, then sends one
/// message a domain: fewer messages, but (p - 1) / p of what leaves a domain of p ranks crosses its links once more.
[[nodiscard]] AlgorithmCost hierarchical_all_to_all_cost(const DirectPaths& paths, const CollectiveSpeeds& speeds);
/// As even_paths: a rank's share to every other, or everything to the next rank.
[[nodiscard]] DirectPaths even_all_to_all(int ranks, int domains, int ports, double port,
                                          const CollectiveSpeeds& speeds);
[[nodiscard]] DirectPaths even_neighbours(int ranks, int domains, int ports, double port,
                                          const CollectiveSpeeds& speeds);
/// Channels that the library gives a ring, or trees, over several domains: two a NIC of a domain, 2 to 16.
[[nodiscard]] int network_channels(int ports);
[[nodiscard]] int ring_channels(int ports, const CollectiveLibrary& library);  // doubled since Hopper, see there

/// The one that the library takes; the first of equals. `costs` is not empty.
[[nodiscard]] const AlgorithmCost& library_choice(std::span<const AlgorithmCost> costs, double bytes,
                                                  const CollectiveLibrary& library);

}  // namespace railyard
