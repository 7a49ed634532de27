// SPDX-License-Identifier: Apache-2.0
// Dates of facts: a year, a month or a day.
#pragma once

#include <optional>
#include <string_view>

namespace railyard {

/// What stands in files for a date that nobody gave.
inline constexpr std::string_view undated = "undated";
inline constexpr std::string_view date_expected =
    "expected YYYY, YYYY-MM or YYYY-MM-DD from 1990 to 2100, or 'undated'";

/// Whether the text is YYYY, YYYY-MM or YYYY-MM-DD, of a year from 1990 to 2100.
[[nodiscard]] bool is_date(std::string_view text);

/// Months between a book's date (YYYY-MM) and the nearest month that `date` (YYYY, YYYY-MM, YYYY-MM-DD) may mean;
/// nothing when either is no date.
[[nodiscard]] std::optional<int> months_between(std::string_view book_date, std::string_view date);

}  // namespace railyard
