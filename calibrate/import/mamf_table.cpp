// SPDX-License-Identifier: Apache-2.0
// The published comparison of mamf-finder results: one best shape an accelerator. Read to be shown, refused as
// evidence: it is a maximum over thousands of shapes.
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view shape_column = "Best Shape MxNxK";

Runs read_mamf_table(std::string_view text) {
  Lines lines(text);
  Fields fields;
  ImportedRun run;
  run.tool = "mamf-table";
  run.operation = "gemm";
  run.layout = "markdown";
  while (lines.next()) {
    if (contains(lines.text(), shape_column) && run.first_line == 0) run.first_line = lines.number();
    // | Accelerator | MAMF | Theory | Efficiency | Best Shape MxNxK | ...
    split_at(lines.text(), '|', fields);
    if (run.first_line == 0 || fields.size() < 7 || run.gemms.size() >= Limits::samples) continue;
    const auto rate = to_figure(fields[2]);
    const auto shape = to_shape(fields[5]);
    if (!rate || !shape) continue;
    run.gemms.push_back({.m = shape->m,
                         .n = shape->n,
                         .k = shape->k,
                         .gpu = std::string(fields[1]),
                         .rate = *rate * teraflop_per_second,
                         .statistic = Statistic::best,
                         .line = lines.number()});
    ++run.rows;
  }
  run.refuse(RefusalReason::best_of_few, "the best of many shapes an accelerator, not the median of a shape",
             run.first_line);
  return {std::move(run)};
}

}  // namespace

const Importer mamf_table{"mamf-table", "published comparisons of mamf-finder results; recognised to be refused",
                          [](std::string_view text) { return contains(text, shape_column); }, read_mamf_table};

}  // namespace railyard::import_detail
