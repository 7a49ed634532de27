// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/nvbandwidth_matrix.h"

#include <fmt/format.h>

#include <cmath>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

// The word before `mark`: "GPU" of "memcpy CE GPU(row)".
std::string word_before(std::string_view text, std::string_view mark, std::string_view otherwise) {
  const std::size_t end = text.find(mark);
  if (end == std::string_view::npos) return std::string(otherwise);
  const std::size_t start = text.rfind(' ', end) + 1;  // npos + 1 is 0
  return std::string(text.substr(start, end - start));
}

double cell_value(const LinkSample& cell) {
  return cell.latency ? cell.latency->in(nanosecond) : cell.bandwidth->in(gigabyte_per_second);
}

}  // namespace

NvbandwidthMatrix read_description(std::string_view description) {
  return {.row = word_before(description, "(row)", "GPU"),
          .column = word_before(description, "(column)", "GPU"),
          .to_row = contains(description, "(row) <- "),
          .latency = contains(description, "(ns)")};
}

void add_cell(ImportedRun& run, const NvbandwidthMatrix& matrix, std::size_t row, std::size_t column,
              std::string_view text, int line) {
  const auto value = to_figure(text);
  if (!value || *value <= 0 || run.links.size() >= Limits::samples) return;
  std::string from = fmt::format("{}{}", matrix.row, row), to = fmt::format("{}{}", matrix.column, column);
  if (matrix.to_row) std::swap(from, to);
  // nvbandwidth prints the median of its samples unless told otherwise.
  LinkSample cell{.from = std::move(from),
                  .to = std::move(to),
                  .kind = run.operation,
                  .statistic = Statistic::median,
                  .line = line};
  if (matrix.latency) {
    cell.latency = *value * nanosecond;
  } else {
    cell.bandwidth = *value * gigabyte_per_second;
  }
  run.links.push_back(std::move(cell));
}

void judge_matrix(ImportedRun& run, double sum) {
  if (run.links.empty()) {
    run.refuse(RefusalReason::no_rows, "the matrix has no values", run.first_line);
    return;
  }
  if (sum <= 0) return;
  double total = 0;
  for (const LinkSample& cell : run.links) total += cell_value(cell);
  // Every cell is rounded to two decimals.
  if (std::abs(total - sum) > 0.006 * static_cast<double>(run.links.size() + 1)) {
    run.refuse(RefusalReason::inconsistent, fmt::format("the cells add up to {:.2f}, the sum says {:.2f}", total, sum),
               run.first_line);
  }
}

}  // namespace railyard::import_detail
