// SPDX-License-Identifier: Apache-2.0
// What an old or a later quote is worth at a price book's date: `assumed`, and the wider the farther away (DESIGN 5.4).
#pragma once

#include <string_view>

#include "base/evidence.h"
#include "base/units.h"

namespace railyard {

/// A quote at most twelve months from the book stays as it is. A farther one becomes `assumed` (if it is not already),
/// its low end divided and its high end multiplied by 1.12 a year of distance; pricing/FORMAT.md says why 1.12.
[[nodiscard]] Figure<Dollars> at_book_date(Figure<Dollars> quote, std::string_view book_date);

}  // namespace railyard
