// SPDX-License-Identifier: Apache-2.0
// A shipped design on the shipped site: fabric, names, floor and cables.
#pragma once

#include "tests/topologies/fixture.h"
#include "topologies/exchange/wiring.h"

namespace railyard::test {

struct PlannedCluster {
  Design design;
  const ServerPart& server;
  Fabric fabric;
  FabricNames names;
  FloorPlan floor;
  CableSchedule cables;

  PlannedCluster(std::string_view id, std::string_view gpu, int gpus)
      : design(shipped_design(id)),
        server(server_for(design, shipped_parts(), gpu)),
        fabric(build_fabric(design, shipped_parts(), server, gpus)),
        names(fabric, design, shipped_parts(), server),
        floor(plan_floor(fabric, design, shipped_parts(), server,
                         load_site(source_dir + "/topologies/sites", "air-40kw"))),
        cables(schedule_cables(fabric, design, shipped_parts(), server, floor,
                               [](std::string_view, std::optional<Metres>) { return std::optional<double>(); })) {}
  [[nodiscard]] Wiring wiring() const { return {design, shipped_parts(), server, fabric, names, &floor, &cables}; }
};

/// The lines of a text.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace railyard::test
