// SPDX-License-Identifier: Apache-2.0
#include "topologies/cage_groups.h"

namespace railyard {

namespace {

constexpr std::uint32_t no_first = 0xffffffff;

/// The least link of the set that `link` is in; halves the path on the way.
std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t link) {
  while (parent[link] != link) {
    parent[link] = parent[parent[link]];
    link = parent[link];
  }
  return link;
}

}  // namespace

CageGroups::CageGroups(const Fabric& fabric, const Cabling& cabling) {
  const std::size_t links = fabric.links().size();
  std::vector<std::uint32_t> first_cage(fabric.devices().size());
  std::uint32_t cages = 0;
  for (std::size_t i = 0; i < first_cage.size(); ++i) {
    first_cage[i] = cages;
    cages += static_cast<std::uint32_t>(cabling.cages(fabric.devices()[i].kind));
  }
  const auto cage = [&](DeviceId device, int port) {
    const int in_cage = cabling.ports_per_cage(fabric.device(device).kind);
    return first_cage[static_cast<std::size_t>(device)] + static_cast<std::uint32_t>(port / in_cage);
  };
  lower_.resize(links), upper_.resize(links);
  std::vector<std::uint32_t> parent(links), first_in_cage(cages, no_first);
  const auto join = [&](std::uint32_t in_cage, std::uint32_t link) {
    std::uint32_t& first = first_in_cage[in_cage];
    if (first == no_first) {
      first = link;
      return;
    }
    const std::uint32_t a = root_of(parent, first), b = root_of(parent, link);
    (a < b ? parent[b] : parent[a]) = std::min(a, b);
  };
  for (std::uint32_t i = 0; i < links; ++i) {
    const Link& link = fabric.links()[i];
    parent[i] = i;
    lower_[i] = cage(link.lower, link.lower_port);
    upper_[i] = cage(link.upper, link.upper_port);
    join(lower_[i], i);
    join(upper_[i], i);
  }
  // Roots are the least links of their groups: groups are numbered as their roots come.
  std::vector<std::uint32_t> group(links);
  std::uint32_t groups = 0;
  for (std::uint32_t i = 0; i < links; ++i) {
    const std::uint32_t root = root_of(parent, i);
    group[i] = root == i ? groups++ : group[root];
  }
  first_.assign(groups + 1, 0);
  for (const std::uint32_t of : group) ++first_[of + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  members_.resize(links);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < links; ++i) members_[next[group[i]]++] = LinkId{i};
}

}  // namespace railyard
