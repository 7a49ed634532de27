// SPDX-License-Identifier: Apache-2.0
#include "topologies/floor_plan.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"

namespace railyard {

namespace {

/// The fullest rack by one limit, as a finding.
FloorFinding fullest(const FloorPlan& plan, std::string_view check, std::string_view unit, double limit,
                     double (*used_by)(const Rack&)) {
  FloorFinding finding{.check = std::string(check), .limit = limit, .unit = std::string(unit)};
  const Rack* most = nullptr;
  for (const Rack& rack : plan.racks()) {
    if (most == nullptr || used_by(rack) > used_by(*most)) most = &rack;
  }
  if (most == nullptr) return finding;
  finding.where = most->name;
  finding.used = used_by(*most);
  finding.fault = finding.used > limit * (1 + 1e-9);
  finding.text = fmt::format("rack {} has {:.5g} of {:.5g} {}, {:.3g} {} {}", most->name, finding.used, limit, unit,
                             finding.fault ? finding.used - limit : limit - finding.used, unit,
                             finding.fault ? "too much" : "free");
  return finding;
}

}  // namespace

std::string_view to_string(RackKind kind) {
  constexpr std::array<std::string_view, 3> names{"compute", "leaf", "network"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(RackLimit limit) {
  constexpr std::array<std::string_view, 6> names{"none", "power", "height", "weight", "nodes", "rack as bought"};
  return names[static_cast<std::size_t>(limit)];
}

std::string row_name(int row) {
  std::string name;
  for (int rest = row + 1; rest > 0; rest = (rest - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (rest - 1) % 26));
  }
  return name;
}

FloorPlan::FloorPlan(Site site, std::vector<Rack> racks, std::vector<DevicePlace> places)
    : site_(std::move(site)), racks_(std::move(racks)), places_(std::move(places)) {}

int FloorPlan::rows() const { return racks_.empty() ? 0 : racks_.back().row + 1; }

int FloorPlan::count(RackKind kind) const {
  return static_cast<int>(
      std::count_if(racks_.begin(), racks_.end(), [&](const Rack& rack) { return rack.kind == kind; }));
}

RackLimit FloorPlan::binding(RackKind kind) const {
  std::map<RackLimit, int> racks;
  for (const Rack& rack : racks_) {
    if (rack.kind == kind && rack.limit != RackLimit::none) ++racks[rack.limit];
  }
  const auto most =
      std::max_element(racks.begin(), racks.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == racks.end() ? RackLimit::none : most->first;
}

const Rack& FloorPlan::rack(std::string_view name) const {
  std::vector<std::string> names;
  for (const Rack& rack : racks_) {
    if (rack.name == name) return rack;
    names.push_back(rack.name);
  }
  throw InputError(fmt::format("there is no rack '{}'", name), expected_names(name, names));
}

std::vector<FloorFinding> floor_findings(const Fabric& fabric, const Design& design, const Parts& parts,
                                         const ServerPart& server, const Site& site) {
  try {
    const FloorPlan plan = plan_floor(fabric, design, parts, server, site);
    const RackLimits& limits = site.rack;
    return {fullest(plan, "rack power", "kW", limits.power.value.low.in(kilowatt),
                    [](const Rack& rack) { return rack.power.in(kilowatt); }),
            fullest(plan, "rack weight", "kg", limits.weight.value.low.in(kilogram),
                    [](const Rack& rack) { return rack.weight.in(kilogram); }),
            fullest(plan, "rack height", "U", limits.units - limits.reserved_units,
                    [](const Rack& rack) { return static_cast<double>(rack.used_units); })};
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return {{.fault = true, .check = "floor plan", .where = design.id, .text = first.message}};
  }
}

}  // namespace railyard
