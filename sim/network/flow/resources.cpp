// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/resources.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/index.h"

namespace railyard {
namespace {

ResourceKind kind_between(const Fabric& fabric, DeviceId lower, DeviceId upper) {
  const DeviceKind below = fabric.device(lower).kind, above = fabric.device(upper).kind;
  if (below == above) return ResourceKind::between_peers;
  return below == DeviceKind::leaf ? ResourceKind::leaf_spine : ResourceKind::spine_core;
}

}  // namespace

std::string_view to_string(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::library:
      return "library channels";
    case ResourceKind::scale_up:
      return "scale-up";
    case ResourceKind::pcie:
      return "PCIe";
    case ResourceKind::nic:
      return "NIC";
    case ResourceKind::leaf_spine:
      return "leaf-spine uplinks";
    case ResourceKind::spine_core:
      return "spine-core uplinks";
    case ResourceKind::between_peers:
      return "links between groups";
  }
  return "nothing";
}

ResourceTable::ResourceTable(const Fabric& fabric, const SwitchClasses& classes, const EndLimits& ends,
                             const RoutingRule& rule)
    : fabric_(fabric), ends_(ends), gpus_(fabric.shape().gpus), planes_(fabric.shape().planes) {
  assert(ends.scale_up_gpus >= 1 && ends.efficiency > 0 && rule.connections >= 1);
  read_ports(fabric);
  first_[switches] = static_cast<ResourceId>(capacities_.size());
  read_switches(fabric, classes, rule.spreading == Spreading::hashed);
  const bool mesh = ends.scale_up == ScaleUpKind::mesh;
  add_block(scale_up, at(gpus_) * (mesh ? at(ends.scale_up_gpus) : 2), mesh ? ends.scale_up_link : ends.scale_up_port);
  add_block(pcie, 2 * at(gpus_), ends.pcie);
  add_block(library, at(gpus_), ends.library);
  first_[block_count] = static_cast<ResourceId>(capacities_.size());
}

void ResourceTable::add_block(Block block, std::size_t count, double capacity) {
  first_[block] = static_cast<ResourceId>(capacities_.size());
  if (capacity < unlimited) capacities_.insert(capacities_.end(), count, capacity);
}

void ResourceTable::read_ports(const Fabric& fabric) {
  port_of_gpu_.assign(at(gpus_) * at(planes_), -1);
  std::vector<int> port_of_link(fabric.links().size(), -1);  // neighbours may share a port
  for (int gpu = 0; gpu < gpus_; ++gpu) {
    for (int plane = 0; plane < planes_; ++plane) {
      LinkId id{};
      try {
        id = fabric.nic_link(gpu, plane);
      } catch (const InputError&) {
        continue;  // removed: an error only for traffic that needs it
      }
      int& port = port_of_link[static_cast<std::size_t>(id)];
      if (port < 0) {
        port = static_cast<int>(ports_.size());
        const Link& link = fabric.link(id);
        const double bandwidth = link.speed.in(byte / second) * ends_.efficiency;
        ports_.push_back({.leaf = link.upper, .bandwidth = bandwidth, .gpu = gpu});
        capacities_.insert(capacities_.end(), 2, bandwidth);
      }
      port_of_gpu_[at(gpu) * at(planes_) + at(plane)] = port;
    }
  }
}

void ResourceTable::read_switches(const Fabric& fabric, const SwitchClasses& classes, bool by_link) {
  const auto add = [&](const Between& between, double line_rate) {
    between_.push_back(between);
    capacities_.insert(capacities_.end(), 2, line_rate * ends_.efficiency);
  };
  if (by_link) {
    resource_of_link_.assign(fabric.links().size(), no_resource);
    for (std::size_t i = 0; i < fabric.links().size(); ++i) {
      const Link& link = fabric.links()[i];
      if (classes.class_of(link.lower) < 0 || classes.class_of(link.upper) < 0) continue;
      resource_of_link_[i] = static_cast<ResourceId>(capacities_.size());
      add({link.lower, link.upper, kind_between(fabric, link.lower, link.upper)}, link.speed.in(byte / second));
    }
    return;
  }
  for (int from = 0; from < classes.count(); ++from) {
    for (const SwitchClasses::Bundle& bundle : classes.bundles(from)) {
      if (!bundle.forward) continue;
      assert(at(bundle.index) == between_.size());
      const DeviceId here = classes.member(from), there = classes.member(bundle.to);
      const bool up = bundle.turn != Turn::down;
      add({here, there, kind_between(fabric, up ? here : there, up ? there : here), classes.size(from),
           classes.size(bundle.to)},
          bundle.bandwidth);
    }
  }
}

int ResourceTable::live_port(int gpu) const {
  for (int plane = 0; plane < planes_; ++plane) {
    if (port_of(gpu, plane) >= 0) return port_of(gpu, plane);
  }
  return -1;
}

