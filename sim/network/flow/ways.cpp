// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/ways.h"

#include <algorithm>
#include <cassert>

namespace railyard {
namespace {

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Ways::Ways(const SwitchClasses& classes)
    : classes_(classes),
      known_(at(classes.count())),
      passes_(2 * at(classes.count()), -1),
      shares_(2 * at(classes.count()), 0) {}

const Ways::Distances& Ways::towards(int to) const {
  Distances& distances = known_[at(to)];
  if (!distances.climbing.empty()) return distances;
  std::vector<std::int8_t>&falling = distances.falling, &climbing = distances.climbing;
  falling.assign(at(classes_.count()), -1);
  climbing.assign(at(classes_.count()), -1);
  // Breadth first up from the target finds who reaches it by falling.
  std::vector<int> queue{to};
  falling[at(to)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const SwitchClasses::Bundle& bundle : classes_.bundles(queue[i])) {
      if (bundle.turn != Turn::up || falling[at(bundle.to)] >= 0) continue;
      falling[at(bundle.to)] = static_cast<std::int8_t>(falling[at(queue[i])] + 1);
      queue.push_back(bundle.to);
    }
  }
  // Then breadth first down from all of them, and from who reaches them across, nearest first.
  std::vector<std::vector<int>> by_steps;
  const auto reach = [&](int from, int steps) {
    if (climbing[at(from)] >= 0 && climbing[at(from)] <= steps) return;
    climbing[at(from)] = static_cast<std::int8_t>(steps);
    if (by_steps.size() <= at(steps)) by_steps.resize(at(steps) + 1);
    by_steps[at(steps)].push_back(from);
  };
  for (const int peak : queue) {
    reach(peak, falling[at(peak)]);
    for (const SwitchClasses::Bundle& bundle : classes_.bundles(peak)) {
      if (bundle.turn == Turn::across) reach(bundle.to, falling[at(peak)] + 1);
    }
  }
  for (std::size_t steps = 0; steps < by_steps.size(); ++steps) {
    for (std::size_t i = 0; i < by_steps[steps].size(); ++i) {
      const int above = by_steps[steps][i];
      if (at(climbing[at(above)]) != steps) continue;  // found nearer since
      for (const SwitchClasses::Bundle& bundle : classes_.bundles(above)) {
        if (bundle.turn == Turn::down) reach(bundle.to, static_cast<int>(steps) + 1);
      }
    }
  }
  return distances;
}

bool Ways::leads(int from, Phase phase, Turn turn, int next, int to) const {
  if (phase == Phase::falling && turn != Turn::down) return false;
  const Distances& distances = towards(to);
  const int left = (phase == Phase::climbing ? distances.climbing : distances.falling)[at(from)];
  const int then = (turn == Turn::up ? distances.climbing : distances.falling)[at(next)];
  return then >= 0 && then == left - 1;
}

double Ways::passes(Stop stop, int to) const {
  if (stop.at == to) return unlimited;
  double& known = passes_[place(stop)];
  if (known >= 0) return known;
  double sum = 0;
  for (const SwitchClasses::Bundle& bundle : classes_.bundles(stop.at)) {
    if (leads(stop.at, stop.phase, bundle.turn, bundle.to, to)) {
      sum += std::min(bundle.bandwidth, passes({bundle.to, after(bundle.turn)}, to));
    }
  }
  stops_.push_back(stop);
  return known = sum;
}

void Ways::spray(int from, int to, ResourceId first, std::vector<Use>& uses) const {
  assert(steps(from, to) >= 0);
  stops_.clear();
  passes({from, Phase::climbing}, to);
  shares_[place({from, Phase::climbing})] = 1;
  // A stop is noted after all that follow it, so that backwards every share is complete before it is handed on.
  for (auto stop = stops_.rbegin(); stop != stops_.rend(); ++stop) {
    const double share = shares_[place(*stop)], sum = passes_[place(*stop)];
    for (const SwitchClasses::Bundle& bundle : classes_.bundles(stop->at)) {
      if (!leads(stop->at, stop->phase, bundle.turn, bundle.to, to)) continue;
      const Stop next{bundle.to, after(bundle.turn)};
      const double part = share * (std::min(bundle.bandwidth, passes(next, to)) / sum);
      uses.push_back({first + 2 * static_cast<ResourceId>(bundle.index) + (bundle.forward ? 0U : 1U), part});
      if (bundle.to != to) shares_[place(next)] += part;
    }
  }
  for (const Stop stop : stops_) {
    passes_[place(stop)] = -1;
    shares_[place(stop)] = 0;
  }
}

}  // namespace railyard
