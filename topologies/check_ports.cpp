// SPDX-License-Identifier: Apache-2.0
// Ports used once, and what is free.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "topologies/design_check.h"
#include "topologies/words.h"

namespace railyard {

namespace {

/// Ports of a device as the graph numbers them, and how many of these one of its own ports has.
struct Ports {
  int count = 0, split = 1;
};

Ports ports_of(const Device& device, const Cabling& cabling, int breakout) {
  const int count = cabling.cages(device.kind) * cabling.ports_per_cage(device.kind);
  return {count, device.kind == DeviceKind::leaf ? breakout : 1};
}

std::string name_of(const Device& device) { return fmt::format("{} {}", to_string(device.kind), device.index); }

/// Uses of each number of one device's ports. Links above a leaf take whole ports.
std::vector<int> uses_of(const Fabric& fabric, DeviceId id, const Ports& ports, int& outside) {
  std::vector<int> uses(static_cast<std::size_t>(ports.count), 0);
  for (const LinkId link_id : fabric.links_of(id)) {
    const Link& link = fabric.link(link_id);
    const int port = link.lower == id ? link.lower_port : link.upper_port;
    const int width = link.layer == Layer::node_leaf ? 1 : ports.split;
    for (int each = port; each < port + width; ++each) {
      if (each >= ports.count) {
        ++outside;
      } else {
        ++uses[static_cast<std::size_t>(each)];
      }
    }
  }
  return uses;
}

template <class Visit>
void for_each_device(const Fabric& fabric, const Visit& visit) {
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) visit(DeviceId{static_cast<std::uint32_t>(i)});
}

}  // namespace

std::vector<Finding> check_ports(const Fabric& fabric, const Cabling& cabling) {
  std::int64_t used = 0;
  std::vector<Finding> findings;
  for_each_device(fabric, [&](DeviceId id) {
    const Device& device = fabric.device(id);
    const Ports ports = ports_of(device, cabling, fabric.shape().breakout);
    int outside = 0;
    const std::vector<int> uses = uses_of(fabric, id, ports, outside);
    used += std::count_if(uses.begin(), uses.end(), [](int use) { return use > 0; });
    const auto twice = std::find_if(uses.begin(), uses.end(), [](int use) { return use > 1; });
    if (twice != uses.end()) {
      findings.push_back({"ports", CheckVerdict::fail,
                          fmt::format("port {} of {} is used {} times", twice - uses.begin(), name_of(device), *twice),
                          std::to_string(*twice), "1"});
    }
    if (outside > 0) {
      findings.push_back({"ports", CheckVerdict::fail,
                          fmt::format("{} at {} beyond its ports", counted(outside, "link"), name_of(device)),
                          std::to_string(outside), counted(ports.count, "port")});
    }
  });
  if (findings.empty()) {
    findings.push_back(
        {"ports", CheckVerdict::pass, "every port in use carries one link", counted(used, "port"), "once each"});
  }
  return findings;
}

std::vector<Finding> check_head_room(const Fabric& fabric, const Cabling& cabling) {
  std::vector<Finding> findings;
  for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
    if (fabric.count(kind) == 0) continue;
    int least = std::numeric_limits<int>::max(), most = 0, full = 0, ports_there = 0;
    for_each_device(fabric, [&](DeviceId id) {
      const Device& device = fabric.device(id);
      if (device.kind != kind) return;
      const Ports ports = ports_of(device, cabling, fabric.shape().breakout);
      int outside = 0;
      const std::vector<int> uses = uses_of(fabric, id, ports, outside);
      const int free_ports = static_cast<int>(std::count(uses.begin(), uses.end(), 0));
      least = std::min(least, free_ports);
      most = std::max(most, free_ports);
      full += free_ports == 0 ? 1 : 0;
      ports_there = ports.count;
    });
    const std::string free_ports = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
    const std::string name(to_string(kind));
    const std::string plural = kind == DeviceKind::leaf ? "leaves" : name + "s";
    findings.push_back(
        {"head-room", full > 0 ? CheckVerdict::warn : CheckVerdict::pass,
         full > 0 ? fmt::format("{} without a free port, of {}", counted(full, name, plural), fabric.count(kind))
                  : fmt::format("every {} has free ports", name),
         free_ports + " free", fmt::format("of {}", ports_there)});
  }
  return findings;
}

}  // namespace railyard
