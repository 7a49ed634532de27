// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.h"

#include "tests/catch.h"

namespace railyard {
namespace {

struct Case {
  const char* text;
  const UnitKind* kind;
  double base;
};

TEST_CASE("quantity text: numbers with units become base units", "[base]") {
  const Case c = GENERATE(
      Case{"400 Gb/s", &units::bandwidth, 50e9}, Case{"400Gb/s", &units::bandwidth, 50e9},
      Case{"3.35 TB/s", &units::bandwidth, 3.35e12}, Case{"64 GiB/s", &units::bandwidth, 68719476736.0},
      Case{"80 GB", &units::data, 80e9}, Case{"16 MiB", &units::data, 16777216.0}, Case{"8 b", &units::data, 1},
      Case{"5 year", &units::time, 157680000.0}, Case{"1 month", &units::time, 2628000.0},
      Case{"1.5 h", &units::time, 5400}, Case{"2 min", &units::time, 120}, Case{"7 us", &units::time, 7e-6},
      Case{"90 ms", &units::time, 0.09}, Case{"10.2 kW", &units::power, 10200},
      Case{"989 TFLOP/s", &units::flop_rate, 989e12}, Case{"1.979 PFLOP/s", &units::flop_rate, 1.979e15},
      Case{"256.4 k$", &units::money, 256400}, Case{"1.5 M$", &units::money, 1.5e6}, Case{"30 m", &units::length, 30},
      Case{"2 km", &units::length, 2000}, Case{"50 cm", &units::length, 0.5}, Case{"130.45 kg", &units::mass, 130.45},
      Case{"500 g", &units::mass, 0.5}, Case{"2.6 $/m", &units::price_of_length, 2.6},
      // 0.0826 $ / 3.6e6 J; 184 $ / 1 000 W / 2 628 000 s; 1 M$ / 31 536 000 s; 650 $ / 1e12 B
      Case{"0.0826 $/kWh", &units::tariff, 0.0826 / 3.6e6},
      Case{"184 $/kW/month", &units::capacity_charge, 184 / (1000 * 2628000.0)},
      Case{"1 M$/year", &units::money_rate, 1e6 / 31536000.0}, Case{"650 $/TB", &units::price_of_data, 650e-12},
      Case{"0.0038 /day", &units::frequency, 0.0038 / 86400}, Case{"3 %/year", &units::yearly_share, 0.03 / 31536000.0},
      Case{"85 %", &units::share, 0.85}, Case{"-5 %", &units::share, -0.05}, Case{"+5 %", &units::share, 0.05},
      Case{"1e3 W", &units::power, 1000}, Case{".5 W", &units::power, 0.5}, Case{"0", &units::power, 0},
      Case{"  7   W  ", &units::power, 7});
  CAPTURE(c.text);
  const QuantityText result = parse_quantity(c.text, *c.kind);
  CHECK(result.error == "");
  CHECK_THAT(result.base, WithinRel(c.base, 1e-15));  // one multiplication more or less
}

struct Refused {
  const char* text;
  const UnitKind* kind;
  const char* error;
};

TEST_CASE("quantity text: what is refused, and the words of the refusal", "[base]") {
  const Refused c = GENERATE(
      Refused{"400", &units::bandwidth,
              "the unit is missing; expected a bandwidth with its unit, such as 400 Gb/s, 3.35 TB/s"},
      Refused{"400 Gbps", &units::bandwidth,
              "'Gbps' is not a unit of this kind; expected a bandwidth with its unit, such as 400 Gb/s, 3.35 TB/s"},
      Refused{"400 GB", &units::bandwidth,
              "'GB' is not a unit of this kind; expected a bandwidth with its unit, such as 400 Gb/s, 3.35 TB/s"},
      Refused{"80 gb", &units::data,
              "'gb' is not a unit of this kind; expected an amount of data with its unit, such as 80 GB, 16 MiB"},
      Refused{"700 w", &units::power,
              "'w' is not a unit of this kind; expected a power with its unit, such as 700 W, 10.2 kW"},
      Refused{"0.08 $/kWh", &units::capacity_charge,
              "'$/kWh' is not a unit of this kind; expected a charge for power capacity with its unit, such as "
              "184 $/kW/month"},
      Refused{"many W", &units::power, "expected a power with its unit, such as 700 W, 10.2 kW"},
      Refused{"1e999 W", &units::power, "the value is out of range; expected a power of at most 1e+30 W"},
      Refused{"1e308 kW", &units::power, "the value is out of range; expected a power of at most 1e+27 kW"},
      Refused{"-1e31 W", &units::power, "the value is out of range; expected a power of at most 1e+30 W"},
      Refused{"1e40 /day", &units::frequency,
              "the value is out of range; expected a rate of events of at most 8.64e+34 /day"});
  CAPTURE(c.text);
  CHECK(parse_quantity(c.text, *c.kind).error == c.error);
}

TEST_CASE("quantity text: no spelling of a number slips through that a reader could take for another", "[base]") {
  const char* text =
      GENERATE("", " ", "W", "nan W", ".nan W", "inf W", "-inf W", "0x10 W", "010 W", "1,5 W", "1 000 W", "1_000 W",
               "--5 W", "+-5 W", "- 5 W", ". W", "5 W W", "5 W/", "5 /W", "5 k", "5 kkW", "5 KiW", "5 W/s", "5 W\n",
               "\xC2\xA0"
               "5 W",
               "5 e3 W");
  CAPTURE(text);
  CHECK_FALSE(parse_quantity(text, units::power).ok());
}

TEST_CASE("quantity text: plain numbers are decimal, finite and bare", "[base]") {
  CHECK(parse_number("1.25").base == 1.25);
  CHECK(parse_number("-3e6").base == -3e6);
  CHECK(parse_number("0").base == 0);
  CHECK(parse_number("0.5").base == 0.5);
  const char* text = GENERATE("", "yes", ".nan", ".inf", "010", "0x1f", "5 %", "1.2.3", "1e", "0b11");
  CAPTURE(text);
  CHECK(parse_number(text).error == "expected a plain decimal number");
  CHECK(parse_number("1e400").error == "expected a number of at most 1.8e308");
}

TEST_CASE("interest text: the compounding is effective unless it says nominal", "[base]") {
  CHECK(parse_interest("13 %/year").rate == InterestRate{0.13, Compounding::effective});
  CHECK(parse_interest("13 %/year effective").rate == InterestRate{0.13, Compounding::effective});
  CHECK(parse_interest("8 %/year nominal").rate == InterestRate{0.08, Compounding::nominal});
  CHECK(parse_interest("0").error == "");
}

TEST_CASE("interest text: rates without period and absurd rates are refused", "[base]") {
  const std::string form =
      "expected a rate of interest with its compounding, such as '13 %/year effective' or '8 %/year nominal'";
  CHECK(parse_interest("13 %").error == form);
  CHECK(parse_interest("0.13").error == form);
  CHECK(parse_interest("13 %/month").error == form);
  CHECK(parse_interest("13 %/year daily").error == form);
  CHECK(parse_interest("nominal").error == form);
  CHECK(parse_interest("-1 %/year").error == "a rate of interest lies between 0 and 1000 %/year");
  CHECK(parse_interest("1001 %/year").error == "a rate of interest lies between 0 and 1000 %/year");
}

TEST_CASE("interest text: what is written reads back", "[base]") {
  const InterestRate rate = GENERATE(InterestRate{0.13, Compounding::effective},
                                     InterestRate{0.0825, Compounding::nominal}, InterestRate{0, Compounding::nominal});
  CHECK(parse_interest(to_text(rate)).rate == rate);
}

}  // namespace
}  // namespace railyard
