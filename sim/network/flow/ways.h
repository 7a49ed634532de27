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

  /// Steps from one class to another; -1: no way. Distances to `to` are worked out when first asked for.
  [[nodiscard]] int steps(int from, int to) const { return towards(to).climbing[static_cast<std::size_t>(from)]; }
  /// True when a turn from class `from` to class `next` is the first step of a shortest way to `to`.
  [[nodiscard]] bool leads(int from, Phase phase, Turn turn, int next, int to) const;
  [[nodiscard]] static Phase after(Turn turn) { return turn == Turn::up ? Phase::climbing : Phase::falling; }

  /// Bundles on all shortest ways, and the share of the traffic that each takes: at every switch in proportion to what
  /// a bundle and the narrowest part of its ways pass. `resource` of bundle b: first + 2 b, + 1 against its direction.
  void spray(int from, int to, ResourceId first, std::vector<Use>& uses) const;

 private:
  struct Distances {
    std::vector<std::int8_t> climbing, falling;  // by class; -1: none
  };
  struct Stop {  // of a packet, while spraying
    int at = 0;
    Phase phase = Phase::climbing;
  };
  [[nodiscard]] const Distances& towards(int to) const;
  double passes(Stop stop, int to) const;
  static std::size_t place(Stop stop) {
    return 2 * static_cast<std::size_t>(stop.at) + static_cast<std::size_t>(stop.phase);
  }

  const SwitchClasses& classes_;
  mutable std::vector<Distances> known_;  // by target
  // Work space: what passes from a stop to the target of the moment (negative: not known), and its share.
  mutable std::vector<double> passes_, shares_;
  mutable std::vector<Stop> stops_;
};

}  // namespace railyard
