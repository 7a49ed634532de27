// SPDX-License-Identifier: Apache-2.0
// What people and switches call the devices and ports of a fabric. Numbers count from one within the pod, the spine
// group or the core plane, so that a cluster that grows by whole pods keeps every name it had; widths are least widths,
// never a function of the size. Form of the names: topologies/exchange/FORMAT.md.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabric.h"

namespace railyard {

/// All roles.
inline constexpr std::array device_kinds{DeviceKind::node, DeviceKind::leaf, DeviceKind::spine, DeviceKind::core,
                                         DeviceKind::manager};

/// pod003-node017, pod003-leaf-r5, spine-g02-07, core-p03-11, ufm-2; switches of a design of several planes begin with
/// plane2-.
[[nodiscard]] std::vector<std::string> device_names(const Fabric& fabric);

/// Ports of a switch in order, as its software names them: InfiniBand 1/2 (cage/split; 17 when a cage holds one port),
/// from 200 Gb/s lanes on sw1p2; Ethernet swp1s0 (swp17).
[[nodiscard]] std::vector<std::string> port_names(const SwitchPart& part);
/// NIC ports of a node in order, as RDMA devices: mlx5_0, bnxt_re0, ionic_0.
[[nodiscard]] std::vector<std::string> port_names(const NicPart& part, int ports);

class FabricNames {
 public:
  FabricNames(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server);

  [[nodiscard]] std::string_view device(DeviceId id) const { return devices_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const std::vector<std::string>& devices() const { return devices_; }
  /// All ports of a device of this kind, by number.
  [[nodiscard]] const std::vector<std::string>& ports(DeviceKind kind) const {
    return ports_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::string_view port(DeviceKind kind, int port) const {
    return ports(kind)[static_cast<std::size_t>(port)];
  }

 private:
  std::vector<std::string> devices_;
  std::array<std::vector<std::string>, device_kinds.size()> ports_;
};

}  // namespace railyard
