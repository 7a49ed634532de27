// SPDX-License-Identifier: Apache-2.0
// Shipped sites, and a site whose figures a hand can follow.
#pragma once

#include "tests/topologies/fixture.h"
#include "topologies/cable_schedule.h"
#include "topologies/cabling.h"
#include "topologies/hall.h"

namespace railyard::test {

inline Site shipped_site(std::string_view id) { return load_site(source_dir + "/topologies/sites", id); }

/// Round figures: racks of 42 U, 1 m apart, rows 3 m and 4 m apart, trays 1 m above the racks, 0.5 m slack.
inline Site round_site() {
  Site site = shipped_site("air-40kw");
  site.id = "round";
  const auto exactly = [](auto value) { return Figure<decltype(value)>{{value, value, value}, {}}; };
  site.rack.units = 42;
  site.rack.reserved_units = 2;
  site.rack.most_nodes = 0;
  site.rack.power = exactly(42 * kilowatt);
  site.rack.weight = exactly(1000 * kilogram);
  site.hall.places = 12;
  site.hall.rack_pitch = exactly(1 * metre);
  site.hall.rack_depth = exactly(1 * metre);
  site.hall.cold_aisle = exactly(2 * metre);
  site.hall.hot_aisle = exactly(3 * metre);
  site.hall.tray_height = exactly(1 * metre);
  site.hall.slack = exactly(0.5 * metre);
  site.hall.cross_trays_every = 1;
  site.network_places = 2;
  return site;
}

/// A cluster at a site: everything that plans and schedules need.
struct PlannedCluster {
  const Parts& parts;
  Design design;
  const ServerPart& server;
  Site site;
  Fabric fabric;
  FloorPlan plan;

  PlannedCluster(std::string_view design_id, std::string_view server_id, const Site& at, int gpus, bool ufm = false)
      : PlannedCluster(with_ufm(shipped_design(design_id), ufm), server_id, at, gpus) {}
  PlannedCluster(const Design& recipe, std::string_view server_id, const Site& at, int gpus)
      : parts(shipped_parts()),
        design(recipe),
        server(parts.server(server_id)),
        site(at),
        fabric(build_fabric(design, parts, server, gpus)),
        plan(plan_floor(fabric, design, parts, server, site)) {}

  [[nodiscard]] CableSchedule schedule(const PartCost& cost) const {
    return schedule_cables(fabric, design, parts, server, plan, cost);
  }
  static Design with_ufm(Design design, bool ufm) {
    design.ufm = ufm;
    return design;
  }
};

}  // namespace railyard::test
