// SPDX-License-Identifier: Apache-2.0
#include "sim/network/fabric_map.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/diagnostic.h"
#include "base/index.h"

namespace railyard {
namespace {

std::size_t device_index(DeviceId id) { return static_cast<std::size_t>(id); }

double bytes_per_second(Bandwidth bandwidth) { return bandwidth.in(byte / second); }

/// Root of `item`, halving the path on the way.
int root_of(std::vector<int>& parents, int item) {
  while (parents[static_cast<std::size_t>(item)] != item) {
    int& parent = parents[static_cast<std::size_t>(item)];
    parent = parents[static_cast<std::size_t>(parent)];
    item = parent;
  }
  return item;
}

}  // namespace

FabricMap::FabricMap(const Fabric& fabric, double efficiency)
    : gpus_(fabric.shape().gpus), gpus_per_node_(fabric.shape().gpus_per_node) {
  const std::span<const Device> devices = fabric.devices();
  std::vector<int> dense(devices.size(), -1);  // index of a device among the switches of its kind
  std::map<int, int> group_numbers;
  std::map<DeviceKind, std::vector<int>> first_plane;  // dense indices, as the twins in other planes are numbered
  std::map<DeviceKind, std::size_t> twins;             // met in planes above the first
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Device& device = devices[i];
    if (device.plane > 0) {
      const std::vector<int>& of_kind = first_plane[device.kind];
      dense[i] = of_kind[twins[device.kind]++ % of_kind.size()];
      continue;
    }
    switch (device.kind) {
      case DeviceKind::leaf:
        dense[i] = static_cast<int>(leaves_.size());
        leaves_.push_back({.device = device, .group = 0, .to_cores = 0, .uplinks = {}});
        group_numbers.emplace(device.group, 0);
        break;
      case DeviceKind::spine:
        dense[i] = static_cast<int>(spines_.size());
        spines_.push_back({.group = device.group});
        group_numbers.emplace(device.group, 0);
        break;
      case DeviceKind::core:
        dense[i] = cores_++;
        break;
      case DeviceKind::node:
      case DeviceKind::manager:
        break;
    }
    first_plane[device.kind].push_back(dense[i]);
  }
  for (auto& [label, number] : group_numbers) number = groups_++;
  for (Leaf& leaf : leaves_) leaf.group = group_numbers.at(leaf.device.group);
  for (Spine& spine : spines_) spine.group = group_numbers.at(spine.group);
  number_global_links(fabric, dense);
  read_nics(fabric, dense, efficiency);
  read_switch_links(fabric, dense, efficiency);
  join_planes(fabric, dense);
  sum_groups();
}

void FabricMap::read_nics(const Fabric& fabric, std::span<const int> dense, double efficiency) {
  nic_of_gpu_.assign(at(gpus_), -1);
  std::vector<int> nic_of_link(fabric.links().size(), -1);
  for (int gpu = 0; gpu < gpus_; ++gpu) {
    for (int plane = 0; plane < fabric.shape().planes; ++plane) {
      LinkId id{};
      try {
        id = fabric.nic_link(gpu, plane);
      } catch (const InputError&) {
        continue;  // removed: an error only for traffic that needs it
      }
      const Link& link = fabric.link(id);
      int& known = nic_of_link[static_cast<std::size_t>(id)];  // neighbours may share a port
      if (known < 0) {
        known = nic_of_gpu_[at(gpu)];
        if (known < 0) {
          known = nics();
          nics_.push_back({.leaf = dense[device_index(link.upper)], .bandwidth = 0});
        }
        nics_[at(known)].bandwidth += bytes_per_second(link.speed) * efficiency;
      }
      nic_of_gpu_[at(gpu)] = known;
    }
  }
}

void FabricMap::number_global_links(const Fabric& fabric, std::span<const int> dense) {
  for (const Link& link : fabric.links()) {
    if (link.layer != Layer::spine_spine) continue;
    const int a = spines_[at(dense[device_index(link.lower)])].group,
              b = spines_[at(dense[device_index(link.upper)])].group;
    if (core_of_groups_.try_emplace(std::minmax(a, b), cores_).second) ++cores_;
  }
}

int FabricMap::core_of(const Link& link, std::span<const int> dense) const {
  const int upper = dense[device_index(link.upper)];
  if (link.layer != Layer::spine_spine) return upper;
  return core_of_groups_.at(std::minmax(spines_[at(dense[device_index(link.lower)])].group, spines_[at(upper)].group));
}

void FabricMap::read_switch_links(const Fabric& fabric, std::span<const int> dense, double efficiency) {
  group_cores_.assign(at(groups_) * at(cores_), 0);
  for (const Link& link : fabric.links()) {
    const int lower = dense[device_index(link.lower)], upper = dense[device_index(link.upper)];
    const double bandwidth = bytes_per_second(link.speed) * efficiency;
    if (link.layer == Layer::leaf_spine) {
      leaves_[at(lower)].uplinks.push_back({upper, bandwidth});
      spines_[at(upper)].from_leaves += bandwidth;
    } else if (link.layer != Layer::node_leaf) {
      const int core = core_of(link, dense);
      const auto add = [&](Spine& spine) {
        spine.to_cores += bandwidth;
        group_cores_[at(spine.group) * at(cores_) + at(core)] += bandwidth;
      };
      add(spines_[at(lower)]);
      if (link.layer == Layer::spine_spine) add(spines_[at(upper)]);
    }
  }
  for (Leaf& leaf : leaves_) {
    std::vector<Bundle>& links = leaf.uplinks;
    std::stable_sort(links.begin(), links.end(), [](const Bundle& a, const Bundle& b) { return a.spine < b.spine; });
    std::vector<Bundle> bundles;
    for (const Bundle& link : links) {
      if (bundles.empty() || bundles.back().spine != link.spine) {
        bundles.push_back(link);
      } else {
        bundles.back().bandwidth += link.bandwidth;
      }
    }
    links = std::move(bundles);
  }
}

