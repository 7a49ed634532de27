// SPDX-License-Identifier: Apache-2.0
#include "sim/study/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/csv_scanner.h"
#include "base/nearest_name.h"

namespace railyard {
const std::string& CsvRecord::at(std::string_view column) const {
  static const std::string empty;
  const auto found = cells.find(column);
  return found == cells.end() ? empty : found->second;
}

CsvFile parse_csv(const std::string& text, const std::string& name) {
  CsvFile file;
  file.name = name;
  CsvScanner scanner(text, name);
  if (!scanner.next(file.columns)) {
    throw InputError({Diagnostic{
        .file = name, .line = 1, .column = 1, .message = "the file is empty", .expected = "expected a header line"}});
  }
  std::vector<std::string> cells;
  while (scanner.next(cells)) {
    if (cells.size() != file.columns.size()) {
      throw InputError({Diagnostic{.file = name,
                                   .line = scanner.line(),
                                   .column = 1,
                                   .message = fmt::format("{} cells", cells.size()),
                                   .expected = fmt::format("expected {}, as in the header", file.columns.size())}});
    }
    CsvRecord record;
    record.line = scanner.line();
    for (std::size_t i = 0; i < cells.size(); ++i) record.cells[file.columns[i]] = cells[i];
    file.records.push_back(std::move(record));
  }
  return file;
}

void require_columns(const CsvFile& file, std::initializer_list<std::string_view> columns) {
  for (const std::string_view column : columns) {
    if (std::find(file.columns.begin(), file.columns.end(), column) != file.columns.end()) continue;
    throw InputError({Diagnostic{.file = file.name,
                                 .line = 1,
                                 .column = 1,
                                 .message = fmt::format("the column '{}' is missing", column),
                                 .expected = expected_names(column, file.columns)}});
  }
}

void require_rows(const CsvFile& file) {
  if (!file.records.empty()) return;
  throw InputError({Diagnostic{.file = file.name,
                               .line = 1,
                               .column = 1,
                               .message = "no rows below the header",
                               .expected = "expected at least one"}});
}

void require_only_columns(const CsvFile& file, std::initializer_list<std::string_view> columns) {
  for (const std::string& column : file.columns) {
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
    const std::vector<std::string> known(columns.begin(), columns.end());
    throw InputError({Diagnostic{.file = file.name,
                                 .line = 1,
                                 .column = 1,
                                 .message = fmt::format("the column '{}' is unknown", column),
                                 .expected = expected_names(column, known)}});
  }
}

InputError cell_error(const CsvFile& file, const CsvRecord& record, std::string_view column, std::string expected) {
  return InputError({Diagnostic{.file = file.name,
                                .line = record.line,
                                .column = 1,
                                .path = std::string(column),
                                .message = fmt::format("found '{}'", record.at(column)),
                                .expected = std::move(expected)}});
}

}  // namespace railyard
