// SPDX-License-Identifier: Apache-2.0
// Small fabrics and profiles made by hand, so that every expected time can be worked out on paper.
#pragma once

#include "calibrate/profile/profile.h"
#include "sim/network/network.h"
#include "topologies/fabric.h"

namespace railyard {

/// A rail-optimised fabric: one leaf per rail and pod, every leaf to every spine of its group with `bundle` links,
/// spine i of every group to the cores of plane i.
struct SmallFabric {
  int pods = 1, nodes_per_pod = 2, gpus_per_node = 8;
  int groups = 1;
  int spines = 0;          // per group
  int bundle = 1;          // links between a leaf and a spine
  int cores = 0;           // per plane, each with one link to each spine of its plane
  bool one_plane = false;  // cores link to every spine instead
  double nic_gigabits = 400, uplink_gigabits = 400, core_gigabits = 400;

  [[nodiscard]] int gpus() const { return pods * nodes_per_pod * gpus_per_node; }
};
[[nodiscard]] Fabric wire(const SmallFabric& plan);

/// 24 GPUs below two tiers of doubled links; 32 below three, whose links get slower upwards.
inline constexpr SmallFabric doubled_two_tiers{
    .pods = 3, .nodes_per_pod = 4, .gpus_per_node = 2, .spines = 2, .bundle = 2};
inline constexpr SmallFabric slowing_three_tiers{.pods = 4,
                                                 .nodes_per_pod = 4,
                                                 .gpus_per_node = 2,
                                                 .groups = 2,
                                                 .spines = 4,
                                                 .cores = 2,
                                                 .uplink_gigabits = 200,
                                                 .core_gigabits = 100};

inline constexpr double link_rate = 50e9;  // 400 Gb/s in bytes per second

// What is expected is a sum or product of a few doubles.
inline constexpr double exact = 1e-12;

/// Speeds as round numbers; everything exact.
struct SmallProfile {
  double ring_gb = 300, link_gb = 300;  // GB/s
  double base_us = 0, scale_up_hop_us = 0, scale_out_hop_us = 0, switch_us = 0;
  double efficiency = 1;
};
[[nodiscard]] Profile make_profile(const SmallProfile& plan);

/// A network over a hand-made fabric whose domains are nodes.
[[nodiscard]] Network make_network(const Fabric& fabric, const SmallProfile& profile = {},
                                   ScaleUpKind kind = ScaleUpKind::switched, Algorithms enabled = {});

/// Bus bandwidth in GB/s as nccl-tests would print it.
[[nodiscard]] double bus_gigabytes(const Network& network, Collective collective, Bytes bytes,
                                   const GroupLayout& groups);

/// Seconds per byte of the fullest link when GPU `first` sends one byte per byte to GPU `second`, of all pairs at once.
[[nodiscard]] double congestion(const Fabric& fabric, const std::vector<std::pair<int, int>>& flows);

/// The fabric without `count` of the links between two devices, first wired first.
[[nodiscard]] Fabric thinned(const Fabric& fabric, DeviceId lower, DeviceId upper, int count);

/// Devices of one kind, in order.
[[nodiscard]] std::vector<DeviceId> devices_of(const Fabric& fabric, DeviceKind kind);
/// Links of one layer, in order.
[[nodiscard]] std::vector<LinkId> links_of(const Fabric& fabric, Layer layer);

}  // namespace railyard
