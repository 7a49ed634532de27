// SPDX-License-Identifier: Apache-2.0
// Times of collectives by algorithm, in closed form over what routing found (DESIGN 5.7): latency plus bytes over
// bandwidth, and for trees the price of filling their pipeline.
#pragma once

#include <string_view>
#include <vector>

#include "calibrate/profile/profile.h"
#include "sim/network/network.h"
#include "sim/network/routes.h"

namespace railyard {

/// One algorithm for one collective over one layout.
struct AlgorithmCost {
  std::string_view name;
  double latency = 0;  // seconds that do not grow with bytes
  double pipelined =
      0;                // seconds of them that every chunk of a pipeline pays; 0 where chunks are the algorithm's steps
  double per_byte = 0;  // seconds
  LinkClass where = LinkClass::none;

  /// latency + bytes * per_byte + 2 sqrt(pipelined * bytes * per_byte): a pipeline of depth d, hop a and rate 1/b cut
  /// into the best number of chunks takes (sqrt(d a) + sqrt(S b))^2 (Sanders, Speck, Träff 2009, section 2; a
  /// library's fixed chunks take as long or longer).
  [[nodiscard]] double time(double bytes) const;
};

/// Ring. all_reduce goes round twice, all_gather and reduce_scatter once; broadcast runs as a pipeline.
[[nodiscard]] AlgorithmCost ring_cost(Collective collective, int ranks, const RingRoute& route,
                                      const LinkSpeeds& speeds);
/// Rings inside the domains, then rings of one rank a domain, one after the other; all_reduce does both twice. Only for
/// even routes over several domains of several ranks.
[[nodiscard]] AlgorithmCost hierarchical_cost(Collective collective, int ranks, const RingRoute& route,
                                              const LinkSpeeds& speeds);
/// Double binary tree, all_reduce only.
[[nodiscard]] AlgorithmCost tree_cost(const TreeRoute& route, const LinkSpeeds& speeds);
/// Flows without steps.
[[nodiscard]] AlgorithmCost direct_cost(const DirectRoute& route, const LinkSpeeds& speeds);

/// Time of the fastest; the first of equals.
[[nodiscard]] TrafficTime fastest(const std::vector<AlgorithmCost>& costs, Bytes bytes);

}  // namespace railyard
