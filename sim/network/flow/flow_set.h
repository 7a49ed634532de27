// SPDX-License-Identifier: Apache-2.0
// Flows as the solver sees them: which share of its rate a flow puts on which resource. No network word in it: a
// resource is an index into a list of capacities. Uses that many flows have in common (the way between two leaves) are
// stored once, as a path, and referred to by range.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/index.h"

namespace railyard {

using ResourceId = std::uint32_t;
inline constexpr ResourceId no_resource = 0xffffffff;

/// A flow of rate x takes fraction * x of the resource. Fractions are positive; above 1 is allowed (a resource crossed
/// twice).
struct Use {
  ResourceId resource = no_resource;
  double fraction = 1;
  bool operator==(const Use&) const = default;
};

enum class PathId : std::uint32_t {};

/// A path taken by `fraction` of a flow.
struct PathUse {
  PathId path{};
  double fraction = 1;
  bool operator==(const PathUse&) const = default;
};

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Grows only. Flows are numbered from 0 in the order they were added.
class FlowSet {
 public:
  [[nodiscard]] PathId add_path(std::span<const Use> uses);
  /// `weight` > 0: the share a flow gets where it competes. `limit` >= 0: the rate it never exceeds.
  int add(std::span<const Use> own, std::span<const PathUse> paths = {}, double weight = 1, double limit = unlimited);

  [[nodiscard]] int size() const { return static_cast<int>(weights_.size()); }
  [[nodiscard]] double weight(int flow) const { return weights_[at(flow)]; }
  [[nodiscard]] double limit(int flow) const { return limits_[at(flow)]; }
  [[nodiscard]] std::span<const Use> own_uses(int flow) const {
    return std::span(uses_).subspan(first_use_[at(flow)], use_count_[at(flow)]);
  }
  [[nodiscard]] std::span<const PathUse> path_uses(int flow) const {
    return std::span(path_uses_).subspan(first_path_[at(flow)], first_path_[at(flow) + 1] - first_path_[at(flow)]);
  }
  [[nodiscard]] std::span<const Use> path(PathId id) const;
  /// Bytes that the set holds.
  [[nodiscard]] std::size_t footprint() const;

  /// visit(resource, fraction) for every use; a resource may come more than once.
  template <class Visit>
  void for_each_use(int flow, Visit&& visit) const {
    for (const Use& use : own_uses(flow)) visit(use.resource, use.fraction);
    for (const PathUse& part : path_uses(flow)) {
      for (const Use& use : path(part.path)) visit(use.resource, use.fraction * part.fraction);
    }
  }

 private:
  struct Range {
    std::uint32_t first = 0, count = 0;
  };

  std::vector<Use> uses_;  // of paths and of flows
  std::vector<Range> paths_;
  std::vector<std::uint32_t> first_use_, use_count_;  // by flow
  std::vector<std::uint32_t> first_path_{0};          // one more than flows
  std::vector<PathUse> path_uses_;
  std::vector<double> weights_, limits_;
};

/// Flows that are alike: same uses, weight and limit, so that they always have the same rate.
struct FlowGroups {
  std::vector<int> group_of;     // by flow
  std::vector<int> first_flows;  // by group, in order of their first flow
};
/// Linear in uses.
[[nodiscard]] FlowGroups group_alike(const FlowSet& flows);

}  // namespace railyard
