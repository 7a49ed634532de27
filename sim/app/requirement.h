// SPDX-License-Identifier: Apache-2.0
// Conditions on result rows: 'mfu>=0.4', 'mfu>=40 %', 'usd_per_effective_pflop_hour<5'.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/study/result.h"

namespace railyard {

/// The rows that break a condition, one sentence each. Throws InputError for a condition that cannot be read.
[[nodiscard]] std::vector<std::string> unmet(const std::vector<std::string>& conditions,
                                             std::span<const ResultRow> rows);

}  // namespace railyard
