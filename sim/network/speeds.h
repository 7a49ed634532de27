// SPDX-License-Identifier: Apache-2.0
// The library's speeds over one fabric at one end of their ranges, as bare numbers in base units, and what follows from
// them for the scale-up domain.
#pragma once

#include "calibrate/profile/profile.h"
#include "topologies/parts.h"

namespace railyard {

struct LinkSpeeds {
  double ring = 0, link = 0;                                                         // bytes per second
  double base_latency = 0, scale_up_hop = 0, scale_out_hop = 0, switch_latency = 0;  // seconds
  double efficiency = 1;                                                             // of a link's line rate
  ScaleUpKind kind = ScaleUpKind::switched;

  LinkSpeeds(const CollectiveParameters& parameters, Speed speed, ScaleUpKind scale_up);

  /// Bus bandwidth of rings inside a domain. Switched: that of any number of ranks. Mesh: `ranks` GPUs have ranks - 1
  /// links each to one another, and the complete graph falls into as many rings; a pair sees one link.
  [[nodiscard]] double ring_of(int ranks) const;
  /// The same for a ring that runs on to other domains. Switched: the library's channels bound it as inside. Mesh: the
  /// links carry chains of ranks - 1 of every `ranks` edges, so they last for ranks / (ranks - 1) as much.
  [[nodiscard]] double chain_of(int ranks) const;
  /// One step over the network with `switches` on the way (the profile's hop has one), after a relay over scale-up.
  [[nodiscard]] double network_hop(int switches, bool relayed) const;
};

}  // namespace railyard
