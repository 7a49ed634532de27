// SPDX-License-Identifier: Apache-2.0
// Small clusters of any family: invented switches and servers, everything else as in ndr-rail.
#pragma once

#include <string>

#include "tests/topologies/fixture.h"

namespace railyard::test {

struct FamilyCluster {
  Parts parts = shipped_parts();
  Design design = shipped_design("ndr-rail");
  ServerPart server = parts.server("hgx-h100");

  /// `split` leaf ports carry two NICs of 200G; `rails` NICs of `planes` ports in a node of `gpus` GPUs.
  FamilyCluster(const std::string& topology, int leaf_radix, int spine_radix, int core_radix, int rails, int gpus,
                int planes = 1, bool split = false) {
    const auto box = [&](const char* id, int radix) {
      SwitchPart part = parts.switch_part("qm9700");
      part.id = id;
      part.cages = radix / 2;
      parts.switches[id] = part;
    };
    box("tiny-leaf", leaf_radix);
    box("tiny-spine", spine_radix);
    box("tiny-core", core_radix);
    design.id = "tiny";
    design.topology = topology;
    design.switch_id = "tiny-leaf";
    design.spine_switch_id = "tiny-spine";
    design.core_switch_id = "tiny-core";
    design.media[index_of(Layer::spine_spine)] = design.media[index_of(Layer::spine_core)];
    design.planes = planes;
    server.id = "tiny-server";
    server.gpus = gpus;
    server.nics = rails;
    server.cages = rails * planes;
    NicPart nic = parts.nic("connectx-7");
    nic.id = server.nic = "tiny-nic";
    nic.ports = planes;
    if (split) {
      design.breakout = 2;
      design.media[0].cable = "mpo12-splitter";
      design.node_modules = {"osfp-rhs-200g-sr2"};
      nic.port_speed = parts.nic("connectx-7-200g").port_speed;
    }
    parts.nics["tiny-nic"] = nic;
  }
  /// Without advice.
  [[nodiscard]] Fabric wire(int gpu_count) const { return wire_fabric(design, parts, server, gpu_count); }
  [[nodiscard]] Fabric build(int gpu_count) const { return build_fabric(design, parts, server, gpu_count); }
};

}  // namespace railyard::test
