// SPDX-License-Identifier: Apache-2.0
// How much slower traffic is than its ends alone would make it: what collisions of hashed routing, failed links and
// oversubscription cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/flow/paths.h"
#include "sim/network/flow/traffic.h"

namespace railyard {

/// The fullest resource of a set of messages.
struct Congestion {
  double time = 0;  // seconds: its bytes over its capacity
  ResourceId resource = no_resource;
};

/// Time of messages that advance in proportion to their bytes, as those of a collective do: no resource can be through
/// with its bytes earlier. Messages of equal bytes that start together take exactly this under max-min fairness too.
[[nodiscard]] Congestion lockstep_time(const FlowNetwork& network, const RoutedMessages& routed,
                                       std::span<const Message> messages);

/// The same over NICs, PCIe and scale-up only: a fabric between them that is never in the way.
[[nodiscard]] Congestion ends_time(const FlowNetwork& network, const RoutedMessages& routed,
                                   std::span<const Message> messages);

/// lockstep_time over ends_time: 1 when the fabric is not in the way.
[[nodiscard]] double slowdown(const FlowNetwork& network, std::span<const Message> messages);

/// Slowdown of hashed routing, by seed, in the order of the seeds.
[[nodiscard]] std::vector<double> ecmp_slowdowns(const Fabric& fabric, const EndLimits& ends, const RoutingRule& rule,
                                                 std::span<const Message> messages,
                                                 std::span<const std::uint64_t> seeds);

/// Of a sample that is not empty; percentiles by linear interpolation between order statistics.
struct Spread {
  double least = 0, median = 0, p90 = 0, most = 0;
};
[[nodiscard]] Spread spread_of(std::vector<double> sample);

}  // namespace railyard
