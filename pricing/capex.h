// SPDX-License-Identifier: Apache-2.0
// What a bill of materials costs to buy: its lines at the book's prices, and the book's allowances for what no bill
// lists (storage, front end, installation). Everything bought is priced, spares too.
#pragma once

#include <string>
#include <vector>

#include "pricing/price_book.h"
#include "topologies/bill_of_materials.h"
#include "topologies/cable_schedule.h"

namespace railyard {

struct CapexLine {
  std::string part, label;
  std::string category;  // to_string(BomCategory)
  bool back_end = false;
  int quantity = 0;
  Range<Dollars> unit, total;
  Evidence evidence;
  std::string network = {};  // of the bill's line: storage, in-band, out-of-band, or empty
  Metres length = {};        // cables cut to a floor plan: the length bought; else zero
};

struct Capex {
  std::vector<CapexLine> lines;
  [[nodiscard]] Range<Dollars> total() const;
  [[nodiscard]] Range<Dollars> network() const;  // back-end lines
  [[nodiscard]] Dollars assumed() const;         // typical cost of the lines whose price is assumed
};

/// Prices every line, then the book's allowances for `gpus` and `nodes` bought. What a server price already includes
/// (its `includes`) is listed at 0 $ and not billed again; a part without a price, or one counted twice, is an
/// InputError that names book, part and nearest name.
[[nodiscard]] Capex price_bill(const BillOfMaterials& bill, const PriceBook& book, const Parts& parts, int gpus,
                               int nodes);

/// What a part costs in dollars at the typical prices of a book, on switches of this fabric (infiniband, ethernet); for
/// the choice of media. Refers to the book, which must outlive it.
[[nodiscard]] PartCost part_cost(const PriceBook& book, std::string fabric);

}  // namespace railyard
