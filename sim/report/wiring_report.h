// SPDX-License-Identifier: Apache-2.0
// What `railyard wiring` prints: a summary for people, every cable as JSON, and what was built against what was
// planned.
#pragma once

#include <string>

#include "sim/report/table.h"
#include "topologies/exchange/as_built.h"
#include "topologies/exchange/wiring.h"

namespace railyard {

/// Devices with the name of the first, cables by part and length, racks. Needs floor and cables.
[[nodiscard]] std::string wiring_text(const Wiring& wiring);

/// Every cable as one object, piece by piece (sim/report/schema/wiring.schema.json). Needs floor and cables.
[[nodiscard]] TextSource wiring_json(const Wiring& wiring);

[[nodiscard]] std::string comparison_text(const WiringComparison& comparison, const AsBuilt& built);
[[nodiscard]] Table comparison_table(const WiringComparison& comparison);
[[nodiscard]] std::string comparison_json(const WiringComparison& comparison, const AsBuilt& built);

}  // namespace railyard
