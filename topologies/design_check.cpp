// SPDX-License-Identifier: Apache-2.0
#include "topologies/design_check.h"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/diagnostic.h"
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

std::vector<Finding> check_design(const Design& design, const Parts& parts, const ServerPart& server, int gpus,
                                  const Site* site) {
  std::vector<Finding> findings = check_joints(design, parts, server);
  const auto not_checked = [&](std::string_view check, std::string why) {
    findings.push_back({std::string(check), CheckVerdict::not_checked, std::move(why), {}, {}});
  };
  try {
    const Fabric fabric = build_fabric(design, parts, server, gpus);
    const Cabling cabling(design, parts, server);
    append(findings, check_ports(fabric, cabling));
    append(findings, check_head_room(fabric, cabling));
    if (site != nullptr) {
      append(findings, check_racks(fabric, design, parts, server, *site));
    } else {
      not_checked("racks", "no site is given, hence no limit of power, weight and height");
    }
    append(findings, check_failures(fabric));
    append(findings, check_bisection(fabric, design));
    append(findings, check_paths(fabric));
  } catch (const InputError& error) {
    findings.push_back(unbuildable(error));
    for (const std::string_view check : {"ports", "head-room", "racks", "failures", "bisection", "paths"}) {
      not_checked(check, "there is no fabric to look at");
    }
  }
  return findings;
}

}  // namespace railyard
