// SPDX-License-Identifier: Apache-2.0
// The figures of a what-if as one table of records, before and after: all its printers walk this table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/what_if.h"

namespace railyard {

struct WhatIfFigure {
  std::string key;      // JSON and CSV name, base units, unit in it
  std::string label;    // for people
  double per_unit = 1;  // base units in one unit of the label
  bool ranged = false;
  bool whole = false;  // a count
  Range<double> base;
  std::optional<Range<double>> changed;  // none: of a step that does not run
};

/// Headline and what it is made of, cost and power, counts of the back-end network by layer, what is left of it.
[[nodiscard]] std::vector<WhatIfFigure> what_if_figures(const WhatIfRow& row);

/// What the capex changes by, by what it buys, the largest first; empty when nothing does.
[[nodiscard]] std::vector<std::pair<std::string, Range<Dollars>>> capex_changes(const WhatIfRow& row);

}  // namespace railyard
