// SPDX-License-Identifier: Apache-2.0
// What a collective library knows of itself: its algorithms and protocols, the constants by which it chooses among them
// and the sizes of its buffers. Facts of NCCL's and RCCL's sources (tuning.cc of 2.21 to 2.30), not measurements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

enum class CollectiveAlgorithm : std::uint8_t {
  ring,
  tree,               // double binary tree over the domains, chains inside
  hierarchical_ring,  // rings inside the domains, then rings of one rank a domain
  nvls,               // reduction in the scale-up switches
  nvls_tree,          // the same inside the domains, trees between them
  collnet_direct,     // reduction in the switches of the fabric (SHARP)
  collnet_chain,
  pat,                      // parallel aggregated trees, one rank a domain
  direct,                   // flows without steps
  hierarchical_all_to_all,  // gathered by rail inside the domain first
};
inline constexpr int algorithm_count = 10;
/// "ring", "nvls tree", ...
[[nodiscard]] std::string_view to_string(CollectiveAlgorithm algorithm);

/// The algorithm that to_string gives this name; nothing for none.
[[nodiscard]] std::optional<CollectiveAlgorithm> algorithm_named(std::string_view name);
[[nodiscard]] std::vector<std::string> algorithm_names();

/// LL: flags beside every four bytes, half the bandwidth, the shortest hop. LL128: flags in every 128 bytes. Simple:
/// whole chunks and a fence.
enum class CollectiveProtocol : std::uint8_t { ll, ll128, simple };
inline constexpr int protocol_count = 3;
[[nodiscard]] std::string_view to_string(CollectiveProtocol protocol);

/// What the library may choose from.
struct AlgorithmSet {
  bool ring = true;
  bool tree = true;
  bool nvls = true;    // where the profile tells the bandwidth of reductions in the scale-up switch
  bool sharp = false;  // CollNet, and NVLS over several domains
  bool pat = false;    // NCCL 2.23 and later, all_gather and reduce_scatter with one rank a domain
  bool hierarchical = false;
  bool ll = true, ll128 = true, simple = true;
  std::optional<CollectiveAlgorithm> only;  // this one, where the library has it here
};

struct CollectiveLibrary {
  using ByProtocol = std::array<double, protocol_count>;
  using ByDomains = std::array<double, 3>;  // one domain, two, more
  struct Hops {
    ByProtocol ring{}, tree{};  // seconds
    double nvls = 0, nvls_tree = 0, collnet_direct = 0, collnet_chain = 0, pat = 0;
  };

  std::string_view name;
  /// Nothing is known: one protocol with the hops of the profile, and the fastest is taken.
  bool plain = false;
  bool has_ll = true, has_ll128 = true;
  ByProtocol start_over_quick{};  // seconds by which a protocol starts later than LL
  Hops inside, outside;
  /// The hops of the profile that stand for the constants above: one of a ring under Simple inside, one of a tree
  /// under LL over one switch.
  double inside_reference = 1, outside_reference = 0;
  ByProtocol network_waits{1, 1, 1};  // Simple waits for the network twice (flush)
  /// Seconds of a step inside at least, where the ring goes on over the network: the kernel waits for the proxy that
  /// posts its messages. The profile's network_step stands for that of LL, the others keep their proportion to it.
  ByProtocol inside_at_least{};
  ByProtocol payload{1, 1, 1};  // share of the bandwidth that is not flags, in rings
  double tree_ll_payload = 1;
  ByDomains ll_limit{};                            // bytes per second
  ByDomains tree_channel{}, tree_ll128_channel{};  // a channel's, as the library believes
  double ring_ll128_channel = 0;
  double nvls_efficiency = 0;          // of the scale-up links, as the library believes
  int nvls_ranks = 1;                  // fewest ranks of a domain for which it takes NVLS
  int channels_inside = 1;             // of one domain; over the network two a NIC, 2 to 16
  bool doubles_ring_channels = false;  // rings over the network have twice as many where that is fewer than 16
  int pair_channels = 32;              // most between two GPUs of a domain, and of a GPU to all others together
  double pair_part = 0;                // bytes of one channel's share, above which a pair of a domain takes more
  double channel = 0;                  // bytes per second of one under Simple, where fits start; 0: not limited
  double chunk = 0;                    // bytes of one channel's buffer step
  double nvls_chunk = 0;             // bytes a GPU and channel of a tree over switches that reduce; from 4 domains half
  double ll_chunk = 0, ll_rate = 0;  // what one LL channel sends at once, and how fast its proxy copies it
};

/// By name: nccl-volta, nccl-ampere, nccl-hopper, nccl-blackwell, rccl, plain. Throws InputError for another.
[[nodiscard]] const CollectiveLibrary& collective_library(std::string_view name);
[[nodiscard]] std::vector<std::string> collective_library_names();

}  // namespace railyard
