// SPDX-License-Identifier: Apache-2.0
// Owner costs that others published, for comparison alone: no figure of ours is derived from them. Data:
// sim/study/published/owner-costs.csv.
#pragma once

#include <string>
#include <vector>

#include "sim/study/csv.h"

namespace railyard {

struct PublishedOwnerCost {
  std::string gpu, buyer, source, date;
  std::string publisher;        // whose terms (sim/study/published_terms.h) belong to it; may be empty
  std::string design;           // our design that it is compared with when only the table is given
  int gpus = 0;                 // likewise the size
  double usd_per_gpu_hour = 0;  // per owned GPU-hour
  std::string place;            // file:line, for messages
};

/// A table with columns gpu, buyer, design, gpus, usd_per_gpu_hour, source, date, and perhaps publisher. Throws
/// InputError for a column that is missing or unknown and for a cell that cannot be read.
[[nodiscard]] std::vector<PublishedOwnerCost> read_published_costs(const CsvFile& file);

}  // namespace railyard
