// SPDX-License-Identifier: Apache-2.0
// A case that is refused, what it is tried with, and its advice tried out.
#pragma once

#include "tests/catch.h"
#include "tests/topologies/fixture.h"
#include "topologies/advice.h"
#include "topologies/cable_schedule.h"

namespace railyard::test {

/// Wires a case and plans its racks and cables, as `wiring` and `design --site` do.
inline void have(const WiringCase& asked, const Parts& parts) {
  const Fabric fabric = wire_fabric(asked.design, parts, asked.server, asked.gpus);
  static_cast<void>(list_parts(fabric, asked.design, parts, asked.server, fabric.shape().nodes));
  if (!asked.site) return;
  const FloorPlan plan = plan_floor(fabric, asked.design, parts, asked.server, *asked.site);
  static_cast<void>(schedule_cables(fabric, asked.design, parts, asked.server, plan,
                                    [](std::string_view, std::optional<Metres>) { return std::optional<double>(); }));
}

inline Site shipped_site_of(std::string_view id) { return load_site(source_dir + "/topologies/sites", id); }

inline AdviceSources everything_shipped() {
  AdviceSources shipped;
  for (const std::string& id : design_names(source_dir + "/topologies/designs")) {
    shipped.designs.push_back(shipped_design(id));
  }
  for (const std::string& id : site_names(source_dir + "/topologies/sites")) {
    shipped.sites.push_back(shipped_site_of(id));
  }
  return shipped;
}

/// The message of a refused case with its remedies, each of which has been had; "" for a case that is not refused.
inline std::string refusal_with_tried_advice(const WiringCase& asked, const Parts& parts,
                                             const AdviceSources& shipped) {
  const WiringCheck check = [&](const WiringCase& changed) { have(changed, parts); };
  try {
    check(asked);
    return {};
  } catch (const InputError& error) {
    for (const Remedy& remedy : remedies(asked, parts, shipped, check)) {
      INFO(error.what() << remedy.words);
      CHECK_FALSE(remedy.words.empty());
      CHECK_NOTHROW(have(remedy.changed, parts));
    }
    return advised(error, asked, parts, shipped, check).what();
  }
}

}  // namespace railyard::test
