// SPDX-License-Identifier: Apache-2.0
// The figures of a result row as one table of records: key for machines, label and unit for people. All printers of
// rows (text, CSV, JSON) walk this table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sim/study/result.h"

namespace railyard {

struct Field {
  std::string_view key;                                  // JSON and CSV name, unit in it, base units
  std::string_view label;                                // for people
  std::string_view unit;                                 // of the label's figure
  double per_unit;                                       // base units in one `unit`
  bool ranged;                                           // _low and _high stand beside it
  std::function<Range<double>(const ResultRow&)> value;  // in base units of the key
  std::string_view description;
};

/// In the order in which they are printed.
[[nodiscard]] std::span<const Field> result_fields();
[[nodiscard]] const Field& result_field(std::string_view key);

/// "ndr-rail", or "ndr-rail with oversubscription=2" when the study changes keys of the design.
[[nodiscard]] std::string design_of(const ResultRow& row);

}  // namespace railyard
