// SPDX-License-Identifier: Apache-2.0
// Rows of a CSV text (RFC 4180), one at a time: quotes hold commas, line ends and doubled quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

class CsvScanner {
 public:
  /// `text` and `name` (for messages) must outlive the scanner; a byte-order mark in front is passed over.
  CsvScanner(std::string_view text, const std::string& name);

  /// The next row; false at the end. Blank lines are none. Throws InputError for a quote that is never closed.
  bool next(std::vector<std::string>& cells);
  /// Where the row begins, from one.
  [[nodiscard]] int line() const { return row_line_; }

 private:
  void quoted(std::string& cell);

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1, row_line_ = 1;
};

/// Appends a cell, quoted when it must be.
void append_csv_cell(std::string& row, std::string_view cell);

}  // namespace railyard
