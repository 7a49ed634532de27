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

 private:
  struct Known {                     // of a target
    std::vector<std::int8_t> steps;  // of inner classes, climbing and falling; -1: no way
    std::vector<double> shares;      // of inner classes
  };

 public:
  /// All ways that end at one class. Valid as long as the Ways it is from.
  class Target {
   public:
    /// Steps that are left from a class; -1: no way.
    [[nodiscard]] int steps(int from, Phase phase = Phase::climbing) const {
      const int inner = ways_.inner_[static_cast<std::size_t>(from)];
      if (inner < 0 && (from == to_ || phase == Phase::falling)) return from == to_ ? 0 : -1;
      if (inner < 0) return ways_.steps_from_below(*this, from);
      return known_.steps[2 * static_cast<std::size_t>(inner) + static_cast<std::size_t>(phase)];
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
    Target(const Ways& ways, int to, const Known& known) : ways_(ways), to_(to), known_(known) {}
    /// Part of what a class has below it that belongs to the target: 1 at the target.
    [[nodiscard]] double share(int of) const {
      const int inner = ways_.inner_[static_cast<std::size_t>(of)];
      return of == to_ ? 1 : inner < 0 ? 0 : known_.shares[static_cast<std::size_t>(inner)];
    }
    const Ways& ways_;
    int to_ = 0;
    const Known& known_;
  };
  /// Worked out when first asked for.
  [[nodiscard]] Target towards(int to) const;
  [[nodiscard]] static Phase after(Turn turn) { return turn == Turn::up ? Phase::climbing : Phase::falling; }

  /// Bundles on all shortest ways, and the share of the traffic that each takes: at every switch in proportion to what
  /// a bundle and the narrowest part behind it pass. Above its end, a link counts with the part of it that falls to the
  /// sender (going up) or to the receiver (going down) when every leaf below uses it by its own bandwidth: so a whole
  /// fabric is loaded evenly, and what is left of a damaged one by what it can still carry on to this receiver.
  /// `resource` of bundle b: first + 2 b, + 1 against its direction.
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
  [[nodiscard]] Known search(int to) const;
  double passes(Stop stop, const Target& source, const Target& target) const;
  static std::size_t place(Stop stop) {
    return 2 * static_cast<std::size_t>(stop.at) + static_cast<std::size_t>(stop.phase);
  }

  const SwitchClasses& classes_;
  std::vector<int> inner_;  // by class: its number among those that have classes below, or -1
  int inner_count_ = 0;
  mutable std::vector<Known> known_;  // by target
  // Work space: what passes from a stop to the target of the moment (negative: not known), and its share.
  mutable std::vector<double> passes_, shares_;
  mutable std::vector<Fork> forks_;
  mutable std::vector<Hop> hops_, pending_;
};

}  // namespace railyard
