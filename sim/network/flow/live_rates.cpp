// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/live_rates.h"

#include <algorithm>
#include <cassert>

namespace railyard {
namespace {

// Levels and loads are equal up to this: far above rounding, far below what rates are promised to.
constexpr double level_rounding = 1e-11;

// Widening step by step pays while few are concerned; later, or after many steps, all are solved at once.
constexpr int most_rounds = 12;
constexpr std::size_t few = 64;

}  // namespace

LiveRates::LiveRates(const FlowSet& flows, std::span<const double> capacities)
    : flows_(flows),
      capacities_(capacities),
      groups_(group_alike(flows)),
      filling_(flows, capacities),
      states_(groups_.first_flows.size()),
      links_(capacities.size()),
      first_user_(capacities.size() + 1, 0),
      taken_(capacities.size(), 0) {
  for (const int flow : groups_.first_flows) {
    flows_.for_each_use(flow, [&](ResourceId id, double) { ++first_user_[id + 1]; });
  }
  for (std::size_t id = 0; id < capacities.size(); ++id) first_user_[id + 1] += first_user_[id];
  users_.resize(first_user_.back());
  std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
  for (std::size_t group = 0; group < states_.size(); ++group) {
    states_[group].weight = flows_.weight(groups_.first_flows[group]);
    flows_.for_each_use(groups_.first_flows[group], [&](ResourceId id, double fraction) {
      users_[next[id]++] = {static_cast<int>(group), fraction};
    });
  }
}

void LiveRates::set_count(int group, int count) {
  State& found = state(group);
  assert(count >= 0);
  if (!found.changed) {
    found.changed = true;
    changed_.push_back(group);
    choose(group);
  }
  found.count = count;
}

void LiveRates::choose(int group) {
  State& found = state(group);
  found.chosen = true;
  const bool counted = found.count > 0;
  if (counted && found.bottleneck != no_resource) --links_[found.bottleneck].stopped;
  const double load = counted && found.rate < unlimited ? found.count * found.rate : 0;
  flows_.for_each_use(groups_.first_flows[static_cast<std::size_t>(group)], [&](ResourceId id, double fraction) {
    Link& link = links_[id];
    link.used = std::max(link.used - load * fraction, 0.0);
    if (!link.touched) {
      link.touched = true;
      touched_.push_back(id);
    }
  });
}

void LiveRates::solve() {
  for (const ResourceId id : touched_) {
    Link& link = links_[id];
    taken_[id] = link.used;
    link.added = link.top = 0;
    link.stop = unlimited;
  }
  problem_.clear();
  for (const int group : chosen_) {
    problem_.push_back({.flow = groups_.first_flows[static_cast<std::size_t>(group)], .count = state(group).count});
  }
  filling_.solve(problem_, taken_);
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    State& found = state(chosen_[i]);
    found.rate = problem_[i].rate;
    found.bottleneck = problem_[i].bottleneck;
    if (found.bottleneck != no_resource) {
      double& stop = links_[found.bottleneck].stop;
      stop = std::min(stop, found.level());
    }
    if (found.rate == unlimited) continue;
    flows_.for_each_use(problem_[i].flow, [&](ResourceId id, double fraction) {
      links_[id].added += found.count * found.rate * fraction;
      links_[id].top = std::max(links_[id].top, found.level());
    });
  }
}

bool LiveRates::widen() {
  const std::size_t before = chosen_.size();
  const std::size_t known = touched_.size();  // choosing touches more, which are looked at in the next round
  for (std::size_t i = 0; i < known; ++i) {
    const ResourceId id = touched_[i];
    Link& link = links_[id];
    if (link.stopped == 0 && link.stop == unlimited) continue;  // proves nothing to anybody
    const auto users = std::span(users_).subspan(first_user_[id], first_user_[id + 1] - first_user_[id]);
    double top = link.top, used = 0;
    for (const User& user : users) {
      const State& other = state(user.group);
      if (other.chosen || other.count == 0) continue;
      top = std::max(top, other.level());
      used += other.count * other.rate * user.fraction;
    }
    const bool full = used + link.added >= capacities_[id] * (1 - level_rounding);
    for (const User& user : users) {
      const State& other = state(user.group);
      if (other.chosen || other.count == 0) continue;
      const bool proof_lost = other.bottleneck == id && (!full || other.level() < top * (1 - level_rounding));
      if (proof_lost || other.level() > link.stop * (1 + level_rounding)) {
        choose(user.group);
        chosen_.push_back(user.group);
      }
    }
  }
  return chosen_.size() > before;
}

void LiveRates::commit() {
  for (const int group : chosen_) {
    State& found = state(group);
    found.chosen = false;
    if (found.bottleneck != no_resource) ++links_[found.bottleneck].stopped;
  }
  for (const ResourceId id : touched_) {
    links_[id].used += links_[id].added;
    links_[id].touched = false;
  }
  touched_.clear();
}

std::span<const int> LiveRates::settle() {
  chosen_.clear();
  for (const int group : changed_) {
    State& found = state(group);
    found.changed = false;
    if (found.count > 0) {
      chosen_.push_back(group);
    } else {
      found.chosen = false;
      found.rate = 0;
      found.bottleneck = no_resource;
    }
  }
  changed_.clear();
  solve();
  for (int round = 1; widen(); ++round) {
    if (round >= most_rounds || (chosen_.size() > few && chosen_.size() > states_.size() / 4)) {
      for (int group = 0; group < static_cast<int>(states_.size()); ++group) {
        if (state(group).chosen || state(group).count == 0) continue;
        choose(group);
        chosen_.push_back(group);
      }
    }
    solve();
  }
  commit();
  return chosen_;
}

}  // namespace railyard
