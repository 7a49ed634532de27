// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/dates.h"
#include "pricing/widening.h"
#include "tests/catch.h"

using namespace railyard;

namespace {
Figure<Dollars> quote(const char* date) {
  return {{90.0 * dollar, 100.0 * dollar, 110.0 * dollar}, {EvidenceKind::sourced, "A list", date, ""}};
}
}  // namespace

TEST_CASE("widening: dates lie as far apart as their nearest months", "[pricing]") {
  struct Case {
    const char* date;
    int months;
  };
  // A year may mean any of its months: 2026 starts 13 months after December 2024, 2022 ends 24 before.
  const Case apart = GENERATE(Case{"2024-12", 0}, Case{"2024-10-03", 2}, Case{"2026-09", 21}, Case{"2023-11", 13},
                              Case{"2024", 0}, Case{"2026", 13}, Case{"2022", 24});
  CHECK(months_between("2024-12", apart.date).value_or(-1) == apart.months);
}

TEST_CASE("widening: what is no date has no distance", "[pricing]") {
  const char* wrong = GENERATE("", "24", "2024-13", "2024-1", "2024/12", "-024", "2024-12x", "autumn");
  INFO(wrong);
  CHECK(months_between("2024-12", wrong).value_or(-1) == -1);
  CHECK_FALSE(is_date(wrong));
}

TEST_CASE("widening: a quote within a year of the book stays", "[pricing]") {
  for (const char* date : {"2023-12", "2024-12", "2025-12"}) {
    CHECK(at_book_date(quote(date), "2024-12") == quote(date));
  }
}

TEST_CASE("widening: a quote of two years away is assumed and 1.12 squared wider each way", "[pricing]") {
  for (const char* date : {"2022-12", "2026-12"}) {
    const Figure<Dollars> widened = at_book_date(quote(date), "2024-12");
    CHECK(widened.evidence.assumed());
    CHECK_THAT(widened.value.low.in(dollar), WithinRel(90 / 1.2544, 1e-12));
    CHECK(widened.value.typical == 100.0 * dollar);
    CHECK_THAT(widened.value.high.in(dollar), WithinRel(110 * 1.2544, 1e-12));
    CHECK(widened.evidence.rule ==
          "quote of " + std::string(date) + ", 24 months from the book: range widened by 1.25 each way");
  }
}

TEST_CASE("widening: an assumed figure keeps its rule and is widened too", "[pricing]") {
  Figure<Dollars> assumed = quote("2026-12");
  assumed.evidence.kind = EvidenceKind::assumed;
  assumed.evidence.rule = "as another";
  const Figure<Dollars> widened = at_book_date(assumed, "2024-12");
  CHECK(widened.value.high > assumed.value.high);
  CHECK(widened.evidence.rule.starts_with("as another; quote of 2026-12"));
}
