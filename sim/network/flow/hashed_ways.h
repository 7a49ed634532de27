// SPDX-License-Identifier: Apache-2.0
// ECMP: at each switch a hash of the connection picks one of the ports that lie on a shortest way, blind to what else
// goes there, so that connections collide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/flow/ways.h"

namespace railyard {

class HashedWays {
 public:
  /// `resource_of` by link: that of its upward direction, downward one above it; no_resource where no switch sends.
  HashedWays(const Fabric& fabric, const SwitchClasses& classes, const Ways& ways,
             std::span<const ResourceId> resource_of);

  /// The links that a connection takes between two switches, `fraction` of a flow on each. `connection` stands for its
  /// addresses and ports, `seed` for the switches' hashes.
  void add(DeviceId from, DeviceId to, std::uint64_t connection, std::uint64_t seed, double fraction,
           std::vector<Use>& uses) const;

 private:
  struct Port {
    DeviceId peer{};
    ResourceId resource = no_resource;
  };
  struct Run {  // ports of a switch that lead to one class
    int to = 0;
    Turn turn = Turn::up;
    std::uint32_t first = 0, count = 0;
  };
  [[nodiscard]] std::span<const Run> runs(DeviceId device) const {
    const auto i = static_cast<std::size_t>(device);
    return std::span(runs_).subspan(first_run_[i], first_run_[i + 1] - first_run_[i]);
  }

  const SwitchClasses& classes_;
  const Ways& ways_;
  std::vector<std::uint32_t> first_run_;  // one more than devices
  std::vector<Run> runs_;
  std::vector<Port> ports_;
};

}  // namespace railyard
