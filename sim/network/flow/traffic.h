// SPDX-License-Identifier: Apache-2.0
// Traffic as messages between GPUs: what collectives send, and patterns that fabrics are judged by. `bytes` is always
// what nccl-tests would print for the pattern, or what one GPU sends where it has none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/flow/paths.h"
#include "sim/network/placement.h"

namespace railyard {

using Traffic = std::vector<Message>;

/// One round of rings over all groups at once: every edge of a ring carries `bytes`, cut into as many channels as the
/// larger of its two domains has ranks; a channel enters and leaves a domain by its own rail. Inside a domain of a mesh
/// the channels' chains together load every pair of GPUs alike (which Williams' squares of 1949 allow); through
/// switches only ports count, so neighbours stand for all. all_reduce of S over n ranks has bytes = 2 S (n - 1) / n,
/// all_gather and reduce_scatter half of it.
[[nodiscard]] Traffic ring_traffic(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside);
/// Every GPU g to GPU (g + stride) mod gpus.
[[nodiscard]] Traffic shift_traffic(int gpus, int stride, double bytes);
/// Every GPU to another, each receives from one; none to itself.
[[nodiscard]] Traffic permutation_traffic(int gpus, double bytes, std::uint64_t seed);
/// Every rank sends bytes / n to each rank of its group of n, itself left out.
[[nodiscard]] Traffic all_to_all_traffic(std::span<const RankGroup> groups, double bytes);

/// Dispatch of tokens to experts, which stand evenly on the ranks of a group. A rank sends `bytes` in all, a token to
/// `top_k` different experts, drawn by popularity: expert e of a seeded order has weight (e + 1)^-skew; 0 is uniform.
/// Groups are alike in what is popular, not in what is drawn.
struct ExpertDispatch {
  int experts = 0, top_k = 1, tokens = 0;  // tokens of a rank
  double skew = 0;
  std::uint64_t seed = 1;
};
/// Throws InputError when the experts do not divide among the ranks or top_k exceeds them.
[[nodiscard]] Traffic dispatch_traffic(std::span<const RankGroup> groups, double bytes, const ExpertDispatch& dispatch);
/// All others of each group to its first rank.
[[nodiscard]] Traffic incast_traffic(std::span<const RankGroup> groups, double bytes);
/// Double binary trees over the domains of each group, chains inside: what an all_reduce of `bytes` sends, half of it
/// in each tree, up and down; channels as in ring_traffic.
[[nodiscard]] Traffic tree_traffic(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside);
/// Every rank `bytes` to the next of its group, the last to the first.
[[nodiscard]] Traffic neighbour_traffic(std::span<const RankGroup> groups, double bytes);
/// A pipeline from the first domain of each group through all others: a ring's traffic without the edge that closes it.
[[nodiscard]] Traffic broadcast_traffic(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside);

}  // namespace railyard
