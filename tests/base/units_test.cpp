// SPDX-License-Identifier: Apache-2.0
// The law of units is proven by compiling; the rest is arithmetic.
#include "base/units.h"

#include <cmath>
#include <concepts>
#include <type_traits>

#include "tests/catch.h"

namespace railyard {
namespace {

template <class A, class B>
concept addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept readable_in = requires(A a, B b) {
  a.in(b);
};
template <class A, class B>
concept multipliable = requires(A a, B b) {
  a* b;
};

static_assert(addable<Bytes, Bytes>);
static_assert(!addable<Bytes, Seconds>);
static_assert(!addable<Bytes, double>);
static_assert(!addable<double, Dollars>);
static_assert(!addable<Dollars, DollarsPerSecond>);
static_assert(comparable<Watts, Watts>);
static_assert(!comparable<Watts, Joules>);
static_assert(!comparable<Seconds, double>);
static_assert(!comparable<Seconds, int>);
static_assert(readable_in<Seconds, Seconds>);
static_assert(!readable_in<Seconds, Bytes>);
static_assert(!readable_in<Bandwidth, FlopRate>);

// Bare numbers become quantities only by naming a unit, and never come out unasked.
static_assert(!std::convertible_to<double, Seconds>);
static_assert(!std::constructible_from<Seconds, double>);
static_assert(!std::convertible_to<Seconds, double>);
static_assert(!std::constructible_from<double, Seconds>);
static_assert(!std::constructible_from<Seconds, Bytes>);

// Dimensions multiply out; a ratio without dimension is a plain double.
static_assert(std::same_as<decltype(byte / second), Bandwidth>);
static_assert(std::same_as<decltype(byte / (byte / second)), Seconds>);
static_assert(std::same_as<decltype(joule / second * hour), Joules>);
static_assert(std::same_as<decltype(dollar / hour), DollarsPerSecond>);
static_assert(std::same_as<decltype(dollar / kilowatt_hour), DollarsPerJoule>);
static_assert(std::same_as<decltype(dollar / kilowatt / month), DollarsPerJoule>);
static_assert(std::same_as<decltype(1.0 / second), Frequency>);
static_assert(std::same_as<decltype(second / second), double>);

// Counts of different things do not mix with each other or with plain integers.
static_assert(addable<Tokens, Tokens>);
static_assert(!addable<Tokens, Sequences>);
static_assert(!addable<Tokens, std::int64_t>);
static_assert(!comparable<Tokens, Sequences>);
static_assert(!std::convertible_to<Tokens, std::int64_t>);
static_assert(multipliable<Tokens, std::int64_t>);
static_assert(!multipliable<Tokens, Sequences>);

// A quantity costs what a double costs.
static_assert(std::is_trivially_copyable_v<Seconds> && sizeof(Seconds) == sizeof(double));
static_assert(Seconds{} == 0.0 * second);

TEST_CASE("units: a bit is an eighth of a byte, a kilowatt hour is 3.6 MJ, a month is a twelfth of a year", "[base]") {
  STATIC_REQUIRE((400.0 * gigabit_per_second).in(gigabyte_per_second) == 50.0);
  STATIC_REQUIRE(kilowatt_hour.in(joule) == 3.6e6);
  STATIC_REQUIRE((12.0 * month) == year);
  STATIC_REQUIRE(year.in(hour) == 8760.0);
  STATIC_REQUIRE(gibibyte.in(mebibyte) == 1024.0);
}

TEST_CASE("units: sums, differences and signs stay in the unit", "[base]") {
  Seconds time = 2.0 * minute;
  time += 30.0 * second;
  time -= minute;
  time *= 2;
  CHECK(time.in(second) == 180.0);  // (120 + 30 - 60) * 2
  CHECK((-time).in(minute) == -3.0);
  CHECK((time / 4.0).in(second) == 45.0);
  CHECK(time / minute == 3.0);
}

TEST_CASE("units: 700 W over a day at 0.0826 $/kWh cost 1.38768 $", "[base]") {
  const Joules energy = 700.0 * watt * day;  // 16.8 kWh
  const Dollars cost = energy * (0.0826 * dollar / kilowatt_hour);
  CHECK_THAT(cost.in(dollar), WithinRel(1.38768, 1e-12));  // 16.8 * 0.0826; a few roundings
}

TEST_CASE("interest: an effective rate compounds back to itself, a nominal one is split evenly", "[base]") {
  const InterestRate effective{0.13, Compounding::effective};
  const InterestRate nominal{0.13, Compounding::nominal};
  for (const int periods : {1, 2, 4, 12, 365}) {
    CAPTURE(periods);
    // Tolerance: the power multiplies the rounding of one period by their number.
    CHECK_THAT(std::pow(1 + effective.per_period(periods), periods), WithinRel(1.13, 1e-13));
    CHECK_THAT(nominal.per_period(periods) * periods, WithinRel(0.13, 1e-15));
  }
  CHECK(effective.per_period(12) < nominal.per_period(12));
  CHECK(InterestRate{}.per_period(12) == 0.0);
}

TEST_CASE("interest: 13 %/year effective is 1.0236844 % a month", "[base]") {
  // 1.13^(1/12) - 1, by hand: ln 1.13 = 0.122217632724; / 12 = 0.010184802727; e^x - 1 = 0.010236844358.
  CHECK_THAT((InterestRate{0.13, Compounding::effective}.per_period(12)), WithinAbs(0.010236844, 1e-9));
}

TEST_CASE("interest: a tiny rate keeps its digits", "[base]") {
  // (1 + r)^(1/12) - 1 = r/12 - 11 r^2/288 + ...: for r = 1e-12 the first term is exact to 1e-12 of itself.
  CHECK_THAT((InterestRate{1e-12, Compounding::effective}.per_period(12)), WithinRel(1e-12 / 12, 1e-11));
}

}  // namespace
}  // namespace railyard
