// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/flow_set.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/network/flow/mix.h"

namespace railyard {
namespace {

std::uint64_t fingerprint(const FlowSet& flows, int flow) {
  std::uint64_t seen =
      mixed(std::bit_cast<std::uint64_t>(flows.weight(flow)), std::bit_cast<std::uint64_t>(flows.limit(flow)));
  for (const Use& use : flows.own_uses(flow)) {
    seen = mixed(mixed(seen, use.resource), std::bit_cast<std::uint64_t>(use.fraction));
  }
  for (const PathUse& use : flows.path_uses(flow)) {
    seen = mixed(mixed(seen, static_cast<std::uint64_t>(use.path)), std::bit_cast<std::uint64_t>(use.fraction));
  }
  return seen;
}

bool alike(const FlowSet& flows, int a, int b) {
  return flows.weight(a) == flows.weight(b) && flows.limit(a) == flows.limit(b) &&
         std::ranges::equal(flows.own_uses(a), flows.own_uses(b)) &&
         std::ranges::equal(flows.path_uses(a), flows.path_uses(b));
}

}  // namespace

PathId FlowSet::add_path(std::span<const Use> uses) {
  assert(std::ranges::all_of(uses, [](const Use& use) { return use.fraction > 0; }));
  paths_.push_back({static_cast<std::uint32_t>(uses_.size()), static_cast<std::uint32_t>(uses.size())});
  uses_.insert(uses_.end(), uses.begin(), uses.end());
  return PathId{static_cast<std::uint32_t>(paths_.size() - 1)};
}

int FlowSet::add(std::span<const Use> own, std::span<const PathUse> paths, double weight, double limit) {
  assert(weight > 0 && weight < unlimited && limit >= 0);
  assert(std::ranges::all_of(own, [](const Use& use) { return use.fraction > 0; }));
  first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
  use_count_.push_back(static_cast<std::uint32_t>(own.size()));
  uses_.insert(uses_.end(), own.begin(), own.end());
  path_uses_.insert(path_uses_.end(), paths.begin(), paths.end());
  first_path_.push_back(static_cast<std::uint32_t>(path_uses_.size()));
  weights_.push_back(weight);
  limits_.push_back(limit);
  return size() - 1;
}

std::span<const Use> FlowSet::path(PathId id) const {
  const Range& range = paths_[static_cast<std::size_t>(id)];
  return std::span(uses_).subspan(range.first, range.count);
}

std::size_t FlowSet::footprint() const {
  return uses_.capacity() * sizeof(Use) + paths_.capacity() * sizeof(Range) +
         (first_use_.capacity() + use_count_.capacity() + first_path_.capacity()) * sizeof(std::uint32_t) +
         path_uses_.capacity() * sizeof(PathUse) + (weights_.capacity() + limits_.capacity()) * sizeof(double);
}

FlowGroups group_alike(const FlowSet& flows) {
  FlowGroups groups;
  const auto count = static_cast<std::size_t>(flows.size());
  groups.group_of.resize(count);
  // Open addressing: at most half full, so that a search ends.
  const std::size_t mask = std::bit_ceil(2 * count + 1) - 1;
  std::vector<int> table(mask + 1, -1);  // groups
  for (int flow = 0; flow < flows.size(); ++flow) {
    std::size_t slot = fingerprint(flows, flow) & mask;
    while (table[slot] >= 0 && !alike(flows, groups.first_flows[static_cast<std::size_t>(table[slot])], flow)) {
      slot = (slot + 1) & mask;
    }
    if (table[slot] < 0) {
      table[slot] = static_cast<int>(groups.first_flows.size());
      groups.first_flows.push_back(flow);
    }
    groups.group_of[static_cast<std::size_t>(flow)] = table[slot];
  }
  return groups;
}

}  // namespace railyard
