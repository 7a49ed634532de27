// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/solver.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace railyard {
namespace {

// Weight and room are kept by subtraction; sums are made anew when this share of the weight has gone, so that what was
// cancelled never outweighs what is left. Each new sum has lost half of its terms' weight: geometric, linear in uses
// when weights are alike.
constexpr double stale = 0.5;

}  // namespace

ProgressiveFilling::ProgressiveFilling(const FlowSet& flows, std::span<const double> capacities)
    : flows_(flows), capacities_(capacities), local_(capacities.size(), 0) {}

void ProgressiveFilling::collect(std::span<const Group> groups, std::span<const double> taken) {
  resources_.clear();
  for (const Group& group : groups) {
    const double weight = group.count * flows_.weight(group.flow);
    flows_.for_each_use(group.flow, [&](ResourceId id, double fraction) {
      assert(id < capacities_.size());
      std::uint32_t& place = local_[id];
      if (place >= resources_.size() || resources_[place].id != id) {
        place = static_cast<std::uint32_t>(resources_.size());
        const double room = capacities_[id] - (taken.empty() ? 0 : taken[id]);
        resources_.push_back({.id = id, .room = std::max(room, 0.0)});
      }
      Resource& resource = resources_[place];
      ++resource.active;
      resource.weight += weight * fraction;
    });
  }
  std::uint32_t first = 0;
  for (Resource& resource : resources_) {
    resource.first = first;
    resource.fresh_weight = resource.weight;
    first += resource.active;
  }
  members_.resize(first);
  fractions_.resize(first);
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    flows_.for_each_use(groups[group].flow, [&](ResourceId id, double fraction) {
      Resource& resource = resources_[local_[id]];
      members_[resource.first + resource.count] = group;
      fractions_[resource.first + resource.count++] = fraction;
    });
  }
}

void ProgressiveFilling::sum_again(Resource& resource, std::span<const Group> groups,
                                   std::span<const double> taken) const {
  double room = capacities_[resource.id] - (taken.empty() ? 0 : taken[resource.id]), weight = 0;
  for (std::uint32_t i = resource.first; i < resource.first + resource.count; ++i) {
    const Group& group = groups[members_[i]];
    if (frozen_[members_[i]] != 0) {
      room -= group.count * group.rate * fractions_[i];
    } else {
      weight += group.count * flows_.weight(group.flow) * fractions_[i];
    }
  }
  resource.room = std::max(room, 0.0);
  resource.weight = resource.fresh_weight = weight;
}

void ProgressiveFilling::freeze(std::span<Group> groups, std::uint32_t index, double rate, ResourceId bottleneck) {
  Group& group = groups[index];
  group.rate = rate;
  group.bottleneck = bottleneck;
  frozen_[index] = 1;
  --growing_;
  const double weight = group.count * flows_.weight(group.flow), taken = group.count * rate;
  flows_.for_each_use(group.flow, [&](ResourceId id, double fraction) {
    Resource& resource = resources_[local_[id]];
    --resource.active;
    resource.weight -= weight * fraction;
    resource.room = std::max(resource.room - taken * fraction, 0.0);
  });
}

void ProgressiveFilling::solve(std::span<Group> groups, std::span<const double> taken) {
  collect(groups, taken);
  frozen_.assign(groups.size(), 0);
  const auto resource_count = static_cast<std::uint32_t>(resources_.size());
  events_.clear();
  for (std::uint32_t i = 0; i < resource_count; ++i) {
    if (resources_[i].room < unlimited) events_.push_back({resources_[i].room / resources_[i].weight, i});
  }
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    const double limit = flows_.limit(groups[i].flow);
    if (limit < unlimited) events_.push_back({limit / flows_.weight(groups[i].flow), resource_count + i});
  }
  std::make_heap(events_.begin(), events_.end(), std::greater<>());
  growing_ = groups.size();
  while (growing_ > 0 && !events_.empty()) {
    std::pop_heap(events_.begin(), events_.end(), std::greater<>());
    Event event = events_.back();
    events_.pop_back();
    if (event.index >= resource_count) {
      const std::uint32_t group = event.index - resource_count;
      if (frozen_[group] == 0) freeze(groups, group, flows_.limit(groups[group].flow), no_resource);
      continue;
    }
    Resource& resource = resources_[event.index];
    if (resource.active == 0) continue;
    if (resource.weight < stale * resource.fresh_weight) sum_again(resource, groups, taken);
    // Flows that froze elsewhere left room: the level at which this one runs full can only have risen.
    const double level = std::max(resource.room / resource.weight, event.level);
    if (level > event.level && !events_.empty() && Event{level, event.index} > events_.front()) {
      events_.push_back({level, event.index});
      std::push_heap(events_.begin(), events_.end(), std::greater<>());
      continue;
    }
    for (std::uint32_t i = resource.first; i < resource.first + resource.count; ++i) {
      const std::uint32_t member = members_[i];
      if (frozen_[member] != 0) continue;
      const int flow = groups[member].flow;
      freeze(groups, member, std::min(level * flows_.weight(flow), flows_.limit(flow)), resource.id);
    }
  }
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    if (frozen_[i] == 0) {
      groups[i].rate = unlimited;
      groups[i].bottleneck = no_resource;
    }
  }
}

MaxMinRates max_min_rates(const FlowSet& flows, std::span<const double> capacities) {
  const FlowGroups alike = group_alike(flows);
  std::vector<ProgressiveFilling::Group> groups;
  groups.reserve(alike.first_flows.size());
  for (const int flow : alike.first_flows) groups.push_back({.flow = flow, .count = 0});
  for (const int group : alike.group_of) groups[static_cast<std::size_t>(group)].count += 1;
  ProgressiveFilling(flows, capacities).solve(groups, {});
  MaxMinRates result;
  result.rates.reserve(alike.group_of.size());
  result.bottlenecks.reserve(alike.group_of.size());
  for (const int index : alike.group_of) {
    const ProgressiveFilling::Group& group = groups[static_cast<std::size_t>(index)];
    result.rates.push_back(group.rate);
    result.bottlenecks.push_back(group.bottleneck);
  }
  return result;
}

}  // namespace railyard
