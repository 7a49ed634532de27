// SPDX-License-Identifier: Apache-2.0
#include "base/csv_scanner.h"

#include "base/diagnostic.h"
#include "base/text.h"

namespace railyard {

CsvScanner::CsvScanner(std::string_view text, const std::string& name)
    : text_(without_byte_order_mark(text)), name_(name) {}

bool CsvScanner::next(std::vector<std::string>& cells) {
  for (; at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r'); ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
  if (at_ >= text_.size()) return false;
  row_line_ = line_;
  std::size_t count = 1;  // strings of the row before are used again
  const auto cell = [&]() -> std::string& {
    if (cells.size() < count) cells.emplace_back();
    return cells[count - 1];
  };
  cell().clear();
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"' && cell().empty()) {
      quoted(cell());
      continue;
    }
    ++at_;
    if (c == ',') {
      ++count;
      cell().clear();
    } else if (c == '\n') {
      ++line_;
      break;
    } else if (c != '\r') {
      cell() += c;
    }
  }
  cells.resize(count);
  return true;
}

void CsvScanner::quoted(std::string& cell) {
  const int opened = line_;
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] == '"') {
      if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
        ++at_;
        return;
      }
      ++at_;
    }
    line_ += text_[at_] == '\n' ? 1 : 0;
    cell += text_[at_];
  }
  throw InputError({Diagnostic{.file = name_, .line = opened, .column = 1, .message = "a quote is never closed"}});
}

void append_csv_cell(std::string& row, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    row += cell;
    return;
  }
  row += '"';
  for (const char c : cell) {
    if (c == '"') row += '"';
    row += c;
  }
  row += '"';
}

}  // namespace railyard
