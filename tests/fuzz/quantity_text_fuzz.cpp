// SPDX-License-Identifier: Apache-2.0
// Any text is either a finite quantity or refused with words; what was read keeps its laws.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/quantity_text.h"

namespace {

using namespace railyard;

void expect(bool law) {
  if (!law) std::abort();
}

const UnitKind* const kinds[] = {
    &units::bandwidth,       &units::data,          &units::time,       &units::power,
    &units::flop_rate,       &units::money,         &units::money_rate, &units::tariff,
    &units::capacity_charge, &units::price_of_data, &units::length,     &units::frequency,
    &units::yearly_share,    &units::share,         &units::mass,       &units::price_of_length};

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

void check(std::string_view text) {
  for (const UnitKind* kind : kinds) {
    const QuantityText result = parse_quantity(text, *kind);
    expect(std::isfinite(result.base));
    expect(result.ok() || result.base == 0);
    if (!result.ok()) continue;
    // Blanks around a text change nothing; a minus before it changes the sign only.
    expect(parse_quantity(" " + std::string(text) + " ", *kind).base == result.base);
    if (text.front() != '-' && text.front() != '+' && text.front() != ' ' && text.front() != '\t') {
      expect(parse_quantity("-" + std::string(text), *kind).base == -result.base);
    }
  }
  const QuantityText number = parse_number(text);
  expect(std::isfinite(number.base));
  // A bare number takes any unit of a kind, in proportion.
  if (number.ok()) {
    const QuantityText watts = parse_quantity(std::string(text) + " W", units::power);
    const QuantityText kilowatts = parse_quantity(std::string(text) + " kW", units::power);
    expect(watts.ok() == (std::abs(number.base) <= 1e30) && (!watts.ok() || watts.base == number.base));
    expect(!kilowatts.ok() || near(kilowatts.base, number.base * 1000));
  }
  const InterestText interest = parse_interest(text);
  if (interest.error.empty()) {
    expect(interest.rate.per_year >= 0 && interest.rate.per_year <= 10);
    const InterestText again = parse_interest(to_text(interest.rate));
    expect(again.error.empty() && again.rate.compounding == interest.rate.compounding);
    expect(std::abs(again.rate.per_year - interest.rate.per_year) <= 1e-5 * interest.rate.per_year);  // six digits
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
