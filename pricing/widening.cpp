// SPDX-License-Identifier: Apache-2.0
#include "pricing/widening.h"

#include <fmt/format.h>

#include <cmath>

#include "base/dates.h"

namespace railyard {
namespace {

constexpr int months_of_a_year = 12;
constexpr int months_without_widening = 12;
/// Twice the drift seen between 2024 and 2026 in quotes for the same goods (pricing/FORMAT.md).
constexpr double yearly_factor = 1.12;  // dates lie within 110 years: 260 000 at the most

}  // namespace

Figure<Dollars> at_book_date(Figure<Dollars> quote, std::string_view book_date) {
  const int months = months_between(book_date, quote.evidence.date).value_or(0);
  if (months <= months_without_widening) return quote;
  const double factor = std::pow(yearly_factor, static_cast<double>(months) / months_of_a_year);
  quote.value.low = quote.value.low / factor;
  quote.value.high = quote.value.high * factor;
  quote.evidence.kind = EvidenceKind::assumed;
  const std::string widened = fmt::format("quote of {}, {} months from the book: range widened by {:.2f} each way",
                                          quote.evidence.date, months, factor);
  quote.evidence.rule = quote.evidence.rule.empty() ? widened : quote.evidence.rule + "; " + widened;
  return quote;
}

}  // namespace railyard
