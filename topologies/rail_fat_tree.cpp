// SPDX-License-Identifier: Apache-2.0
// NICs of one local index share a leaf: one switch, leaves and spines, or leaves, spines and cores (DESIGN 5.2). Planes
// are trees of their own.
#include "topologies/families.h"
#include "topologies/tree_wiring.h"

namespace railyard {

std::optional<Misfit> rail_fat_tree_misfit(const FabricOrder& order) {
  return tree_misfit(order, tree_order(order, Attachment::rails));
}

Fabric build_rail_fat_tree(const FabricOrder& order) { return wire_trees(order, tree_order(order, Attachment::rails)); }

}  // namespace railyard
