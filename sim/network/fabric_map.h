// SPDX-License-Identifier: Apache-2.0
// The fabric as traffic sees it: NIC ports, and the links between two switches added up to one bundle each. Taken from
// the wired graph once; indices are dense so that loads can be kept in arrays. Planes of a design are added up to one:
// a leaf stands for its twins in all planes, since every message is spread over a GPU's ports. The global links between
// two groups of a dragonfly count as a core of their own, which takes the shortest ways only.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "topologies/fabric.h"

namespace railyard {

/// Bandwidths are bytes per second one way; every link carries them in both directions at once.
class FabricMap {
 public:
  /// `efficiency`: payload share of a link's line rate. It holds for every link of the fabric, not only for the NIC's:
  /// packet headers and acknowledgements travel the whole way.
  FabricMap(const Fabric& fabric, double efficiency);

  [[nodiscard]] int gpus() const { return gpus_; }
  [[nodiscard]] int gpus_per_node() const { return gpus_per_node_; }
  [[nodiscard]] int nics() const { return static_cast<int>(nics_.size()); }
  [[nodiscard]] int leaves() const { return static_cast<int>(leaves_.size()); }
  [[nodiscard]] int groups() const { return groups_; }
  [[nodiscard]] int planes() const { return planes_; }

  /// The NIC ports of a GPU, one of each plane, taken together. Throws InputError when none has a link.
  [[nodiscard]] int nic(int gpu) const;
  [[nodiscard]] double nic_bandwidth(int nic) const { return nics_[at(nic)].bandwidth; }
  [[nodiscard]] int leaf_of_nic(int nic) const { return nics_[at(nic)].leaf; }
  /// True when the leaf takes one rail only, so that a sender does well to use the NIC of the receiver's rail.
  [[nodiscard]] bool rail_wired(int leaf) const { return leaves_[at(leaf)].device.rail >= 0; }
  [[nodiscard]] int group(int leaf) const { return leaves_[at(leaf)].group; }

  /// Switches on the shortest way from leaf to leaf: 1 (the same), 3 (by a spine), 5 (by a core) or 4 (by a global link
  /// of a dragonfly). Throws InputError naming both when there is none.
  [[nodiscard]] int switches_between(int a, int b) const;
  /// Largest flow between two leaves if they were alone, over all spines and core planes.
  [[nodiscard]] double pair_bandwidth(int a, int b) const;
  /// Of a leaf into each plane (a spine, or spines that share cores).
  [[nodiscard]] std::span<const double> plane_bandwidth(int leaf) const;
  /// What a leaf, or all leaves of a spine group together, can send up to the cores.
  [[nodiscard]] double core_bandwidth_of_leaf(int leaf) const { return leaves_[at(leaf)].to_cores; }
  [[nodiscard]] double core_bandwidth_of_group(int group) const { return group_to_cores_[at(group)]; }
  /// Largest flow between two spine groups if they were alone. Throws InputError when they share no core.
  [[nodiscard]] double group_pair_bandwidth(int a, int b) const;

  /// "leaf 3 (pod 0, rail 3)".
  [[nodiscard]] std::string leaf_name(int leaf) const;

 private:
  struct Nic {
    int leaf = -1;
    double bandwidth = 0;
  };
  struct Bundle {
    int spine = 0;
    double bandwidth = 0;
  };
  struct Leaf {
    Device device;
    int group = 0;
    double to_cores = 0;
    std::vector<Bundle> uplinks;  // by spine
  };
  struct Spine {
    int group = -1, plane = 0;
    double from_leaves = 0, to_cores = 0;
  };
  void read_nics(const Fabric& fabric, std::span<const int> dense, double efficiency);
  void read_switch_links(const Fabric& fabric, std::span<const int> dense, double efficiency);
  void number_global_links(const Fabric& fabric, std::span<const int> dense);
  [[nodiscard]] int core_of(const Link& link, std::span<const int> dense) const;
  void join_planes(const Fabric& fabric, std::span<const int> dense);
  void sum_groups();

  int gpus_ = 0, gpus_per_node_ = 1, groups_ = 0, planes_ = 0, cores_ = 0;
  std::vector<int> nic_of_gpu_;  // -1: none
  std::vector<Nic> nics_;
  std::vector<Leaf> leaves_;
  std::vector<Spine> spines_;
  std::vector<double> leaf_planes_;     // leaves x planes
  std::vector<double> group_to_cores_;  // groups
  std::vector<double> group_cores_;     // groups x cores
  std::map<std::pair<int, int>, int>
      core_of_groups_;  // of a dragonfly: two groups to the core that stands for their links
};

}  // namespace railyard
