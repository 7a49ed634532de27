// SPDX-License-Identifier: Apache-2.0
// What a set of flows puts on every link of the fabric, and the link that runs full first. Loads are in bytes of the
// link per byte of the collective, so 1 / congestion is the bandwidth the collective gets.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/network/fabric_map.h"

namespace railyard {

enum class LinkClass : std::uint8_t { none, scale_up, nic, leaf_spine, spine_core };
/// "NIC", "leaf-spine uplinks", ...: for people.
[[nodiscard]] std::string_view to_string(LinkClass link_class);

/// The fullest link: seconds per byte of the collective, and what kind of link it is.
struct Bottleneck {
  double congestion = 0;
  LinkClass where = LinkClass::none;
  /// Takes `other` where it is fuller; of equals (to rounding) the one seen first stays.
  void meet(double other_congestion, LinkClass other_where);
};

/// Collects flows from NIC to NIC. Traffic between leaves is sprayed over all up/down paths as adaptive routing does:
/// on a whole fabric that is even spreading, and on a damaged one it settles where no link can be relieved. What bounds
/// it then is the tightest cut of: a leaf's links towards the leaves it talks to, a pair of leaves, a leaf's or a spine
/// group's way to the cores, a pair of groups. A cut only ever shrinks when links go, so removing one never speeds up.
class LinkLoads {
 public:
  explicit LinkLoads(const FabricMap& fabric);
  /// Adds `load` from one NIC to another.
  void add(int from_nic, int to_nic, double load);
  /// The two parts of it, for flows that are summed up elsewhere: what a NIC sends and takes, and what NICs of one leaf
  /// send to those of another.
  void load_nic(int nic, double out, double in);
  void load_leaves(int from_leaf, int to_leaf, double load);
  /// Throws InputError when two leaves that exchange traffic cannot reach each other.
  [[nodiscard]] Bottleneck fullest() const;

 private:
  struct Flow {
    int from = 0, to = 0;  // leaves
    double load = 0;
  };
  void compact();
  [[nodiscard]] std::vector<Flow> pairs() const;

  const FabricMap& fabric_;
  std::vector<double> nic_out_, nic_in_;
  std::vector<Flow> flows_;
};

}  // namespace railyard
