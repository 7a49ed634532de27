// SPDX-License-Identifier: Apache-2.0
// The numbered resources of a cluster: NIC ports, links between switches (one by one, or by bundle of classes),
// scale-up, PCIe and the library's channels, with their capacities and names.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/network/flow/paths.h"
#include "sim/network/flow/switch_classes.h"

namespace railyard {

class ResourceTable {
 public:
  ResourceTable(const Fabric& fabric, const SwitchClasses& classes, const EndLimits& ends, const RoutingRule& rule);

  [[nodiscard]] int gpus() const { return gpus_; }
  [[nodiscard]] int planes() const { return planes_; }
  [[nodiscard]] std::span<const double> capacities() const { return capacities_; }
  [[nodiscard]] ResourceKind kind(ResourceId resource) const;
  [[nodiscard]] std::string name(ResourceId resource) const;
  /// "leaf 3 (pod 0, rail 3)".
  [[nodiscard]] std::string leaf_name(DeviceId leaf) const;

  /// A NIC port: a link between a node and a switch.
  struct Port {
    DeviceId leaf{};
    double bandwidth = 0;
    int gpu = 0;  // the first that has it
  };
  [[nodiscard]] const Port& port(int index) const { return ports_[static_cast<std::size_t>(index)]; }
  /// -1 when its link was removed.
  [[nodiscard]] int port_of(int gpu, int plane) const {
    return port_of_gpu_[static_cast<std::size_t>(gpu) * static_cast<std::size_t>(planes_) +
                        static_cast<std::size_t>(plane)];
  }
  /// The port into the first plane that the GPU still has a link into; -1: none.
  [[nodiscard]] int live_port(int gpu) const;
  [[noreturn]] void refuse_gpu(int gpu) const;

  /// By link: the resource of its upward direction, or none. Hashed routing only.
  [[nodiscard]] std::span<const ResourceId> resource_of_links() const { return resource_of_link_; }
  [[nodiscard]] ResourceId first_bundle() const { return first_[switches]; }

  // Uses of a flow at its ends; what is not modelled adds nothing.
  void add_library(int from, std::vector<Use>& uses) const;
  void add_scale_up(int from, int to, std::vector<Use>& uses) const;
  void add_pcie(int sender, int receiver, std::vector<Use>& uses) const;
  void add_nic(int from_port, int to_port, double fraction, std::vector<Use>& uses) const;

 private:
  // Blocks of resources, in this order; the last is their end.
  enum Block : std::size_t { nics, switches, scale_up, pcie, library, block_count };
  void read_ports(const Fabric& fabric);
  void read_switches(const Fabric& fabric, const SwitchClasses& classes, bool by_link);
  void add_block(Block block, std::size_t count, double capacity);
  [[nodiscard]] Block block_of(ResourceId resource) const;
  [[nodiscard]] bool has(Block block) const { return first_[block + 1] > first_[block]; }
  [[nodiscard]] std::string switch_name(DeviceId device) const;

  struct Between {  // switches, by pair of resources: up, down
    DeviceId lower{}, upper{};
    ResourceKind kind = ResourceKind::leaf_spine;
    int lower_count = 1, upper_count = 1;  // switches at either end
  };
  Fabric fabric_;
  EndLimits ends_;
  int gpus_ = 0, planes_ = 1;
  std::array<ResourceId, block_count + 1> first_{};
  std::vector<double> capacities_;
  std::vector<Port> ports_;
  std::vector<int> port_of_gpu_;  // GPUs x planes
  std::vector<Between> between_;
  std::vector<ResourceId> resource_of_link_;
};

}  // namespace railyard
