// SPDX-License-Identifier: Apache-2.0
// The switches of a fabric, put together where traffic cannot tell them apart: the coarsest equitable partition (colour
// refinement) in which every switch that a node is plugged into stays alone. All members of a class have as much
// bandwidth to each other class, so traffic that is spread by bandwidth loads the links between two classes alike, and
// they can be one resource: an exact reduction (Grohe, Kersting, Mladenov, Selman 2014, "Dimension reduction via colour
// refinement"). A whole three-tier fabric comes down to its leaves, its spine groups and one class of cores; what a
// failed link touches falls apart as far as it must.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/fabric.h"

namespace railyard {

/// Where a link leads, seen from one of its ends.
enum class Turn : std::uint8_t { up, across, down };

class SwitchClasses {
 public:
  explicit SwitchClasses(const Fabric& fabric);

  /// Links between two classes, seen from one of them.
  struct Bundle {
    int to = 0;  // class
    Turn turn = Turn::up;
    double bandwidth = 0;  // bytes per second of line rate, of all members together
    int index = 0;         // of the bundle; the same from both ends
    bool forward = true;   // seen from the end that comes first, whose direction its first resource has
  };
  [[nodiscard]] int count() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] int bundle_count() const { return bundle_count_; }
  /// -1 for what is no switch.
  [[nodiscard]] int class_of(DeviceId device) const { return class_of_[static_cast<std::size_t>(device)]; }
  /// One of its members, and how many there are.
  [[nodiscard]] DeviceId member(int index) const { return members_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] int size(int index) const { return sizes_[static_cast<std::size_t>(index)]; }
  /// By index of the class at its other end.
  [[nodiscard]] std::span<const Bundle> bundles(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return std::span(bundles_).subspan(first_bundle_[i], first_bundle_[i + 1] - first_bundle_[i]);
  }

 private:
  void add_bundles(const Fabric& fabric);

  std::vector<int> class_of_;  // by device
  std::vector<DeviceId> members_;
  std::vector<int> sizes_;
  std::vector<std::size_t> first_bundle_;  // one more than classes
  std::vector<Bundle> bundles_;
  int bundle_count_ = 0;
};

/// Which way a link leads from `end`; between devices of one kind it is neither up nor down.
[[nodiscard]] Turn turn_of(const Fabric& fabric, const Link& link, DeviceId end);

}  // namespace railyard