void ResourceTable::refuse_gpu(int gpu) const {
  const int node = fabric_.shape().gpus_per_node;
  throw InputError(fmt::format("GPU {} (node {}, rail {}) has no link into the fabric", gpu, gpu / node, gpu % node),
                   "a job without this GPU, or a fabric with its link");
}

void ResourceTable::add_library(int from, std::vector<Use>& uses) const {
  if (has(library)) uses.push_back({first_[library] + static_cast<ResourceId>(from), 1});
}

void ResourceTable::add_scale_up(int from, int to, std::vector<Use>& uses) const {
  if (!has(scale_up)) return;
  if (ends_.scale_up == ScaleUpKind::mesh) {
    const int pair = from * ends_.scale_up_gpus + to % ends_.scale_up_gpus;
    uses.push_back({first_[scale_up] + static_cast<ResourceId>(pair), 1});
    return;
  }
  uses.push_back({first_[scale_up] + 2 * static_cast<ResourceId>(from), 1});
  uses.push_back({first_[scale_up] + 2 * static_cast<ResourceId>(to) + 1, 1});
}

void ResourceTable::add_pcie(int sender, int receiver, std::vector<Use>& uses) const {
  if (!has(pcie)) return;
  uses.push_back({first_[pcie] + 2 * static_cast<ResourceId>(sender), 1});
  uses.push_back({first_[pcie] + 2 * static_cast<ResourceId>(receiver) + 1, 1});
}

void ResourceTable::add_nic(int from_port, int to_port, double fraction, std::vector<Use>& uses) const {
  uses.push_back({2 * static_cast<ResourceId>(from_port), fraction});
  uses.push_back({2 * static_cast<ResourceId>(to_port) + 1, fraction});
}

ResourceTable::Block ResourceTable::block_of(ResourceId resource) const {
  assert(resource < capacities_.size());
  std::size_t block = nics;
  while (first_[block + 1] <= resource) ++block;
  return static_cast<Block>(block);
}

ResourceKind ResourceTable::kind(ResourceId resource) const {
  switch (block_of(resource)) {
    case nics:
      return ResourceKind::nic;
    case switches:
      return between_[(resource - first_[switches]) / 2].kind;
    case scale_up:
      return ResourceKind::scale_up;
    case pcie:
      return ResourceKind::pcie;
    case library:
    case block_count:
      break;
  }
  return ResourceKind::library;
}

std::string ResourceTable::name(ResourceId resource) const {
  const Block block = block_of(resource);
  const ResourceId place = resource - first_[block];
  const std::string_view direction = place % 2 == 0 ? "sending" : "receiving";
  switch (block) {
    case nics: {
      const Port& port = ports_[place / 2];
      const int plane = fabric_.device(port.leaf).plane;
      return fmt::format("NIC of GPU {}{}, {}", port.gpu, planes_ > 1 ? fmt::format(" into plane {}", plane) : "",
                         direction);
    }
    case switches: {
      const Between& between = between_[place / 2];
      const bool up = place % 2 == 0;
      const auto end = [&](DeviceId device, int count) {
        return count == 1 ? switch_name(device) : fmt::format("{} switches like {}", count, switch_name(device));
      };
      return fmt::format("{} to {}",
                         up ? end(between.lower, between.lower_count) : end(between.upper, between.upper_count),
                         up ? end(between.upper, between.upper_count) : end(between.lower, between.lower_count));
    }
    case scale_up:
      if (ends_.scale_up == ScaleUpKind::mesh) {
        const auto size = static_cast<ResourceId>(ends_.scale_up_gpus);
        return fmt::format("scale-up of GPU {} to GPU {}", place / size, place / size / size * size + place % size);
      }
      return fmt::format("scale-up of GPU {}, {}", place / 2, direction);
    case pcie:
      return fmt::format("PCIe of GPU {}, {}", place / 2, direction);
    case library:
    case block_count:
      break;
  }
  return fmt::format("library channels of GPU {}", place);
}

std::string ResourceTable::switch_name(DeviceId device) const {
  switch (fabric_.device(device).kind) {
    case DeviceKind::leaf:
      return leaf_name(device);
    case DeviceKind::spine:
      return fmt::format("spine {}", fabric_.device(device).index);
    case DeviceKind::core:
      return fmt::format("core {}", fabric_.device(device).index);
    case DeviceKind::node:
    case DeviceKind::manager:
      break;
  }
  return fmt::format("switch {}", fabric_.device(device).index);
}

std::string ResourceTable::leaf_name(DeviceId leaf) const {
  const Device& device = fabric_.device(leaf);
  std::string name = fmt::format("leaf {}", device.index);
  if (device.pod < 0) return name;
  return fmt::format("{} (pod {}{})", name, device.pod, device.rail < 0 ? "" : fmt::format(", rail {}", device.rail));
}

}  // namespace railyard
