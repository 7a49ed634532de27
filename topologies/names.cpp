// SPDX-License-Identifier: Apache-2.0
#include "topologies/names.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

namespace railyard {

namespace {

/// What a name tells of a device before its running number.
using Bucket = std::tuple<DeviceKind, int, int, int, int>;  // plane, pod, group, rail

Bucket bucket_of(const Device& device) {
  switch (device.kind) {
    case DeviceKind::node:
      return {device.kind, 0, device.pod, -1, -1};
    case DeviceKind::leaf:
      return {device.kind, device.plane, device.pod, -1, device.rail};
    case DeviceKind::spine:
    case DeviceKind::core:
      return {device.kind, device.plane, -1, device.group, -1};
    case DeviceKind::manager:
      break;
  }
  return {device.kind, 0, -1, -1, -1};
}

/// Names in the order of the devices; buckets are counted first, since a leaf that is alone on its rail of a pod needs
/// no number.
class Namer {
 public:
  explicit Namer(const Fabric& fabric) : planes_(fabric.shape().planes) {
    for (const Device& device : fabric.devices()) {
      ++sizes_[bucket_of(device)];
      const auto [first, fresh] = first_group_.try_emplace({device.kind, device.plane}, device.group);
      if (!fresh) first->second = std::min(first->second, device.group);
      if (device.kind == DeviceKind::leaf) leaf_alone_ = leaf_alone_ && sizes_[bucket_of(device)] == 1;
    }
  }

  std::string name(const Device& device) {
    const int number = ++numbers_[bucket_of(device)];
    const std::string plane =
        planes_ > 1 && device.kind != DeviceKind::node ? fmt::format("plane{}-", device.plane + 1) : "";
    const int group = device.group - first_group_.at({device.kind, device.plane}) + 1;
    switch (device.kind) {
      case DeviceKind::node:
        return fmt::format("pod{:03}-node{:03}", device.pod + 1, number);
      case DeviceKind::leaf:
        if (device.rail < 0) return fmt::format("{}pod{:03}-leaf-{:02}", plane, device.pod + 1, number);
        if (leaf_alone_) return fmt::format("{}pod{:03}-leaf-r{}", plane, device.pod + 1, device.rail + 1);
        return fmt::format("{}pod{:03}-leaf-r{}-{:02}", plane, device.pod + 1, device.rail + 1, number);
      case DeviceKind::spine:
        return fmt::format("{}spine-g{:02}-{:02}", plane, group, number);
      case DeviceKind::core:
        return fmt::format("{}core-p{:02}-{:02}", plane, group, number);
      case DeviceKind::manager:
        break;
    }
    return fmt::format("ufm-{}", number);
  }

 private:
  int planes_ = 1;
  bool leaf_alone_ = true;
  std::map<Bucket, int> sizes_, numbers_;
  std::map<std::pair<DeviceKind, int>, int> first_group_;  // groups are numbered through all planes
};

/// How the drivers of a vendor call the RDMA device of port {}.
struct HcaNaming {
  std::string_view vendor, pattern;
};
constexpr std::array hca_namings{HcaNaming{"NVIDIA", "mlx5_{}"}, HcaNaming{"Broadcom", "bnxt_re{}"},
                                 HcaNaming{"AMD", "ionic_{}"}};

std::string_view hca_pattern(const NicPart& part) {
  for (const HcaNaming& naming : hca_namings) {
    if (part.name.starts_with(naming.vendor)) return naming.pattern;
  }
  return "rdma{}";
}

}  // namespace

std::vector<std::string> device_names(const Fabric& fabric) {
  Namer namer(fabric);
  std::vector<std::string> names;
  names.reserve(fabric.devices().size());
  for (const Device& device : fabric.devices()) names.push_back(namer.name(device));
  return names;
}

std::vector<std::string> port_names(const SwitchPart& part) {
  const bool ethernet = part.fabric == "ethernet", one = part.ports_per_cage == 1;
  const bool numbered_by_switch = part.lane_rate >= 200 * gigabit_per_second;  // NVOS, from XDR on
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(part.ports()));
  for (int cage = 1; cage <= part.cages; ++cage) {
    for (int split = 0; split < part.ports_per_cage; ++split) {
      if (ethernet) {
        names.push_back(one ? fmt::format("swp{}", cage) : fmt::format("swp{}s{}", cage, split));
      } else if (numbered_by_switch) {
        names.push_back(fmt::format("sw{}p{}", cage, split + 1));
      } else {
        names.push_back(one ? fmt::format("{}", cage) : fmt::format("{}/{}", cage, split + 1));
      }
    }
  }
  return names;
}

std::vector<std::string> port_names(const NicPart& part, int ports) {
  std::vector<std::string> names;
  for (int port = 0; port < ports; ++port) names.push_back(fmt::format(fmt::runtime(hca_pattern(part)), port));
  return names;
}

FabricNames::FabricNames(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server)
    : devices_(device_names(fabric)) {
  for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
    SwitchPart part = parts.switch_part(design.switch_of(kind));
    if (kind == DeviceKind::leaf) part.ports_per_cage *= design.breakout;  // as the graph numbers them
    ports_[static_cast<std::size_t>(kind)] = port_names(part);
  }
  const NicPart& nic = parts.nic(server.nic);
  ports_[static_cast<std::size_t>(DeviceKind::node)] = port_names(nic, server.ports());
  ports_[static_cast<std::size_t>(DeviceKind::manager)] = port_names(nic, 1);
}

}  // namespace railyard
