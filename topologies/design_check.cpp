// SPDX-License-Identifier: Apache-2.0
#include "topologies/design_check.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/cable_schedule.h"
#include "topologies/floor_plan.h"

namespace railyard {

namespace {

void append(std::vector<Finding>& to, std::vector<Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

Finding unbuildable(const InputError& error) {
  Finding finding{"build", CheckVerdict::fail, {}, {}, {}};
  for (const Diagnostic& each : error.diagnostics()) {
    finding.what += (finding.what.empty() ? "" : "; ") + each.message;
    finding.limit += (finding.limit.empty() ? "" : "; ") + each.expected;
  }
  return finding;
}

}  // namespace

std::string_view to_string(CheckVerdict verdict) {
  constexpr std::array<std::string_view, 4> names{"pass", "warn", "FAIL", "not checked"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<Finding> check_racks(const Fabric& fabric, const Design& design, const Parts& parts,
                                 const ServerPart& server, const Site& site) {
  std::vector<Finding> findings;
  for (const FloorFinding& each : floor_findings(fabric, design, parts, server, site)) {
    const auto with_unit = [&](double value) {
      return each.unit.empty() ? std::string{} : fmt::format("{:.5g} {}", value, each.unit);
    };
    findings.push_back({each.check, each.fault ? CheckVerdict::fail : CheckVerdict::pass, each.text,
                        with_unit(each.used), with_unit(each.limit)});
  }
  return findings;
}

std::vector<Finding> check_routes(const Fabric& fabric, const Design& design, const Parts& parts,
                                  const ServerPart& server, const Site& site) {
  try {
    const FloorPlan plan = plan_floor(fabric, design, parts, server, site);
    const CableSchedule schedule = schedule_cables(fabric, design, parts, server, plan, no_price);
    std::array<const Cable*, layer_count> longest{};
    for (const Cable& cable : schedule.cables()) {
      const Cable*& most = longest[index_of(schedule.choice_of(cable).layer)];
      if (most == nullptr || cable.routed > most->routed) most = &cable;
    }
    std::vector<Finding> findings;
    for (const Cable* cable : longest) {
      if (cable == nullptr) continue;
      const CableChoice& choice = schedule.choice_of(*cable);
      Metres reach = choice.cable->reach;
      for (const ModulePart* module : {choice.lower_module, choice.upper_module}) {
        if (module != nullptr) reach = std::min(reach, module->reach);
      }
      const Link& link = fabric.link(schedule.links_of(*cable).front());
      findings.push_back(
          {"reach", CheckVerdict::pass,
           fmt::format("{}: longest route, rack {} to {}, within the reach of {}", to_string(choice.layer),
                       plan.rack_of(link.lower).name, plan.rack_of(link.upper).name, choice.cable->id),
           fmt::format("{:.1f} m", cable->routed.in(metre)), fmt::format("{:g} m", reach.in(metre))});
    }
    return findings;
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return {{"reach", CheckVerdict::fail, first.message, {}, first.expected}};
  }
}

namespace {

/// What a remedy of a failed case must pass: what failed there.
WiringCheck check_of(const Parts& parts) {
  return [&parts](const WiringCase& changed) {
    const Fabric fabric = wire_fabric(changed.design, parts, changed.server, changed.gpus);
    if (!changed.site) return;
    const FloorPlan plan = plan_floor(fabric, changed.design, parts, changed.server, *changed.site);
    static_cast<void>(schedule_cables(fabric, changed.design, parts, changed.server, plan, no_price));
  };
}

std::vector<Finding> check_site(const Fabric& fabric, const WiringCase& asked, const Parts& parts,
                                const AdviceSources& shipped) {
  const Site& site = *asked.site;
  std::vector<Finding> findings = check_racks(fabric, asked.design, parts, asked.server, site);
  const auto failed = [&] {
    return std::find_if(findings.begin(), findings.end(),
                        [](const Finding& each) { return each.verdict == CheckVerdict::fail; });
  };
  if (failed() == findings.end()) append(findings, check_routes(fabric, asked.design, parts, asked.server, site));
  if (const auto found = failed(); found != findings.end()) {
    const InputError advice = advised(InputError(found->what, found->limit), asked, parts, shipped, check_of(parts));
    found->limit = advice.diagnostics().front().expected;
  }
  return findings;
}

}  // namespace

std::vector<Finding> check_design(const WiringCase& asked, const Parts& parts, const AdviceSources& shipped) {
  const auto& [design, server, gpus, site] = asked;
  std::vector<Finding> findings = check_joints(design, parts, server);
  const auto not_checked = [&](std::string_view check, std::string why) {
    findings.push_back({std::string(check), CheckVerdict::not_checked, std::move(why), {}, {}});
  };
  try {
    const Fabric fabric = wire_fabric(design, parts, server, gpus);
    const Cabling cabling(design, parts, server);
    append(findings, check_ports(fabric, cabling));
    append(findings, check_head_room(fabric, cabling));
    if (site) {
      append(findings, check_site(fabric, asked, parts, shipped));
    } else {
      not_checked("racks", "no site is given, hence no limit of power, weight and height");
    }
    append(findings, check_failures(fabric));
    append(findings, check_bisection(fabric, design));
    append(findings, check_paths(fabric));
  } catch (const InputError& error) {
    findings.push_back(unbuildable(advised(error, asked, parts, shipped, check_of(parts))));
    for (const std::string_view check : {"ports", "head-room", "racks", "failures", "bisection", "paths"}) {
      not_checked(check, "there is no fabric to look at");
    }
  }
  return findings;
}

}  // namespace railyard
