// SPDX-License-Identifier: Apache-2.0
#include "sim/network/placement.h"

#include "base/diagnostic.h"

namespace railyard {

std::vector<RankGroup> Placement::groups(const GroupLayout& layout) const {
  const std::int64_t tile = static_cast<std::int64_t>(layout.size) * layout.stride;
  if (layout.size < 1 || layout.stride < 1 || fabric_.gpus() % tile != 0) {
    throw InputError("groups of " + std::to_string(layout.size) + " GPUs, " + std::to_string(layout.stride) +
                         " apart, do not tile " + std::to_string(fabric_.gpus()) + " GPUs",
                     "a size times a distance that divides the number of GPUs");
  }
  std::vector<RankGroup> result(static_cast<std::size_t>(fabric_.gpus() / layout.size));
  int index = 0;
  for (RankGroup& group : result) {
    const int first = index / layout.stride * static_cast<int>(tile) + index % layout.stride;
    group.gpus.resize(static_cast<std::size_t>(layout.size));
    for (int rank = 0; rank < layout.size; ++rank) {
      group.gpus[static_cast<std::size_t>(rank)] = first + rank * layout.stride;
    }
    const std::span<const int> all(group.gpus);
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      while (end < all.size() && domain(all[end]) == domain(all[begin])) ++end;
      group.domains.push_back(all.subspan(begin, end - begin));
    }
    ++index;
  }
  return result;
}

Hop Placement::hop(int from, int to) const {
  Hop hop{.from_nic = fabric_.nic(from), .to_nic = fabric_.nic(to)};
  const int to_leaf = fabric_.leaf_of_nic(hop.to_nic);
  if (fabric_.leaf_of_nic(hop.from_nic) != to_leaf && fabric_.rail_wired(to_leaf)) {
    // Cross-rail traffic leaves by the NIC of the receiver's rail, reached over scale-up first, as the libraries do
    // ("PXN"): it then stays on its rail instead of climbing to the spines to change it.
    const int node_size = fabric_.gpus_per_node();
    const int relay = from / node_size * node_size + to % node_size;
    if (relay != from && domain(relay) == domain(from)) {
      hop.from_nic = fabric_.nic(relay);
      hop.relayed = true;
    }
  }
  hop.switches = fabric_.switches_between(fabric_.leaf_of_nic(hop.from_nic), to_leaf);
  return hop;
}

}  // namespace railyard
