// SPDX-License-Identifier: Apache-2.0
// Reads CSV (RFC 4180) with a header line; every record knows its line.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

struct CsvRecord {
  int line = 0;  // of the file, from one
  std::map<std::string, std::string, std::less<>> cells;
  /// The cell, empty when the column is absent.
  [[nodiscard]] const std::string& at(std::string_view column) const;
};

struct CsvFile {
  std::string name;
  std::vector<std::string> columns;
  std::vector<CsvRecord> records;
};

/// Throws InputError with the line for a row with too many or too few cells, an open quote, or an empty file.
[[nodiscard]] CsvFile parse_csv(const std::string& text, const std::string& name);

/// Throws InputError naming the first of `columns` that the file lacks, with the nearest one it has.
void require_columns(const CsvFile& file, std::initializer_list<std::string_view> columns);

/// Throws InputError for a table with nothing below its header.
void require_rows(const CsvFile& file);

/// Throws InputError naming the first column that is none of `columns`, with the nearest of them.
void require_only_columns(const CsvFile& file, std::initializer_list<std::string_view> columns);

/// The error of a cell that cannot be read: its line and column by name, what was found, and `expected`.
[[nodiscard]] InputError cell_error(const CsvFile& file, const CsvRecord& record, std::string_view column,
                                    std::string expected);

}  // namespace railyard
