// SPDX-License-Identifier: Apache-2.0
#include "sim/report/fabric_svg/tier_groups.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard {
namespace {

/// What keeps the devices of a kind together.
std::pair<int, int> key_of(const Device& device) {
  const bool by_pod = device.kind == DeviceKind::node || device.kind == DeviceKind::leaf;
  return by_pod ? std::pair{0, device.pod} : std::pair{device.plane, device.group};
}

std::string label_of(const Device& device, const std::pair<int, int>& key, int planes, int first_group) {
  if (device.kind == DeviceKind::node || device.kind == DeviceKind::leaf) return fmt::format("pod {}", key.second + 1);
  const std::string plane = planes > 1 ? fmt::format("plane {}, ", key.first + 1) : "";
  return fmt::format("{}{} {}", plane, device.kind == DeviceKind::core ? "core plane" : "spine group",
                     key.second - first_group + 1);
}

}  // namespace

TierDrawing tiers_of(const Wiring& wiring) {
  const Fabric& fabric = wiring.fabric;
  TierDrawing drawing;
  std::array<int, device_kinds.size()> tier_of{};
  for (const DeviceKind kind : {DeviceKind::node, DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
    tier_of[static_cast<std::size_t>(kind)] = static_cast<int>(drawing.tiers.size());
    if (fabric.count(kind) > 0) drawing.tiers.push_back({kind, static_cast<int>(fabric.count(kind)), {}});
  }
  drawing.managers = static_cast<int>(fabric.count(DeviceKind::manager));

  std::map<std::pair<DeviceKind, int>, int> first_group;  // of a plane
  for (const Device& device : fabric.devices()) {
    const auto [first, fresh] = first_group.try_emplace({device.kind, device.plane}, device.group);
    if (!fresh) first->second = std::min(first->second, device.group);
  }
  std::vector<int> group_of(fabric.devices().size());
  std::map<std::pair<DeviceKind, std::pair<int, int>>, int> places;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const Device& device = fabric.devices()[i];
    if (device.kind == DeviceKind::manager) continue;
    Tier& tier = drawing.tiers[static_cast<std::size_t>(tier_of[static_cast<std::size_t>(device.kind)])];
    const auto key = key_of(device);
    const auto [place, fresh] = places.try_emplace({device.kind, key}, static_cast<int>(tier.groups.size()));
    if (fresh) {
      tier.groups.push_back(
          {label_of(device, key, fabric.shape().planes, first_group.at({device.kind, device.plane})), 0});
    }
    ++tier.groups[static_cast<std::size_t>(place->second)].devices;
    group_of[i] = place->second;
  }

  if (drawing.tiers.size() > 1) drawing.links.resize(drawing.tiers.size() - 1);
  std::vector<int> up(fabric.devices().size());
  for (const Link& link : fabric.links()) {
    const DeviceKind lower = wiring.kind(link.lower), upper = wiring.kind(link.upper);
    if (lower == DeviceKind::manager) continue;
    const int tier = tier_of[static_cast<std::size_t>(lower)];
    if (tier_of[static_cast<std::size_t>(upper)] != tier + 1) {
      ++drawing.inner_links;
      continue;
    }
    TierLinks& links = drawing.links[static_cast<std::size_t>(tier)];
    links.layer = link.layer;
    links.speed = std::max(links.speed, link.speed);
    ++links.links;
    ++links.between[{group_of[static_cast<std::size_t>(link.lower)], group_of[static_cast<std::size_t>(link.upper)]}];
    ++up[static_cast<std::size_t>(link.lower)];
  }
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const DeviceKind kind = fabric.devices()[i].kind;
    if (kind == DeviceKind::manager) continue;
    const auto tier = static_cast<std::size_t>(tier_of[static_cast<std::size_t>(kind)]);
    if (tier >= drawing.links.size()) continue;
    TierLinks& links = drawing.links[tier];
    links.most_up = std::max(links.most_up, up[i]);
    links.fewest_up = links.fewest_up == 0 ? up[i] : std::min(links.fewest_up, up[i]);
  }
  return drawing;
}

}  // namespace railyard
