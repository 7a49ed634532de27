// SPDX-License-Identifier: Apache-2.0
// The double binary tree of the collective libraries: two trees over the same nodes, each of which carries half of the
// bytes; a node that has children in one is a leaf of the other.
#pragma once

#include <array>
#include <vector>

namespace railyard {

/// Parent of every node; -1 at the root.
using TreeParents = std::vector<int>;

/// Construction of Sanders, Speck and Träff (2009) as NCCL numbers it (src/graph/trees.cc): the first tree by lowest
/// set bits, the second its mirror image (even counts) or its shift by one (odd counts). `nodes` >= 2.
[[nodiscard]] std::array<TreeParents, 2> double_binary_tree(int nodes);

}  // namespace railyard
