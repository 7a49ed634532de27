// SPDX-License-Identifier: Apache-2.0
// A what-if for people (at most 80 columns), as a table for CSV, as JSON (schema/what-if.schema.json), and drawn.
#pragma once

#include <string>
#include <vector>

#include "sim/report/table.h"
#include "sim/study/what_if.h"

namespace railyard {

/// For every cluster that changes: the answer in a sentence, the figures before and after, and the change of the capex
/// as a waterfall. The others are named.
[[nodiscard]] std::string what_if_text(const WhatIf& result);
/// A row a figure of every cluster, then a row a purchase.
[[nodiscard]] Table what_if_table(const WhatIf& result);
[[nodiscard]] std::string what_if_json(const WhatIf& result);
/// Waterfalls as one SVG document: for every cluster that changes its headline by cost and by speed, and its capex by
/// what it buys.
[[nodiscard]] std::string what_if_svg(const WhatIf& result);

/// What is asked, and the answer for one cluster, each in a sentence.
[[nodiscard]] std::string what_if_question(const WhatIf& result);
[[nodiscard]] std::string what_if_answer(const WhatIfRow& row);

/// Bars of text for a sum built up from zero: each begins where the one before it ended; `width` columns. Values are
/// drawn from their rounded ends; one that is not zero shows at least one mark.
[[nodiscard]] std::vector<std::string> waterfall_bars(const std::vector<double>& steps, std::size_t width);

}  // namespace railyard
