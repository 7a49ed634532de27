// SPDX-License-Identifier: Apache-2.0
// Shipped parts and designs, and small invented switches and servers for trees that a hand can follow.
#pragma once

#include <string>
#include <string_view>

#include "tests/base/message_of.h"
#include "topologies/bill_of_materials.h"
#include "topologies/design.h"
#include "topologies/fabric.h"
#include "topologies/wiring_case.h"

namespace railyard::test {

inline const std::string source_dir = RAILYARD_SOURCE_DIR;

inline const Parts& shipped_parts() {
  static const Parts parts = load_parts(source_dir + "/topologies/parts");
  return parts;
}

inline Design shipped_design(std::string_view id) { return load_design(source_dir + "/topologies/designs", id); }

inline DeviceId id_at(std::size_t index) { return DeviceId{static_cast<std::uint32_t>(index)}; }

/// A design of InfiniBand switches with `radix` ports (two to a cage when even) and nodes of `gpus` GPUs with `rails`
/// NIC ports; everything else is as in ndr-rail.
struct TinyCluster {
  Parts parts = shipped_parts();
  Design design = shipped_design("ndr-rail");
  ServerPart server = parts.server("hgx-h100");

  TinyCluster(int radix, int rails, int gpus) {
    SwitchPart tiny = parts.switch_part("qm9700");
    tiny.id = "tiny";
    tiny.ports_per_cage = 2;
    tiny.cages = radix / 2;
    parts.switches["tiny"] = tiny;
    design.id = "tiny-rail";
    design.switch_id = "tiny";
    server.id = "tiny-server";
    server.gpus = gpus;
    server.nics = server.cages = rails;
  }
  [[nodiscard]] Fabric build(int gpu_count) const { return build_fabric(design, parts, server, gpu_count); }
  /// Without advice.
  [[nodiscard]] Fabric wire(int gpu_count) const { return wire_fabric(design, parts, server, gpu_count); }
  [[nodiscard]] NetworkCounts count(const Fabric& fabric) const { return count_network(fabric, design, parts, server); }
};

}  // namespace railyard::test
