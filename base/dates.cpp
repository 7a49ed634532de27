// SPDX-License-Identifier: Apache-2.0
#include "base/dates.h"

#include <algorithm>
#include <charconv>

namespace railyard {
namespace {

constexpr int months_of_a_year = 12;
constexpr int first_year = 1990;
constexpr int last_year = 2100;

/// Months since year 0 that a date may mean.
struct Span {
  int first = 0, last = 0;
};

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
  return value;
}

/// "-31", the end of a date.
bool is_day(std::string_view text) {
  constexpr std::size_t length = 3;
  constexpr int longest_month = 31;
  if (text.size() != length || text.front() != '-') return false;
  const std::optional<int> day = digits(text.substr(1));
  return day && *day >= 1 && *day <= longest_month;
}

std::optional<Span> months_of(std::string_view date) {
  constexpr std::size_t year_length = 4;
  constexpr std::size_t month_end = 7;
  if (date.size() < year_length) return std::nullopt;
  const std::optional<int> year_number = digits(date.substr(0, year_length));
  if (!year_number || *year_number < first_year || *year_number > last_year) return std::nullopt;
  const int january = *year_number * months_of_a_year;
  if (date.size() == year_length) return Span{january, january + months_of_a_year - 1};
  if (date.size() < month_end || date[year_length] != '-') return std::nullopt;
  const std::optional<int> month_number = digits(date.substr(year_length + 1, 2));
  if (!month_number || *month_number < 1 || *month_number > months_of_a_year) return std::nullopt;
  if (date.size() > month_end && !is_day(date.substr(month_end))) return std::nullopt;
  return Span{january + *month_number - 1, january + *month_number - 1};
}

}  // namespace

bool is_date(std::string_view text) { return months_of(text).has_value(); }

std::optional<int> months_between(std::string_view book_date, std::string_view date) {
  const std::optional<Span> book = months_of(book_date);
  const std::optional<Span> quote = months_of(date);
  if (!book || !quote) return std::nullopt;
  return std::max({0, quote->first - book->last, book->first - quote->last});
}

}  // namespace railyard
