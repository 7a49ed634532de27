// SPDX-License-Identifier: Apache-2.0
// Max-min rates of flows that come and go. A change is answered by solving again as few groups of alike flows as may
// have other rates than before: first those that changed; then, as long as there are any, those beside them that have
// lost their proof, or that take from one of them what fairness would give it. What is left untouched still has a full
// resource on which nobody is faster for its weight, and together that proves the whole allocation max-min fair.
#pragma once

#include <span>
#include <vector>

#include "sim/network/flow/flow_set.h"
#include "sim/network/flow/solver.h"

namespace railyard {

class LiveRates {
 public:
  LiveRates(const FlowSet& flows, std::span<const double> capacities);

  [[nodiscard]] const FlowGroups& groups() const { return groups_; }
  [[nodiscard]] int group_of(int flow) const { return groups_.group_of[static_cast<std::size_t>(flow)]; }
  /// Flows of the group that are under way; none at first. Takes effect when settled.
  void set_count(int group, int count);
  /// Works rates out anew; the groups that were solved, whether or not their rates came out otherwise.
  std::span<const int> settle();
  /// Of each flow of the group.
  [[nodiscard]] double rate(int group) const { return states_[static_cast<std::size_t>(group)].rate; }
  [[nodiscard]] ResourceId bottleneck(int group) const { return states_[static_cast<std::size_t>(group)].bottleneck; }

 private:
  struct State {  // of a group
    double count = 0;
    double rate = 0;
    double weight = 1;
    ResourceId bottleneck = no_resource;
    bool changed = false;
    bool chosen = false;  // to be solved again; its use is then not in `used`
    [[nodiscard]] double level() const { return rate / weight; }
  };
  struct Link {               // of a resource
    double used = 0;          // by groups that are not chosen
    double added = 0;         // by those that are, as solved last
    double top = 0;           // highest level of the chosen on it
    double stop = unlimited;  // lowest level of the chosen that it stops
    int stopped = 0;          // groups not chosen that it stops
    bool touched = false;
  };
  struct User {
    int group = 0;
    double fraction = 1;
  };
  State& state(int group) { return states_[static_cast<std::size_t>(group)]; }
  void choose(int group);
  void solve();
  /// Chooses who must be solved as well; false when nobody must.
  bool widen();
  void commit();

  const FlowSet& flows_;
  std::span<const double> capacities_;
  FlowGroups groups_;
  ProgressiveFilling filling_;
  std::vector<State> states_;
  std::vector<Link> links_;                // by resource
  std::vector<std::uint32_t> first_user_;  // one more than resources
  std::vector<User> users_;
  std::vector<int> changed_, chosen_;
  std::vector<ResourceId> touched_;
  std::vector<double> taken_;  // by resource, as the solver reads it
  std::vector<ProgressiveFilling::Group> problem_;
  std::vector<int> active_;  // work space
};

}  // namespace railyard
