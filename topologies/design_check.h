// SPDX-License-Identifier: Apache-2.0
// What an architect checks before signing: ports, joints, racks, single points of failure, bandwidth across the middle,
// ways between leaves. Every check gives findings of one form; one that cannot be made says why.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/advice.h"
#include "topologies/cabling.h"
#include "topologies/fabric.h"
#include "topologies/site.h"

namespace railyard {

enum class CheckVerdict : std::uint8_t { pass, warn, fail, not_checked };
[[nodiscard]] std::string_view to_string(CheckVerdict verdict);  // pass, warn, FAIL, not checked

struct Finding {
  std::string check;  // ports, head-room, joints, reach, racks, failures, bisection, paths
  CheckVerdict verdict = CheckVerdict::pass;
  std::string what;          // a sentence about the subject
  std::string value, limit;  // with units; empty where there is none
};

/// Every port at most once and within its device; no split port in use as a whole one too.
[[nodiscard]] std::vector<Finding> check_ports(const Fabric& fabric, const Cabling& cabling);
/// Free ports of the fullest switch of each layer; a warning where it has none.
[[nodiscard]] std::vector<Finding> check_head_room(const Fabric& fabric, const Cabling& cabling);
/// Speed, connectors, lanes and reach of the links of every layer; the fault of a design whose ends do not fit.
[[nodiscard]] std::vector<Finding> check_joints(const Design& design, const Parts& parts, const ServerPart& server);
/// Power, weight and height of the fullest racks on this site.
[[nodiscard]] std::vector<Finding> check_racks(const Fabric& fabric, const Design& design, const Parts& parts,
                                               const ServerPart& server, const Site& site);
/// For each layer of devices and links: what the loss of one cuts off from the rest, and how much of a node's bandwidth
/// it takes at most. GPUs are NIC ports here: that scale-up may carry their traffic to another NIC is not counted.
[[nodiscard]] std::vector<Finding> check_failures(const Fabric& fabric);
/// Max-flow between the halves against what the ratios of the design promise.
[[nodiscard]] std::vector<Finding> check_bisection(const Fabric& fabric, const Design& design);
/// Edge-disjoint ways between leaves of one rail in different pods, and between nodes; by max-flow, over the first pod
/// and up to sixteen others.
[[nodiscard]] std::vector<Finding> check_paths(const Fabric& fabric);

/// Reach of the cables along the routes of a floor plan: the longest of every layer; a failed finding when one cannot
/// be had.
[[nodiscard]] std::vector<Finding> check_routes(const Fabric& fabric, const Design& design, const Parts& parts,
                                                const ServerPart& server, const Site& site);

/// All of them; racks and routes where the case has a site. A design that cannot be built at this size gives one failed
/// finding with the message, and the rest not checked. The limit of what fails to be built, racked or cabled is what
/// near it passes (topologies/advice.h).
[[nodiscard]] std::vector<Finding> check_design(const WiringCase& asked, const Parts& parts,
                                                const AdviceSources& shipped);

/// What the design promises across the middle: the smaller half's NICs, through its ratios (the leaves', and the
/// spines' where there are several groups); of a dragonfly at most the links between the halves of the groups.
[[nodiscard]] Bandwidth promised_bisection(const Fabric& fabric, const Design& design);

}  // namespace railyard
