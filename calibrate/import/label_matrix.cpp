// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/label_matrix.h"

#include <algorithm>

namespace railyard::import_detail {
namespace {

// More ends than any node has; keeps the memory of a hostile header small.
constexpr std::size_t most_labels = 512;

}  // namespace

bool LabelMatrix::read_header(const Fields& fields, bool (*label)(std::string_view), std::string_view end_mark) {
  std::vector<std::string> found;
  for (const std::string_view field : fields) {
    if (!end_mark.empty() && field == end_mark) break;
    if (!label(field) || found.size() == most_labels) return false;
    found.emplace_back(field);
  }
  if (found.size() < 2) return false;
  *this = {};
  columns = std::move(found);
  return true;
}

bool LabelMatrix::read_row(const Fields& fields, int line) {
  if (columns.empty() || fields.size() < columns.size() + 1 || rows.size() == columns.size()) return false;
  if (std::find(columns.begin(), columns.end(), fields[0]) == columns.end()) return false;
  rows.emplace_back(fields[0]);
  lines.push_back(line);
  cells.emplace_back(fields.begin() + 1, fields.begin() + 1 + static_cast<std::ptrdiff_t>(columns.size()));
  return true;
}

int LabelMatrix::asymmetric_row() const {
  // Rows come in the order of the columns.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != columns[i]) return static_cast<int>(i);
    for (std::size_t j = 0; j < i; ++j) {
      if (cells[i][j] != cells[j][i]) return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace railyard::import_detail
