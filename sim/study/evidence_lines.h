// SPDX-License-Identifier: Apache-2.0
// Every figure with evidence that a row rests on, apart from its prices (those stand in its capex lines): one list for
// all that print sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/evidence.h"
#include "calibrate/profile/profile.h"
#include "pricing/owner_cost.h"
#include "sim/goodput/goodput.h"
#include "topologies/bill_of_materials.h"
#include "topologies/design.h"
#include "topologies/parts.h"
#include "topologies/site.h"

namespace railyard {

enum class EvidenceGroup { owner, speed, reliability, part, wiring };
/// "owner terms", "speeds", "reliability", "parts", "wiring".
[[nodiscard]] std::string_view to_string(EvidenceGroup group);

struct EvidenceLine {
  EvidenceGroup group = EvidenceGroup::owner;
  std::string item;   // the file that gives it: buyer, profile, GPU, part or design
  std::string label;  // what it is
  Range<double> value;
  std::string unit;  // of `value`; empty for plain numbers
  Evidence evidence;
  bool operator==(const EvidenceLine&) const = default;
};

/// Every term of the buyer.
[[nodiscard]] std::vector<EvidenceLine> owner_evidence(const OwnerTerms& terms);
/// The figures of a profile that time a step at this precision over this fabric. Throws InputError for a fabric that
/// the profile does not know.
[[nodiscard]] std::vector<EvidenceLine> speed_evidence(const Profile& profile, Precision precision,
                                                       std::string_view fabric);
[[nodiscard]] std::vector<EvidenceLine> reliability_evidence(const Reliability& reliability, std::string_view gpu);
/// Peak and memory of the GPU, and the power of every part of the bill.
[[nodiscard]] std::vector<EvidenceLine> part_evidence(const BillOfMaterials& bill, const Parts& parts,
                                                      const GpuPart& gpu, Precision precision);
/// Planning length and longest run of the layers that the network has (at a site: the figures that racks and lengths
/// rest on instead), and the rules that count the parts of the networks beside it.
[[nodiscard]] std::vector<EvidenceLine> wiring_evidence(const Design& design, const NetworkCounts& counts,
                                                        const Site* site = nullptr);

}  // namespace railyard
