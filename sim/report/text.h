// SPDX-License-Identifier: Apache-2.0
// What a person reads on a terminal, at most 80 columns wide.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/json.h"
#include "sim/report/table.h"
#include "sim/study/result.h"

namespace railyard {

/// The headline table by cluster and size, ranges under the figures that rest on assumed numbers, and the verdicts.
[[nodiscard]] std::string headline_text(const StudyResult& result);
/// One row with its step breakdown and memory.
[[nodiscard]] std::string row_text(const ResultRow& row);
[[nodiscard]] std::string bom_text(const BillOfMaterials& bill, const Capex& capex, bool all);
[[nodiscard]] std::string price_text(const ResultRow& row);
[[nodiscard]] std::string design_text(const Design& design, const FabricShape& shape, const NetworkCounts& counts,
                                      Bandwidth bisection);
[[nodiscard]] std::string designs_text(const std::vector<DesignRow>& rows);
[[nodiscard]] std::string difference_text(const CapexDifference& difference, std::optional<double> share);
[[nodiscard]] std::string owner_validation_text(const std::vector<OwnerComparison>& comparisons,
                                                const std::string& book);
[[nodiscard]] std::string validation_text(const Validation& validation);
[[nodiscard]] std::string list_text(const std::vector<ListedItem>& items);

/// The same as tables, for CSV.
[[nodiscard]] Table row_table(const std::vector<ResultRow>& rows);
[[nodiscard]] Table capex_table(const Capex& capex, bool all);
[[nodiscard]] Table owner_table(const OwnerCost& owner);
[[nodiscard]] Table layer_table(const NetworkCounts& counts);
[[nodiscard]] Table designs_table(const std::vector<DesignRow>& rows);
[[nodiscard]] Table difference_table(const CapexDifference& difference);
[[nodiscard]] Table owner_validation_table(const std::vector<OwnerComparison>& comparisons);
[[nodiscard]] Table validation_table(const Validation& validation);
/// A row a mistake, and one for a file without any.
[[nodiscard]] Table check_table(const std::vector<CheckedFile>& files);
[[nodiscard]] Table list_table(const std::vector<ListedItem>& items);

}  // namespace railyard
