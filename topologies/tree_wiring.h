// SPDX-License-Identifier: Apache-2.0
// Wires planned fat trees port by port. Every family of trees is a plan (fat_tree_plan.h) and a way in which the NIC
// ports of a node meet the leaves of its pod (Attachment).
#pragma once

#include "topologies/catalogue.h"
#include "topologies/fat_tree_plan.h"

namespace railyard {

/// How NIC port `rail x planes + plane` of a node finds its leaf. Leaves of a pod are one for each rail, or one for
/// all; trees are alike and share no spine.
enum class Attachment {
  rails,       // a leaf for each rail; a tree for each plane
  racks,       // one leaf for all rails; a tree for each plane
  rail_trees,  // a leaf and a tree for each rail and plane
  shared       // a leaf for each rail and plane, all in one tree
};

/// What a family asks for: attachment and the request for one of its trees.
struct TreeOrder {
  Attachment attachment = Attachment::rails;
  int rails = 0, planes = 1;
  FatTreeRequest request;
};

/// The order of a design as most families have it: rails by planes, ports and ratios from the design. Throws InputError
/// when the NIC ports of the server do not divide among the planes.
[[nodiscard]] TreeOrder tree_order(const FabricOrder& order, Attachment attachment);

/// Which ports are short in a tree of so many tiers that does not hold a single node.
[[nodiscard]] std::string shortage(const FatTreeRequest& request, int tiers);

/// Why the trees cannot be built, or nothing.
[[nodiscard]] std::optional<Misfit> tree_misfit(const FabricOrder& order, const TreeOrder& trees);

/// Wires the trees; they must fit.
[[nodiscard]] Fabric wire_trees(const FabricOrder& order, const TreeOrder& trees);

}  // namespace railyard
