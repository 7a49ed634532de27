// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/ways.h"

#include <algorithm>
#include <cassert>

#include "base/index.h"

namespace railyard {

Ways::Ways(const SwitchClasses& classes)
    : classes_(classes),
      inner_(at(classes.count()), -1),
      known_(at(classes.count())),
      passes_(2 * at(classes.count()), -1),
      shares_(2 * at(classes.count()), 0) {
  for (int index = 0; index < classes.count(); ++index) {
    const auto falls = [](const SwitchClasses::Bundle& bundle) { return bundle.turn == Turn::down; };
    if (std::ranges::any_of(classes.bundles(index), falls)) inner_[at(index)] = inner_count_++;
  }
}

Ways::Target Ways::towards(int to) const {
  Known& known = known_[at(to)];
  if (known.steps.empty()) known = search(to);
  return {*this, to, known};
}

int Ways::steps_from_below(const Target& target, int from) const {
  int least = -1;
  for (const SwitchClasses::Bundle& bundle : classes_.bundles(from)) {
    const int then = target.steps(bundle.to, after(bundle.turn));
    if (then >= 0 && (least < 0 || then + 1 < least)) least = then + 1;
  }
  return least;
}

Ways::Known Ways::search(int to) const {
  Known known{.steps = std::vector<std::int8_t>(2 * at(inner_count_) + 1, -1),  // one more: never empty
              .shares = std::vector<double>(at(inner_count_), 0)};
  const auto of = [&](int index, Phase phase) -> std::int8_t& {
    return known.steps[2 * at(inner_[at(index)]) + static_cast<std::size_t>(phase)];
  };
  // Breadth first up from the target finds who reaches it by falling.
  std::vector<std::pair<int, int>> peaks{{to, 0}};  // class, steps
  if (inner_[at(to)] >= 0) of(to, Phase::falling) = 0;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const auto [peak, left] = peaks[i];
    for (const SwitchClasses::Bundle& bundle : classes_.bundles(peak)) {
      if (bundle.turn != Turn::up || of(bundle.to, Phase::falling) >= 0) continue;
      of(bundle.to, Phase::falling) = static_cast<std::int8_t>(left + 1);
      peaks.emplace_back(bundle.to, left + 1);
    }
  }
  // Who falls in as many steps is complete before who needs one more.
  for (const auto& [peak, left] : peaks) {
    if (peak == to) continue;
    double own = 0, all = 0;
    for (const SwitchClasses::Bundle& bundle : classes_.bundles(peak)) {
      if (bundle.turn != Turn::down) continue;
      all += bundle.bandwidth;
      if (bundle.to == to) {
        own += bundle.bandwidth;
      } else if (inner_[at(bundle.to)] >= 0 && of(bundle.to, Phase::falling) == left - 1) {
        own += bundle.bandwidth * known.shares[at(inner_[at(bundle.to)])];
      }
    }
    known.shares[at(inner_[at(peak)])] = own / all;
  }
  // Then breadth first down from all of them, and from who reaches them across, nearest first.
  std::vector<std::vector<int>> by_steps;
  const auto reach = [&](int from, int left) {
    if (inner_[at(from)] < 0) return;
    std::int8_t& steps = of(from, Phase::climbing);
    if (steps >= 0 && steps <= left) return;
    steps = static_cast<std::int8_t>(left);
    if (by_steps.size() <= at(left)) by_steps.resize(at(left) + 1);
    by_steps[at(left)].push_back(from);
  };
  for (const auto& [peak, left] : peaks) {
    reach(peak, left);
    for (const SwitchClasses::Bundle& bundle : classes_.bundles(peak)) {
      if (bundle.turn == Turn::across) reach(bundle.to, left + 1);
    }
  }
  for (std::size_t left = 0; left < by_steps.size(); ++left) {
    for (std::size_t i = 0; i < by_steps[left].size(); ++i) {
      const int above = by_steps[left][i];
      if (at(of(above, Phase::climbing)) != left) continue;  // found nearer since
      for (const SwitchClasses::Bundle& bundle : classes_.bundles(above)) {
        if (bundle.turn == Turn::down) reach(bundle.to, static_cast<int>(left) + 1);
      }
    }
  }
  return known;
}

double Ways::passes(Stop stop, const Target& source, const Target& target) const {
  if (stop.at == target.to()) return unlimited;
  double& known = passes_[place(stop)];
  if (known >= 0) return known;
  double sum = 0;
  const std::size_t before = pending_.size();
  std::span<const SwitchClasses::Bundle> bundles = classes_.bundles(stop.at);
  if (target.steps(stop.at, stop.phase) == 1) {
    // The last step has one end; a switch above many leaves has many bundles.
    const auto last = std::ranges::lower_bound(bundles, target.to(), {}, &SwitchClasses::Bundle::to);
    bundles = bundles.subspan(static_cast<std::size_t>(last - bundles.begin()), 1);
  }
  for (const SwitchClasses::Bundle& bundle : bundles) {
    if (!target.leads(stop.at, stop.phase, bundle.turn, bundle.to)) continue;
    const double counted = (bundle.turn == Turn::down ? 1 : source.share(stop.at)) *
                           (bundle.turn == Turn::up ? 1 : target.share(bundle.to));
    const double part = std::min(bundle.bandwidth * counted, passes({bundle.to, after(bundle.turn)}, source, target));
    pending_.push_back({&bundle, part});
    sum += part;
  }
  forks_.push_back({stop, hops_.size(), pending_.size() - before});
  hops_.insert(hops_.end(), pending_.begin() + static_cast<std::ptrdiff_t>(before), pending_.end());
  pending_.resize(before);
  return known = sum;
}

void Ways::spray(int from, int to, ResourceId first, std::vector<Use>& uses) const {
  const Target source = towards(from), target = towards(to);
  assert(target.steps(from) >= 0);
  forks_.clear();
  hops_.clear();
  passes({from, Phase::climbing}, source, target);
  shares_[place({from, Phase::climbing})] = 1;
  // A fork is noted after all that follow it, so that backwards every share is complete before it is handed on.
  for (auto fork = forks_.rbegin(); fork != forks_.rend(); ++fork) {
    const double share = shares_[place(fork->stop)], sum = passes_[place(fork->stop)];
    for (const Hop& hop : std::span(hops_).subspan(fork->first, fork->count)) {
      const SwitchClasses::Bundle& bundle = *hop.bundle;
      const double part = share * (hop.passes / sum);
      uses.push_back({first + 2 * static_cast<ResourceId>(bundle.index) + (bundle.forward ? 0U : 1U), part});
      if (bundle.to != to) shares_[place({bundle.to, after(bundle.turn)})] += part;
    }
  }
  for (const Fork& fork : forks_) {
    passes_[place(fork.stop)] = -1;
    shares_[place(fork.stop)] = 0;
  }
}

}  // namespace railyard
