// SPDX-License-Identifier: Apache-2.0
#include "sim/network/placement.h"

#include <algorithm>
#include <functional>

#include "base/diagnostic.h"

namespace railyard {

std::vector<RankGroup> Placement::groups(const GroupLayout& layout) const {
  const std::int64_t tile = static_cast<std::int64_t>(layout.size) * layout.stride;
  if (layout.size < 1 || layout.stride < 1 || fabric_.gpus() % tile != 0) {
    throw InputError("groups of " + std::to_string(layout.size) + " GPUs, " + std::to_string(layout.stride) +
                         " apart, do not tile " + std::to_string(fabric_.gpus()) + " GPUs",
                     "a size times a distance that divides the number of GPUs");
  }
  std::vector<RankGroup> result;
  result.reserve(static_cast<std::size_t>(fabric_.gpus() / layout.size));
  std::vector<int> gpus(static_cast<std::size_t>(layout.size));
  for (int index = 0; index < fabric_.gpus() / layout.size; ++index) {
    const int first = index / layout.stride * static_cast<int>(tile) + index % layout.stride;
    for (int rank = 0; rank < layout.size; ++rank) gpus[static_cast<std::size_t>(rank)] = first + rank * layout.stride;
    result.push_back(cut(gpus));
  }
  return result;
}

RankGroup Placement::group(std::span<const int> gpus) const {
  const bool rising = std::ranges::adjacent_find(gpus, std::greater_equal{}) == gpus.end();
  if (gpus.size() < 2 || !rising || gpus.front() < 0 || gpus.back() >= fabric_.gpus()) {
    throw InputError(
        "these " + std::to_string(gpus.size()) + " ranks are no group on " + std::to_string(fabric_.gpus()) + " GPUs",
        "two or more different GPUs of the fabric, in rising order");
  }
  return cut(gpus);
}

RankGroup Placement::cut(std::span<const int> gpus) const {
  RankGroup group;
  group.gpus.assign(gpus.begin(), gpus.end());
  const std::span<const int> all(group.gpus);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && domain(all[end]) == domain(all[begin])) ++end;
    group.domains.push_back(all.subspan(begin, end - begin));
  }
  return group;
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
