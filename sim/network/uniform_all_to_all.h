// SPDX-License-Identifier: Apache-2.0
// Every rank its share to every other of its group, by classes of flows that are alike: all that go from one NIC to the
// ranks of one rail, and all between two leaves. Work grows with ranks x rails and pairs of leaves, not with pairs of
// ranks, and the sums are the same.
#pragma once

#include <span>

#include "sim/network/routes.h"

namespace railyard {

/// What all groups together load, in seconds per byte that one GPU sends. Relayed bytes (rail changes inside the node)
/// leave by the sender's scale-up port beside its own, and enter by the relay's. Throws InputError when two ranks have
/// no way to each other.
[[nodiscard]] DirectRoute route_uniform_all_to_all(const Wiring& wiring, std::span<const RankGroup> groups);

}  // namespace railyard
