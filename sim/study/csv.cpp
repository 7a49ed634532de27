// SPDX-License-Identifier: Apache-2.0
#include "sim/study/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

/// Splits the text into rows of cells; quotes may hold commas, line ends and doubled quotes.
class CsvScanner {
 public:
  CsvScanner(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  /// The next row; false at the end. `line` is where it begins.
  bool next(std::vector<std::string>& cells, int& line) {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) step();
    if (at_ >= text_.size()) return false;
    line = line_;
    cells.assign(1, {});
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' && cells.back().empty()) {
        quoted(cells.back());
      } else if (c == ',') {
        cells.emplace_back();
        step();
      } else if (c == '\n') {
        step();
        return true;
      } else {
        if (c != '\r') cells.back() += c;
        step();
      }
    }
    return true;
  }

 private:
  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  void quoted(std::string& cell) {
    const int opened = line_;
    step();
    while (at_ < text_.size()) {
      if (text_[at_] == '"') {
        step();
        if (at_ >= text_.size() || text_[at_] != '"') return;
      }
      cell += text_[at_];
      step();
    }
    throw InputError({Diagnostic{.file = name_, .line = opened, .column = 1, .message = "a quote is never closed"}});
  }

  const std::string& text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

const std::string& CsvRecord::at(std::string_view column) const {
  static const std::string empty;
  const auto found = cells.find(column);
  return found == cells.end() ? empty : found->second;
}

CsvFile parse_csv(const std::string& text, const std::string& name) {
  CsvFile file;
  file.name = name;
  const std::string body = text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
  CsvScanner scanner(body, name);
  int line = 0;
  if (!scanner.next(file.columns, line)) {
    throw InputError({Diagnostic{
        .file = name, .line = 1, .column = 1, .message = "the file is empty", .expected = "expected a header line"}});
  }
  std::vector<std::string> cells;
  while (scanner.next(cells, line)) {
    if (cells.size() != file.columns.size()) {
      throw InputError({Diagnostic{.file = name,
                                   .line = line,
                                   .column = 1,
                                   .message = fmt::format("{} cells", cells.size()),
                                   .expected = fmt::format("expected {}, as in the header", file.columns.size())}});
    }
    CsvRecord record;
    record.line = line;
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

}  // namespace railyard
