// SPDX-License-Identifier: Apache-2.0
// A floor plan and its cables as text of 80 columns, as CSV tables and as JSON.
#pragma once

#include <string>

#include "sim/report/table.h"
#include "sim/study/pipeline.h"

namespace railyard {

/// Racks by row, what binds, cables by medium and length. `wired` must have a site.
[[nodiscard]] std::string floor_text(const WiredDesign& wired);
/// One row a rack.
[[nodiscard]] Table rack_table(const WiredDesign& wired);
/// One row a layer, part and length.
[[nodiscard]] Table cable_table(const WiredDesign& wired);
/// Both, and what limits; schema floor.schema.json.
[[nodiscard]] std::string floor_json(const WiredDesign& wired);

}  // namespace railyard
