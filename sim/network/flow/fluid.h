// SPDX-License-Identifier: Apache-2.0
// Flows over time: each starts when its time has come and what it waits for has arrived, runs at its max-min rate,
// which changes whenever another starts or ends, and arrives when its bytes are through. Events, not steps: between two
// of them every rate is constant, so that times are exact.
#pragma once

#include <span>
#include <vector>

#include "sim/network/flow/flow_set.h"

namespace railyard {

/// What a flow of a FlowSet carries, and when. Seconds and bytes, >= 0.
struct Transfer {
  double bytes = 0;
  double start = 0;    // not before this
  double latency = 0;  // between its start and its first byte; takes no bandwidth
};

/// Flow `then` starts when flow `first` has arrived.
struct Dependency {
  int first = 0, then = 0;
};

struct FluidResult {
  std::vector<double> arrivals;         // by flow; infinite when it never gets through
  std::vector<ResourceId> bottlenecks;  // by flow, as its last byte went; none: its own limit, or nothing
  std::vector<double> carried;          // bytes, by resource
  double end = 0;                       // last arrival
  int solves = 0;                       // times that rates were worked out anew
  /// Share of a resource's capacity that was used until `end`.
  [[nodiscard]] double utilisation(ResourceId resource, double capacity) const;
};

/// Transfers are those of the flows, by index. When flows start or end, only those are solved again whose rates may
/// change: a set that grows until every flow beside it still has a full resource on which none is faster for its
/// weight, which proves the whole allocation max-min fair. Flows that are alike advance together. Throws InputError
/// when dependencies form a circle.
[[nodiscard]] FluidResult simulate_flows(const FlowSet& flows, std::span<const double> capacities,
                                         std::span<const Transfer> transfers,
                                         std::span<const Dependency> dependencies = {});

}  // namespace railyard
