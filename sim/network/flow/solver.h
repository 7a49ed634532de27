// SPDX-License-Identifier: Apache-2.0
// Weighted max-min fairness: the rates at which no flow can gain without taking from one that has less for its weight.
// This is what flow control settles to on links that flows share (Bertsekas and Gallager, Data Networks, 6.5.2).
#pragma once

#include <span>
#include <vector>

#include "sim/network/flow/flow_set.h"

namespace railyard {

struct MaxMinRates {
  std::vector<double> rates;            // by flow; infinite when neither a resource nor a limit stops it
  std::vector<ResourceId> bottlenecks;  // by flow: the full resource that stops it; none: its own limit, or nothing
};

/// Rates of all flows over resources of these capacities (>= 0, infinite allowed; uses name resources below their
/// number). Groups flows that are alike, then fills all at the same pace and freezes the flows of each resource that
/// runs full, next resource first: O(uses of groups + resources in use * log(resources in use)) but for resources whose
/// turn comes later than expected, which are looked at again. Deterministic.
[[nodiscard]] MaxMinRates max_min_rates(const FlowSet& flows, std::span<const double> capacities);

/// The filling itself over a part of the groups, for callers that solve again and again. Keeps its work space.
class ProgressiveFilling {
 public:
  ProgressiveFilling(const FlowSet& flows, std::span<const double> capacities);

  /// One flow of a group stands for `count` of them.
  struct Group {
    int flow = 0;
    double count = 1;
    double rate = 0;  // result, of each of them
    ResourceId bottleneck = no_resource;
  };
  /// Fills `groups` over what `taken` (by resource; empty: nothing) leaves of the capacities.
  void solve(std::span<Group> groups, std::span<const double> taken);

 private:
  struct Resource {
    ResourceId id = no_resource;
    std::uint32_t first = 0, count = 0;   // members
    std::uint32_t active = 0;             // uses by groups that still grow
    double room = 0;                      // capacity left by those that do not
    double weight = 0, fresh_weight = 0;  // of those that do; now, and when last summed
  };
  struct Event {
    double level = 0;
    std::uint32_t index = 0;  // of a resource, or resources + of a group
    bool operator>(const Event& other) const {
      return level > other.level || (level == other.level && index > other.index);
    }
  };
  void collect(std::span<const Group> groups, std::span<const double> taken);
  void sum_again(Resource& resource, std::span<const Group> groups, std::span<const double> taken) const;
  void freeze(std::span<Group> groups, std::uint32_t group, double rate, ResourceId bottleneck);

  const FlowSet& flows_;
  std::span<const double> capacities_;
  std::vector<std::uint32_t> local_;  // by resource id: place in resources_, valid when that names it
  std::vector<Resource> resources_;
  std::vector<std::uint32_t> members_;  // groups, by resource
  std::vector<double> fractions_;       // of each member
  std::vector<Event> events_;           // heap, lowest level first
  std::vector<char> frozen_;            // by group
  std::size_t growing_ = 0;             // groups that are not
};

}  // namespace railyard
