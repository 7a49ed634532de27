// SPDX-License-Identifier: Apache-2.0
// Our owner cost beside published ones, itemised. No figure of ours is derived from them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/study/catalogue.h"
#include "sim/study/csv.h"

namespace railyard {

struct OwnerComparison {
  std::string gpu, buyer, design, source, date;
  int gpus = 0;
  double published = 0;   // $ per owned GPU-hour
  Range<double> ours;     // the same
  double difference = 0;  // ours typical - published
  /// Our $ per owned GPU-hour by item, typical: capital by category of capex (each with its share of the annuity), then
  /// the running costs.
  std::vector<std::pair<std::string, double>> items;
};

/// One comparison a row of a table with columns gpu, buyer, design, gpus, usd_per_gpu_hour, source, date. Throws
/// InputError for a cell that cannot be read or a cluster that cannot be built or priced.
[[nodiscard]] std::vector<OwnerComparison> compare_owner_costs(const CsvFile& file, const std::string& price_book,
                                                               const Catalogue& catalogue);

}  // namespace railyard
