// SPDX-License-Identifier: Apache-2.0
// Each rail of a pod has as many leaves as a NIC has ports, so that no switch cuts off a GPU. The leaves of a rail meet
// in the spines, or each plane has spines of its own and the planes meet in the cores, if anywhere (Alibaba HPN,
// SIGCOMM 2024: dual-ToR, dual-plane).
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/families.h"
#include "topologies/tree_wiring.h"

namespace railyard {

namespace {

TreeOrder dual_leaves(const FabricOrder& order) {
  const Design& design = order.design;
  if (design.planes < 2) {
    throw InputError(fmt::format("design '{}' has one plane: 1 too few, a NIC of one port ends on one leaf", design.id),
                     "set planes to the NIC ports of a GPU, or choose rail-fat-tree");
  }
  const bool shared = design.planes_join == PlanesJoin::spines;
  TreeOrder trees = tree_order(order, shared ? Attachment::shared : Attachment::rails);
  trees.request.first_tier = 2;  // one switch would take both ports
  return trees;
}

}  // namespace

std::optional<Misfit> dual_tor_misfit(const FabricOrder& order) { return tree_misfit(order, dual_leaves(order)); }

Fabric build_dual_tor(const FabricOrder& order) { return wire_trees(order, dual_leaves(order)); }

}  // namespace railyard
