// SPDX-License-Identifier: Apache-2.0
// What the links of a design plug into at both ends: parts looked up once, and whether they fit each other.
#pragma once

#include <array>

#include "topologies/design.h"
#include "topologies/fabric.h"

namespace railyard {

/// The parts of one layer's links; modules are null where the cable brings its ends, all where the design has no such
/// layer.
struct LayerParts {
  const CablePart* cable = nullptr;
  const ModulePart* lower = nullptr;
  const ModulePart* upper = nullptr;
};

/// Design, parts and server resolved. Refers to the parts given, which must outlive it.
class Cabling {
 public:
  /// Throws InputError when a part is unknown or two ends do not fit: speed, lanes, connector, medium, reach. Lanes are
  /// compared at each cage (electrical) and along the fibre (optical) apart, since a module may turn one into the
  /// other.
  Cabling(const Design& design, const Parts& parts, const ServerPart& server);

  [[nodiscard]] const LayerParts& layer(Layer layer) const { return layers_[index_of(layer)]; }
  [[nodiscard]] const ModulePart* manager_module() const { return manager_module_; }
  /// Of the leaves.
  [[nodiscard]] const SwitchPart& switch_part() const { return *switches_.front(); }
  /// Of a layer: leaf, spine or core.
  [[nodiscard]] const SwitchPart& switch_part(DeviceKind kind) const;
  /// As ports are numbered in the graph: of a leaf, in NIC ports.
  [[nodiscard]] int ports_per_cage(DeviceKind kind) const;
  [[nodiscard]] int cages(DeviceKind kind) const;
  /// The module at one end of a link; null for copper.
  [[nodiscard]] const ModulePart* module_at(const Link& link, DeviceKind kind) const;

  /// Throws InputError when two ports of one cage need different modules, or a cable of several links would have to end
  /// in several cages at its lower end.
  void check_cages(const Fabric& fabric) const;

 private:
  void check_layer(Layer layer, const LayerMedia& media) const;
  void check_manager() const;

  const Design* design_;
  const ServerPart* server_;
  std::array<const SwitchPart*, 3> switches_;  // leaf, spine, core
  const NicPart* nic_;
  const ModulePart* manager_module_ = nullptr;
  std::array<LayerParts, layer_count> layers_;
};

}  // namespace railyard
