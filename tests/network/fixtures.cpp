// SPDX-License-Identifier: Apache-2.0
#include "tests/network/fixtures.h"

#include "sim/network/link_loads.h"

namespace railyard {
namespace {

class Wirer {
 public:
  DeviceId add(const Device& device) {
    devices.push_back(device);
    ports_.push_back(0);
    return DeviceId{static_cast<std::uint32_t>(devices.size() - 1)};
  }
  void link(DeviceId lower, DeviceId upper, Layer layer, double gigabits) {
    links.push_back({.lower = lower,
                     .upper = upper,
                     .lower_port = ports_[static_cast<std::size_t>(lower)]++,
                     .upper_port = ports_[static_cast<std::size_t>(upper)]++,
                     .layer = layer,
                     .speed = gigabits * gigabit_per_second});
  }
  std::vector<Device> devices;
  std::vector<Link> links;

 private:
  std::vector<std::uint16_t> ports_;
};

template <class Value>
Figure<Value> exactly(Value value) {
  return {.value = Range<Value>::exactly(value), .evidence = {}};
}

}  // namespace

Fabric wire(const SmallFabric& plan) {
  Wirer wirer;
  std::vector<DeviceId> nodes;
  std::vector<std::vector<DeviceId>> spines(static_cast<std::size_t>(plan.groups));
  for (int node = 0; node < plan.pods * plan.nodes_per_pod; ++node) {
    nodes.push_back(wirer.add({.kind = DeviceKind::node, .index = node, .pod = node / plan.nodes_per_pod}));
  }
  for (int spine = 0; spine < plan.groups * plan.spines; ++spine) {
    const int group = spine / plan.spines;
    spines[static_cast<std::size_t>(group)].push_back(
        wirer.add({.kind = DeviceKind::spine, .index = spine, .group = group}));
  }
  for (int pod = 0; pod < plan.pods; ++pod) {
    const int group = pod * plan.groups / plan.pods;
    for (int rail = 0; rail < plan.gpus_per_node; ++rail) {
      const DeviceId leaf = wirer.add({.kind = DeviceKind::leaf,
                                       .index = pod * plan.gpus_per_node + rail,
                                       .pod = pod,
                                       .rail = rail,
                                       .group = group});
      for (int i = 0; i < plan.nodes_per_pod; ++i) {
        const int node = pod * plan.nodes_per_pod + i;
        wirer.link(nodes[static_cast<std::size_t>(node)], leaf, Layer::node_leaf, plan.nic_gigabits);
      }
      for (const DeviceId spine : spines[static_cast<std::size_t>(group)]) {
        for (int i = 0; i < plan.bundle; ++i) wirer.link(leaf, spine, Layer::leaf_spine, plan.uplink_gigabits);
      }
    }
  }
  for (int core = 0; core < plan.spines * plan.cores; ++core) {
    const int plane = core / plan.cores;
    const DeviceId id = wirer.add({.kind = DeviceKind::core, .index = core, .group = plane});
    for (const std::vector<DeviceId>& group : spines) {
      for (int spine = 0; spine < plan.spines; ++spine) {
        if (plan.one_plane || spine == plane) {
          wirer.link(group[static_cast<std::size_t>(spine)], id, Layer::spine_core, plan.core_gigabits);
        }
      }
    }
  }
  const FabricShape shape{.gpus = plan.gpus(),
                          .gpus_per_node = plan.gpus_per_node,
                          .nodes = plan.pods * plan.nodes_per_pod,
                          .rails = plan.gpus_per_node,
                          .tiers = plan.spines == 0  ? 1
                                   : plan.cores == 0 ? 2
                                                     : 3,
                          .radix = 64,
                          .nodes_per_pod = plan.nodes_per_pod,
                          .pods = plan.pods,
                          .uplinks_per_leaf = plan.spines * plan.bundle};
  return Fabric(shape, wirer.devices, wirer.links);
}

Profile make_profile(const SmallProfile& plan) {
  Profile profile;
  profile.id = "hand-made";
  profile.collectives["infiniband"] = {.scale_up_ring = exactly(plan.ring_gb * gigabyte_per_second),
                                       .scale_up_link = exactly(plan.link_gb * gigabyte_per_second),
                                       .base_latency = exactly(plan.base_us * microsecond),
                                       .scale_up_hop = exactly(plan.scale_up_hop_us * microsecond),
                                       .scale_out_efficiency = exactly(plan.efficiency),
                                       .scale_out_hop = exactly(plan.scale_out_hop_us * microsecond),
                                       .switch_latency = exactly(plan.switch_us * microsecond)};
  return profile;
}

Network make_network(const Fabric& fabric, const SmallProfile& profile, ScaleUpKind kind, Algorithms enabled) {
  return Network(fabric, make_profile(profile), Speed::typical, "infiniband", fabric.shape().gpus_per_node, kind,
                 enabled);
}

double bus_gigabytes(const Network& network, Collective collective, Bytes bytes, const GroupLayout& groups) {
  const Seconds time = network.collective(collective, bytes, groups).time;
  return (bytes * bus_bandwidth_factor(collective, groups.size) / time).in(gigabyte_per_second);
}

double congestion(const Fabric& fabric, const std::vector<std::pair<int, int>>& flows) {
  const FabricMap map(fabric, 1);
  LinkLoads loads(map);
  for (const auto& [from, to] : flows) loads.add(map.nic(from), map.nic(to), 1);
  return loads.fullest().congestion;
}

Fabric thinned(const Fabric& fabric, DeviceId lower, DeviceId upper, int count) {
  std::vector<LinkId> removed;
  for (const LinkId id : fabric.links_of(lower)) {
    if (fabric.link(id).upper == upper && std::ssize(removed) < count) removed.push_back(id);
  }
  return fabric.without(removed);
}

std::vector<DeviceId> devices_of(const Fabric& fabric, DeviceKind kind) {
  std::vector<DeviceId> result;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    if (fabric.devices()[i].kind == kind) result.push_back(DeviceId{static_cast<std::uint32_t>(i)});
  }
  return result;
}

std::vector<LinkId> links_of(const Fabric& fabric, Layer layer) {
  std::vector<LinkId> result;
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    if (fabric.links()[i].layer == layer) result.push_back(LinkId{static_cast<std::uint32_t>(i)});
  }
  return result;
}

}  // namespace railyard
