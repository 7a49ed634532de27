// SPDX-License-Identifier: Apache-2.0
// The findings of `railyard design --check` as text, table and JSON.
#pragma once

#include <span>
#include <string>

#include "sim/report/table.h"
#include "topologies/design_check.h"

namespace railyard {

/// One line of totals, then the findings in the order they were made, wrapped at 80 columns.
[[nodiscard]] std::string check_text(const Design& design, int gpus, std::span<const Finding> findings);
[[nodiscard]] Table check_table(std::span<const Finding> findings);
/// Schema: sim/report/schema/design-check.schema.json.
[[nodiscard]] std::string check_json(const Design& design, int gpus, std::span<const Finding> findings);

}  // namespace railyard
