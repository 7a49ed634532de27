// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "base/units.h"
#include "pricing/formula.h"
#include "pricing/owner_cost.h"
#include "tests/catch.h"
#include "tests/pricing/fixture.h"

using namespace railyard;

namespace {
constexpr double principal = 1e6;
constexpr int periods = 36;
const double nominal = InterestRate{0.08, Compounding::nominal}.per_period(12);
const double effective = InterestRate{0.08, Compounding::effective}.per_period(12);
}  // namespace

TEST_CASE("annuity: vectors A1 to A5, a million over 36 months", "[pricing]") {
  CHECK_THAT(level_payment(principal, nominal, periods), WithinRel(31336.36546143113, relative));
  CHECK_THAT(level_payment(principal, nominal, periods, 0, true), WithinRel(31128.839862348806, relative));
  CHECK_THAT(effective, WithinRel(0.00643403011000343, relative));
  CHECK_THAT(level_payment(principal, effective, periods), WithinRel(31207.74141330654, relative));
  CHECK_THAT(level_payment(principal, nominal, periods, 100'000), WithinRel(28869.395581954686, relative));
  CHECK(level_payment(principal, 0, periods, 100'000) == 25'000);
}

TEST_CASE("annuity: vector A6, capital recovery factors", "[pricing]") {
  CHECK_THAT(level_payment(1, 0.08, 3), WithinRel(0.388033514046328, relative));
  CHECK_THAT(level_payment(1, 0.10, 5), WithinRel(0.26379748079474524, relative));
  CHECK_THAT(level_payment(1, 0.07, 15), WithinRel(0.10979462470100648, relative));
}

TEST_CASE("annuity: a rate next to zero joins the straight line", "[pricing]") {
  // First order: (P - S)/n + i (P (n+1) + S (n-1)) / (2n); at 1e-12 that is 6e-7 $, 2e-11 of 25 000.
  CHECK_THAT(level_payment(principal, 1e-12, periods, 100'000), WithinRel(25'000, 1e-10));
}

TEST_CASE("annuity: the schedule of A1 pays 128 109.16 of interest and ends at zero", "[pricing]") {
  const std::vector<double> interest = interest_parts(principal, nominal, periods);
  REQUIRE(interest.size() == periods);
  const double total = std::accumulate(interest.begin(), interest.end(), 0.0);
  CHECK_THAT(total, WithinRel(128109.1566115, relative));
  // What was paid beyond interest is what was borrowed.
  CHECK_THAT(periods * level_payment(principal, nominal, periods) - total - principal, WithinAbs(0, 1e-7));
  CHECK_THAT(interest.front(), WithinRel(principal * nominal, 1e-15));
}

TEST_CASE("annuity: a schedule with salvage ends at the salvage", "[pricing]") {
  const std::vector<double> interest = interest_parts(principal, nominal, periods, 100'000);
  const double repaid = periods * level_payment(principal, nominal, periods, 100'000) -
                        std::accumulate(interest.begin(), interest.end(), 0.0);
  CHECK_THAT(principal - repaid, WithinRel(100'000, relative));
}

TEST_CASE("formula rows: vector H1, Hamilton's data center month", "[pricing]") {
  const auto input = [](const std::string& id, double value) { return FormulaRow{id, id, "", true, value, 0}; };
  const auto row = [](const std::string& id, const Expr& expression) {
    return FormulaRow{id, id, "$/month", false, 0, expression};
  };
  const auto annuity = [](const Expr& amount, double months) {
    return amount * ref("rate") / (1 - pow(1 + ref("rate"), Expr(-months)));
  };
  const std::vector<FormulaRow> rows{
      input("servers", 45'978),
      input("server_price", 1'450),
      input("network", 12'810'000),
      input("plant", 72e6),
      input("cooling_share", 0.82),
      input("yearly", 0.05),
      input("power", 8'000),
      input("load", 0.80),
      input("pue", 1.45),
      input("tariff", 0.07),
      input("hours", 730),
      row("rate", ref("yearly") / 12),
      row("server_cost", annuity(ref("servers") * ref("server_price"), 36)),
      row("network_cost", annuity(ref("network"), 48)),
      row("cooling_cost", annuity(ref("plant") * ref("cooling_share"), 120)),
      row("other_cost", annuity(ref("plant") * (1 - ref("cooling_share")), 120)),
      row("energy_cost", ref("power") * ref("load") * ref("pue") * ref("tariff") * ref("hours")),
      row("total",
          ref("server_cost") + ref("network_cost") + ref("cooling_cost") + ref("other_cost") + ref("energy_cost"))};
  const std::vector<double> values = evaluate(rows);
  const auto value = [&](std::string_view id) { return value_of(rows, values, id); };
  CHECK_THAT(value("server_cost"), WithinRel(1998102.765263555, relative));
  CHECK_THAT(value("network_cost"), WithinRel(295005.250639983, relative));
  CHECK_THAT(value("cooling_cost"), WithinRel(626210.801971502, relative));
  CHECK_THAT(value("other_cost"), WithinRel(137460.907749842, relative));
  CHECK_THAT(value("energy_cost"), WithinRel(474208.0, relative));
  CHECK_THAT(value("total"), WithinRel(3530987.725624881, relative));
}
