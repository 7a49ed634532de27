// SPDX-License-Identifier: Apache-2.0
// A fabric with the names of its devices and ports: what the readers of this room give and the comparison takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabric.h"
#include "topologies/names.h"

namespace railyard {

/// Bytes of the largest file that is read: the GraphML of 131 072 GPUs is a third of it.
inline constexpr std::size_t largest_wiring_file = 512U << 20U;
/// Characters of the name of a device or port.
inline constexpr std::size_t longest_wiring_name = 128;

struct PortNames {
  std::string lower, upper;
};

struct NamedFabric {
  std::string design;  // its id, when the file says so
  Fabric fabric;
  std::vector<std::string> devices;  // by DeviceId
  std::vector<PortNames> ports;      // by LinkId
};

/// The planned fabric with its names.
[[nodiscard]] NamedFabric named(const Fabric& fabric, const FabricNames& names, std::string design);

/// What a reader has gathered before it is known to be a fabric.
struct FabricDraft {
  std::string design;
  FabricShape shape;
  std::vector<Device> devices;
  std::vector<std::string> names;
  std::vector<Link> links;
  std::vector<PortNames> ports;
};

/// Checks what Fabric relies on: counts agree, nodes in order, NIC ports within the node, every port once. Throws
/// InputError that names the file, the device and the port.
[[nodiscard]] NamedFabric checked(FabricDraft draft, const std::string& file);

}  // namespace railyard
