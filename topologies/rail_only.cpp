// SPDX-License-Identifier: Apache-2.0
// Every rail is a network of its own, one switch or a tree: no switch above the leaves joins two rails, and traffic
// that changes rail goes through scale-up (Wang et al., arXiv:2307.12169).
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/families.h"
#include "topologies/tree_wiring.h"

namespace railyard {

namespace {

TreeOrder rail_trees(const FabricOrder& order) {
  if (order.design.ufm) {
    throw InputError(fmt::format("design '{}': UFM ends on one of several networks", order.design.id),
                     "leave out ufm: every rail would need appliances of its own");
  }
  return tree_order(order, Attachment::rail_trees);
}

}  // namespace

std::optional<Misfit> rail_only_misfit(const FabricOrder& order) { return tree_misfit(order, rail_trees(order)); }

Fabric build_rail_only(const FabricOrder& order) { return wire_trees(order, rail_trees(order)); }

}  // namespace railyard
