// SPDX-License-Identifier: Apache-2.0
// A CSV file whose columns are known: read row by row, refused with line and column name. Private to
// topologies/exchange.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_scanner.h"

namespace railyard {

class CsvTable {
 public:
  /// `needed` columns must be there, `others` may; anything else is refused with the nearest name. `text`, `name` and
  /// the columns must outlive the table.
  CsvTable(std::string_view text, const std::string& name, std::span<const std::string_view> needed,
           std::span<const std::string_view> others);

  /// The next row; false at the end.
  bool next();
  /// A needed column's cell in the present row.
  [[nodiscard]] const std::string& at(std::size_t needed) const { return cells_[places_[needed]]; }
  /// The cell of another column; empty when the file has no such column.
  [[nodiscard]] std::string_view other(std::string_view column) const;
  [[nodiscard]] int line() const { return scanner_.line(); }

  /// Throws InputError about a cell of the present row.
  [[noreturn]] void refuse(std::string_view column, std::string message, std::string expected) const;
  [[noreturn]] void refuse(std::size_t needed, std::string message, std::string expected) const {
    refuse(needed_[needed], std::move(message), std::move(expected));
  }

 private:
  const std::string& name_;
  std::span<const std::string_view> needed_;
  CsvScanner scanner_;
  std::vector<std::string> header_, cells_;
  std::vector<std::size_t> places_;  // of the needed columns
};

/// The header of a CSV text; throws InputError when there is none.
[[nodiscard]] std::vector<std::string> csv_header(std::string_view text, const std::string& name);

/// The items of a cell; 0 separates none.
[[nodiscard]] std::vector<std::string_view> split(std::string_view list, char separator);

}  // namespace railyard
