// SPDX-License-Identifier: Apache-2.0
// Shortest ways between switches that go up, then at most once across, then down: computed on the classes of the wired
// graph, for whatever is left of it. A switch from which the receiver is no longer reached this way is never entered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/flow/flow_set.h"
#include "sim/network/flow/switch_classes.h"

namespace railyard {

/// Where a packet stands: it may still climb, or only go down.
enum class Phase : std::uint8_t { climbing, falling };

class Ways {
 public:
  explicit Ways(const SwitchClasses& classes);

  /// All ways that end at one class. Valid as long as the Ways it is from.
  class Target {
   public:
    /// Steps that are left from a class; -1: no way.
    [[nodiscard]] int steps(int from, Phase phase = Phase::climbing) const {
      const int inner = ways_.inner_[static_cast<std::size_t>(from)];
      if (inner < 0 && (from == to_ || phase == Phase::falling)) return from == to_ ? 0 : -1;
      if (inner < 0) return ways_.steps_from_below(*this, from);
      return steps_[2 * static_cast<std::size_t>(inner) + static_cast<std::size_t>(phase)];
    }
    /// True when a turn from class `from` to class `next` is the first step of a shortest way.
    [[nodiscard]] bool leads(int from, Phase phase, Turn turn, int next) const {
      if (phase == Phase::falling && turn != Turn::down) return false;
      const int then = steps(next, after(turn));
      return then >= 0 && then == steps(from, phase) - 1;
    }
    [[nodiscard]] int to() const { return to_; }

   private:
    friend class Ways;
    Target(const Ways& ways, int to, std::span<const std::int8_t> steps) : ways_(ways), to_(to), steps_(steps) {}
    const Ways& ways_;
    int to_ = 0;
    std::span<const std::int8_t> steps_;  // of inner classes, climbing and falling
  };
  /// Worked out when first asked for.
  [[nodiscard]] Target towards(int to) const;
  [[nodiscard]] static Phase after(Turn turn) { return turn == Turn::up ? Phase::climbing : Phase::falling; }

  /// Bundles on all shortest ways, and the share of the traffic that each takes: at every switch in proportion to what
  /// a bundle and the narrowest part of its ways pass. `resource` of bundle b: first + 2 b, + 1 against its direction.
  void spray(int from, int to, ResourceId first, std::vector<Use>& uses) const;

 private:
  struct Stop {  // of a packet, while spraying
    int at = 0;
    Phase phase = Phase::climbing;
  };
  struct Hop {
    const SwitchClasses::Bundle* bundle = nullptr;
    double passes = 0;
  };
  struct Fork {  // a stop with its hops
    Stop stop;
    std::size_t first = 0, count = 0;
  };
  /// Of a class with nothing below: looked at one by one, since there are many and few are asked for.
  [[nodiscard]] int steps_from_below(const Target& target, int from) const;
  [[nodiscard]] std::vector<std::int8_t> search(int to) const;
  double passes(Stop stop, const Target& target) const;
  static std::size_t place(Stop stop) {
    return 2 * static_cast<std::size_t>(stop.at) + static_cast<std::size_t>(stop.phase);
  }

  const SwitchClasses& classes_;
  std::vector<int> inner_;  // by class: its number among those that have classes below, or -1
  int inner_count_ = 0;
  mutable std::vector<std::vector<std::int8_t>> known_;  // by target
  // Work space: what passes from a stop to the target of the moment (negative: not known), and its share.
  mutable std::vector<double> passes_, shares_;
  mutable std::vector<Fork> forks_;
  mutable std::vector<Hop> hops_, pending_;
};

}  // namespace railyard
