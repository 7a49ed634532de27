// SPDX-License-Identifier: Apache-2.0
// Results as JSON, schema railyard/1: base units, the unit in the key. The schemas lie
// in sim/report/schema.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "pricing/capex.h"
#include "sim/study/design_comparison.h"
#include "sim/study/difference.h"
#include "sim/study/owner_validation.h"
#include "sim/study/result.h"
#include "sim/study/validate.h"
#include "topologies/bill_of_materials.h"
#include "topologies/design.h"

namespace railyard {

/// results.json of a study.
[[nodiscard]] std::string study_json(const StudyResult& result);
/// One row with breakdown_s and memory_bytes, for `simulate`.
[[nodiscard]] std::string row_json(const ResultRow& row);
/// A bill with prices; `all` adds servers and the rest to the back-end network.
[[nodiscard]] std::string bom_json(const Design& design, int gpus, std::string_view price_book,
                                   const BillOfMaterials& bill, const Capex& capex, bool all);
/// Capex by category and the rows of the owner cost.
[[nodiscard]] std::string price_json(const ResultRow& row);
/// What a design became for a number of GPUs.
[[nodiscard]] std::string design_json(const Design& design, const FabricShape& shape, const NetworkCounts& counts,
                                      Bandwidth bisection);
/// Designs side by side.
[[nodiscard]] std::string designs_json(const std::vector<DesignRow>& rows);
/// Where a difference in capex comes from; with `share`, the server gap that makes the network that share of it.
[[nodiscard]] std::string difference_json(const CapexDifference& difference, std::optional<double> share);
/// Our owner cost beside published ones.
[[nodiscard]] std::string owner_validation_json(const std::vector<OwnerComparison>& comparisons,
                                                std::string_view price_book);
/// Predicted against published steps.
[[nodiscard]] std::string validation_json(const Validation& validation, const ValidationTarget& target);
/// What reading a file found: its kind when there is no mistake, else the mistakes.
struct CheckedFile {
  std::string file, kind;
  std::vector<Diagnostic> mistakes;
};
[[nodiscard]] std::string check_json(const std::vector<CheckedFile>& files);
/// A list of names with descriptions.
struct ListedItem {
  std::string name, description, source, date;
};
[[nodiscard]] std::string list_json(std::string_view kind, const std::vector<ListedItem>& items);

}  // namespace railyard
