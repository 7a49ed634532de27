// SPDX-License-Identifier: Apache-2.0
// Tables with a caption, header cells with scope, and a frame that scrolls when the screen is narrow.
#pragma once

#include <string>
#include <vector>

#include "base/evidence.h"
#include "sim/report/html/markup.h"

namespace railyard::html {

struct HtmlTable {
  std::string id, caption;
  std::vector<std::string> header;        // one a column
  std::vector<bool> numeric;              // columns of numbers; missing means text
  std::vector<std::vector<Markup>> rows;  // the first cell names the row
  std::vector<std::size_t> rules;         // rows that begin a new group: a line above them
  std::vector<std::size_t> totals;        // rows in bold
};

[[nodiscard]] Markup to_markup(const HtmlTable& table);

/// A number with its range below in small letters.
[[nodiscard]] Markup ranged_cell(const Range<double>& value, int digits = 3);

}  // namespace railyard::html
