// SPDX-License-Identifier: Apache-2.0
// The racks of pods: nodes by the limits of a rack, leaves amid them, pods one after the other. What a pod in full
// needs is kept free for it, so that the places of the pods before it do not depend on the size of the cluster. Used by
// floor_builder.cpp alone.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "topologies/rack_packing.h"

namespace railyard {

/// Nodes [first, last) that share a rack.
struct NodeGroup {
  int first = 0, last = 0;
};

struct Pod {
  std::vector<NodeGroup> groups;
  std::vector<DeviceId> leaves;
  int row = 0;                          // of its first rack
  std::vector<std::size_t> racks;       // of nodes, by group
  std::vector<std::size_t> leaf_racks;  // perhaps shared with pods beside it
};

class PodRacks {
 public:
  /// Adds racks to `racks`. All arguments must outlive it.
  PodRacks(const Fabric& fabric, const ServerPart& server, const Site& site, const Hall& hall,
           const BoxCatalogue& boxes, std::vector<OpenRack>& racks);

  /// Places every node and leaf.
  void place();
  [[nodiscard]] std::span<const Pod> pods() const { return pods_; }
  /// Leaves that found no room among their nodes, with their pod's row.
  [[nodiscard]] std::span<const std::pair<DeviceId, int>> strays() const { return strays_; }

 private:
  void size_racks();
  [[nodiscard]] RackLimit limit_beside(int nodes, int leaves) const;
  void group_pods();
  [[nodiscard]] int full_racks(int pod) const;
  void place_block(int first, int last);
  [[nodiscard]] std::vector<Place> take_places(int count);
  [[nodiscard]] std::size_t middle_of(const std::vector<Place>& places, std::size_t count) const;
  std::size_t open(Place at, RackKind kind, int pod);
  void fill(const NodeGroup& group, OpenRack& open_rack) const;
  void put_leaves_among_nodes(Pod& pod, int full);

  const Fabric* fabric_;
  const ServerPart* server_;
  const Site* site_;
  const Hall* hall_;
  const BoxCatalogue* boxes_;
  std::vector<OpenRack>* racks_;
  int nodes_per_pod_ = 1, leaves_per_pod_ = 0;
  RackCapacity nodes_, leaves_;  // of one rack
  bool among_nodes_ = false;     // leaves
  std::vector<Pod> pods_;
  std::vector<std::pair<DeviceId, int>> strays_;
  int row_ = 0, place_ = 0;  // of the next pod, place among those for nodes
};

}  // namespace railyard
