// SPDX-License-Identifier: Apache-2.0
// What a bill of materials costs to buy.
#pragma once

#include <string>
#include <vector>

#include "pricing/price_book.h"
#include "topologies/bill_of_materials.h"

namespace railyard {

struct CapexLine {
  std::string part, label, category;
  bool back_end = false;
  int quantity = 0;
  Range<Dollars> unit, total;
  Evidence evidence;
};

struct Capex {
  std::vector<CapexLine> lines;
  [[nodiscard]] Range<Dollars> total() const;
  [[nodiscard]] Range<Dollars> network() const;  // back-end lines
  [[nodiscard]] Dollars assumed() const;         // typical cost of the lines whose price is assumed
};

/// Prices every line. A part that a server price already includes (its `includes`) is not billed again; a part without
/// a price, or one counted twice, is an InputError.
[[nodiscard]] Capex price_bill(const BillOfMaterials& bill, const PriceBook& book, const Parts& parts, int gpus, int nodes);

}  // namespace railyard
