// SPDX-License-Identifier: Apache-2.0
// What the text and the JSON of nvbandwidth share: a description of a matrix, and its cells. Private to the room.
#pragma once

#include <string>
#include <string_view>

#include "calibrate/import/sample.h"

namespace railyard::import_detail {

/// "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)": what rows and columns are, which way data go, the unit.
struct NvbandwidthMatrix {
  std::string row = "GPU", column = "GPU";
  bool to_row = false;   // data go from column to row
  bool latency = false;  // nanoseconds
};
[[nodiscard]] NvbandwidthMatrix read_description(std::string_view description);

/// Adds the cell of row `row` and column `column` unless it is empty ("N/A", or zero on the diagonal).
void add_cell(ImportedRun& run, const NvbandwidthMatrix& matrix, std::size_t row, std::size_t column,
              std::string_view text, int line);

/// Refuses a run without cells, or whose cells do not add up to `sum` (0: not printed).
void judge_matrix(ImportedRun& run, double sum);

}  // namespace railyard::import_detail
