// SPDX-License-Identifier: Apache-2.0
// Where the ranks of a job sit: GPU g is on node g / gpus_per_node at rail g mod gpus_per_node, and scale-up domains
// are runs of GPUs. Gives the groups of a layout cut into domains, and the NICs by which two domains talk.
#pragma once

#include <span>
#include <vector>

#include "sim/network/fabric_map.h"
#include "sim/network/network.h"

namespace railyard {

/// One group: its GPUs in rank order, and the same by scale-up domain. Ranks rise with GPU numbers, so those of one
/// domain are adjacent, which is the order the libraries give their rings too.
struct RankGroup {
  RankGroup() = default;
  RankGroup(RankGroup&&) = default;  // never copied: `domains` points into `gpus`
  std::vector<int> gpus;
  std::vector<std::span<const int>> domains;
  [[nodiscard]] int size() const { return static_cast<int>(gpus.size()); }
  [[nodiscard]] int domain_count() const { return static_cast<int>(domains.size()); }
};

/// The way from one GPU to a GPU of another domain.
struct Hop {
  int from_nic = 0, to_nic = 0;
  int switches = 1;
  bool relayed = false;  // through the scale-up domain to another GPU's NIC first
};

class Placement {
 public:
  Placement(const FabricMap& fabric, int scale_up_gpus) : fabric_(fabric), scale_up_gpus_(scale_up_gpus) {}

  [[nodiscard]] int domain(int gpu) const { return gpu / scale_up_gpus_; }
  /// All groups of a layout. Throws InputError when they do not tile the GPUs.
  [[nodiscard]] std::vector<RankGroup> groups(const GroupLayout& layout) const;
  /// One group of GPUs in rising order. Throws InputError for fewer than two, another order or GPUs that do not exist.
  [[nodiscard]] RankGroup group(std::span<const int> gpus) const;
  /// Throws InputError naming what has no link.
  [[nodiscard]] Hop hop(int from, int to) const;

 private:
  [[nodiscard]] RankGroup cut(std::span<const int> gpus) const;
  const FabricMap& fabric_;
  int scale_up_gpus_;
};

}  // namespace railyard
