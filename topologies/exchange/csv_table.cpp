// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/csv_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/text.h"

namespace railyard {

namespace {

constexpr std::size_t longest_cell = 4096;

[[noreturn]] void refuse_line(const std::string& file, int line, std::string column, std::string message,
                              std::string expected) {
  throw InputError({Diagnostic{.file = file,
                               .line = line,
                               .column = 1,
                               .path = std::move(column),
                               .message = std::move(message),
                               .expected = std::move(expected)}});
}

}  // namespace

CsvTable::CsvTable(std::string_view text, const std::string& name, std::span<const std::string_view> needed,
                   std::span<const std::string_view> others)
    : name_(name), needed_(needed), scanner_(text, name) {
  if (!scanner_.next(header_)) refuse_line(name, 1, {}, "the file is empty", "expected a header line");
  std::vector<std::string> known(needed.begin(), needed.end());
  known.insert(known.end(), others.begin(), others.end());
  for (std::size_t i = 0; i < header_.size(); ++i) {
    const std::string& column = header_[i];
    if (std::find(known.begin(), known.end(), column) == known.end()) {
      refuse_line(name, scanner_.line(), {}, fmt::format("the column '{}' is unknown", shortened(column)),
                  expected_names(column, known));
    }
    if (std::find(header_.begin(), header_.begin() + static_cast<std::ptrdiff_t>(i), column) !=
        header_.begin() + static_cast<std::ptrdiff_t>(i)) {
      refuse_line(name, scanner_.line(), {}, fmt::format("the column '{}' comes twice", column), {});
    }
  }
  for (const std::string_view column : needed) {
    const auto found = std::find(header_.begin(), header_.end(), column);
    if (found == header_.end()) {
      refuse_line(name, scanner_.line(), {}, fmt::format("the column '{}' is missing", column),
                  expected_names(column, header_));
    }
    places_.push_back(static_cast<std::size_t>(found - header_.begin()));
  }
}

bool CsvTable::next() {
  if (!scanner_.next(cells_)) return false;
  if (cells_.size() != header_.size()) {
    refuse_line(name_, scanner_.line(), {}, fmt::format("{} cells", cells_.size()),
                fmt::format("expected {}, as in the header", header_.size()));
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].size() > longest_cell) refuse(header_[i], "a cell of more than 4096 bytes", {});
    if (const auto fault = text_fault(cells_[i], Layout::none)) refuse(header_[i], fault->what, "expected plain text");
  }
  return true;
}

std::string_view CsvTable::other(std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  return found == header_.end() ? std::string_view()
                                : std::string_view(cells_[static_cast<std::size_t>(found - header_.begin())]);
}

void CsvTable::refuse(std::string_view column, std::string message, std::string expected) const {
  refuse_line(name_, scanner_.line(), std::string(column), std::move(message), std::move(expected));
}

std::vector<std::string> csv_header(std::string_view text, const std::string& name) {
  CsvScanner scanner(text, name);
  std::vector<std::string> header;
  if (!scanner.next(header)) refuse_line(name, 1, {}, "the file is empty", "expected a header line");
  return header;
}

std::vector<std::string_view> split(std::string_view list, char separator) {
  std::vector<std::string_view> items;
  while (separator != 0) {
    const std::size_t at = list.find(separator);
    items.push_back(list.substr(0, at));
    if (at == std::string_view::npos) return items;
    list.remove_prefix(at + 1);
  }
  return {list};
}

}  // namespace railyard