void FabricMap::join_planes(const Fabric& fabric, std::span<const int> dense) {
  const int spines = static_cast<int>(spines_.size());
  std::vector<int> parents(at(spines + cores_));
  std::iota(parents.begin(), parents.end(), 0);
  for (const Link& link : fabric.links()) {
    if (link.layer == Layer::node_leaf || link.layer == Layer::leaf_spine) continue;
    const auto join = [&](DeviceId spine_id) {
      const int spine = root_of(parents, dense[device_index(spine_id)]);
      const int core = root_of(parents, spines + core_of(link, dense));
      parents[at(std::max(spine, core))] = std::min(spine, core);
    };
    join(link.lower);
    if (link.layer == Layer::spine_spine) join(link.upper);
  }
  std::vector<int> numbers(parents.size(), -1);
  for (int spine = 0; spine < spines; ++spine) {
    int& number = numbers[at(root_of(parents, spine))];
    if (number < 0) number = planes_++;
    spines_[at(spine)].plane = number;
  }
  leaf_planes_.assign(leaves_.size() * at(planes_), 0);
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    for (const Bundle& bundle : leaves_[leaf].uplinks) {
      const Spine& spine = spines_[at(bundle.spine)];
      leaf_planes_[leaf * at(planes_) + at(spine.plane)] += bundle.bandwidth;
      leaves_[leaf].to_cores += std::min(bundle.bandwidth, spine.to_cores);
    }
  }
}

void FabricMap::sum_groups() {
  group_to_cores_.assign(at(groups_), 0);
  for (const Spine& spine : spines_) {
    group_to_cores_[at(spine.group)] += std::min(spine.from_leaves, spine.to_cores);
  }
}

int FabricMap::nic(int gpu) const {
  const int nic = nic_of_gpu_[at(gpu)];
  if (nic < 0) {
    throw InputError("GPU " + std::to_string(gpu) + " (node " + std::to_string(gpu / gpus_per_node_) + ", rail " +
                         std::to_string(gpu % gpus_per_node_) + ") has no link into the fabric",
                     "a job without this GPU, or a fabric with its link");
  }
  return nic;
}

int FabricMap::switches_between(int a, int b) const {
  if (a == b) return 1;
  const std::vector<Bundle>&up = leaves_[at(a)].uplinks, &down = leaves_[at(b)].uplinks;
  for (auto i = up.begin(), j = down.begin(); i != up.end() && j != down.end();) {
    if (i->spine == j->spine) return 3;
    (i->spine < j->spine ? i : j) += 1;
  }
  if (pair_bandwidth(a, b) > 0) return core_of_groups_.empty() ? 5 : 4;
  throw InputError(leaf_name(a) + " cannot reach " + leaf_name(b) + ": no spine or core links them",
                   "a fabric in which every pair of leaves of the job is linked");
}

double FabricMap::pair_bandwidth(int a, int b) const {
  // Max-flow: a spine that both leaves reach turns as much as both its bundles take; what is left of the larger bundle
  // may still go over the cores of that plane.
  const std::vector<Bundle>&up = leaves_[at(a)].uplinks, &down = leaves_[at(b)].uplinks;
  std::vector<double> left(2 * at(planes_), 0);
  const auto leave = [&](std::size_t side, const Bundle& bundle, double used) {
    const Spine& spine = spines_[at(bundle.spine)];
    left[side * at(planes_) + at(spine.plane)] += std::min(bundle.bandwidth - used, spine.to_cores);
  };
  double total = 0;
  auto i = up.begin(), j = down.begin();
  while (i != up.end() || j != down.end()) {
    if (j == down.end() || (i != up.end() && i->spine < j->spine)) {
      leave(0, *i++, 0);
    } else if (i == up.end() || j->spine < i->spine) {
      leave(1, *j++, 0);
    } else {
      const double turned = std::min(i->bandwidth, j->bandwidth);
      total += turned;
      leave(0, *i++, turned);
      leave(1, *j++, turned);
    }
  }
  for (std::size_t plane = 0; plane < at(planes_); ++plane) total += std::min(left[plane], left[at(planes_) + plane]);
  return total;
}

std::span<const double> FabricMap::plane_bandwidth(int leaf) const {
  return std::span(leaf_planes_).subspan(at(leaf) * at(planes_), at(planes_));
}

double FabricMap::group_pair_bandwidth(int a, int b) const {
  double total = 0;
  for (std::size_t core = 0; core < at(cores_); ++core) {
    total += std::min(group_cores_[at(a) * at(cores_) + core], group_cores_[at(b) * at(cores_) + core]);
  }
  if (total == 0) {
    throw InputError("two spine groups that exchange traffic share no core",
                     "a fabric in which every pair of spine groups of the job is linked");
  }
  return total;
}

std::string FabricMap::leaf_name(int leaf) const {
  const Device& device = leaves_[at(leaf)].device;
  std::string name = "leaf " + std::to_string(device.index);
  if (device.pod >= 0) name += " (pod " + std::to_string(device.pod);
  if (device.pod >= 0 && device.rail >= 0) name += ", rail " + std::to_string(device.rail);
  if (device.pod >= 0) name += ")";
  return name;
}

}  // namespace railyard
