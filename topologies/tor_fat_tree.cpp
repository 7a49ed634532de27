// SPDX-License-Identifier: Apache-2.0
// The nodes of a rack share one leaf, which takes all their NICs; racks meet in spines, groups of racks in cores. The
// form of Meta's Llama 3 cluster on Ethernet (arXiv:2407.21783): racks of two nodes, pods of 192 racks, 1:7 above.
#include "topologies/families.h"
#include "topologies/tree_wiring.h"

namespace railyard {

std::optional<Misfit> tor_fat_tree_misfit(const FabricOrder& order) {
  return tree_misfit(order, tree_order(order, Attachment::racks));
}

Fabric build_tor_fat_tree(const FabricOrder& order) { return wire_trees(order, tree_order(order, Attachment::racks)); }

}  // namespace railyard
