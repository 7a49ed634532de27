// SPDX-License-Identifier: Apache-2.0
#include "sim/network/double_tree.h"

#include <cassert>
#include <cstddef>

namespace railyard {
namespace {

// Parent in the binary tree over 0..nodes-1 whose root is 0: strip the lowest set bit and set the next one, unless that
// leaves the range.
int binary_tree_parent(int nodes, int node) {
  if (node == 0) return -1;
  const int bit = node & -node;
  const int parent = (node ^ bit) | (bit << 1);
  return parent >= nodes ? node ^ bit : parent;
}

}  // namespace

std::array<TreeParents, 2> double_binary_tree(int nodes) {
  assert(nodes >= 2);
  std::array<TreeParents, 2> trees{TreeParents(static_cast<std::size_t>(nodes)),
                                   TreeParents(static_cast<std::size_t>(nodes))};
  for (int node = 0; node < nodes; ++node) {
    const auto slot = static_cast<std::size_t>(node);
    trees[0][slot] = binary_tree_parent(nodes, node);
    const bool mirrored = nodes % 2 == 0;
    const int twin = mirrored ? nodes - 1 - node : (node + nodes - 1) % nodes;
    const int parent = binary_tree_parent(nodes, twin);
    trees[1][slot] = parent < 0 ? -1 : mirrored ? nodes - 1 - parent : (parent + 1) % nodes;
  }
  return trees;
}

}  // namespace railyard
