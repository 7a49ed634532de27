// SPDX-License-Identifier: Apache-2.0
// Square tables with a label at each row and column, as the vendors' system tools print them. Private to the room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "calibrate/import/text.h"

namespace railyard::import_detail {

/// Cells in the order of rows; rows may be missing at the end.
struct LabelMatrix {
  std::vector<std::string> columns, rows;
  std::vector<std::vector<std::string>> cells;
  std::vector<int> lines;  // of the rows

  /// Starts anew when every field up to `end_mark` passes `label`; false otherwise.
  bool read_header(const Fields& fields, bool (*label)(std::string_view), std::string_view end_mark);
  /// Adds a row that begins with a label of a column; false for other lines.
  bool read_row(const Fields& fields, int line);
  /// The first pair of cells that contradict each other; -1 when the table is symmetric.
  [[nodiscard]] int asymmetric_row() const;
};

}  // namespace railyard::import_detail
