// SPDX-License-Identifier: Apache-2.0
// Leaves with fixed numbers of host and fabric ports, spines that forward cells: a leaf spreads every packet over all
// of its fabric links once the receiver has granted it. The ports of a leaf cannot be traded between hosts and fabric.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/families.h"
#include "topologies/tree_wiring.h"

namespace railyard {

namespace {

TreeOrder cells(const FabricOrder& order) {
  const Design& design = order.design;
  if (!design.leaf_ports) {
    throw InputError(fmt::format("design '{}': the leaf of a scheduled fabric has fixed ports", design.id),
                     "add leaf_ports: {node: ..., up: ...}");
  }
  TreeOrder trees = tree_order(order, Attachment::rails);
  trees.request.first_tier = 2;  // host ports end on line cards, and these speak to each other through spines
  return trees;
}

}  // namespace

std::optional<Misfit> scheduled_fabric_misfit(const FabricOrder& order) { return tree_misfit(order, cells(order)); }

Fabric build_scheduled_fabric(const FabricOrder& order) { return wire_trees(order, cells(order)); }

}  // namespace railyard
