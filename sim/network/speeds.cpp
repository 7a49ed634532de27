// SPDX-License-Identifier: Apache-2.0
#include "sim/network/speeds.h"

#include <algorithm>

namespace railyard {

LinkSpeeds::LinkSpeeds(const CollectiveParameters& parameters, Speed speed, ScaleUpKind scale_up) : kind(scale_up) {
  const Scenario rate = speed == Speed::slow   ? Scenario::low
                        : speed == Speed::fast ? Scenario::high
                                               : Scenario::typical;
  const Scenario delay = speed == Speed::slow   ? Scenario::high
                         : speed == Speed::fast ? Scenario::low
                                                : Scenario::typical;
  ring = pick(parameters.scale_up_ring.value, rate).in(byte / second);
  link = pick(parameters.scale_up_link.value, rate).in(byte / second);
  efficiency = pick(parameters.scale_out_efficiency.value, rate);
  base_latency = pick(parameters.base_latency.value, delay).in(second);
  scale_up_hop = pick(parameters.scale_up_hop.value, delay).in(second);
  scale_out_hop = pick(parameters.scale_out_hop.value, delay).in(second);
  switch_latency = pick(parameters.switch_latency.value, delay).in(second);
}

double LinkSpeeds::ring_of(int ranks) const {
  return kind == ScaleUpKind::switched ? ring : std::min(ring, (ranks - 1) * link);
}

double LinkSpeeds::chain_of(int ranks) const {
  return kind == ScaleUpKind::switched ? ring : ring_of(ranks) * ranks / (ranks - 1);
}

double LinkSpeeds::network_hop(int switches, bool relayed) const {
  return scale_out_hop + (switches - 1) * switch_latency + (relayed ? scale_up_hop : 0);
}

}  // namespace railyard
