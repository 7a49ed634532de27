// SPDX-License-Identifier: Apache-2.0
// Quantities as people write them: "400 Gb/s", "184 $/kW/month", "13 %/year". Case-sensitive; the unit is never left
// out. Decimal prefixes k M G T P E are powers of 1000, Ki Mi Gi Ti Pi of 1024; b is bit, B is byte.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/units.h"

namespace railyard {

/// The units in which one kind of quantity may be written, without prefixes ("b/s"), and examples for messages.
/// Kinds of one dimension stay apart: an energy tariff ($/kWh) is not a capacity charge ($/kW/month).
struct UnitKind {
  std::string_view what;                    // "a bandwidth"
  std::span<const std::string_view> units;  // accepted, prefixes removed
  std::string_view examples;                // "Gb/s, GB/s"
};

template <Dimension D>
struct UnitFamily : UnitKind {};

namespace units {
namespace detail {
inline constexpr std::string_view bandwidth[] = {"b/s", "B/s"};
inline constexpr std::string_view data[] = {"B", "b"};
inline constexpr std::string_view time[] = {"s", "min", "h", "day", "month", "year"};
inline constexpr std::string_view power[] = {"W"};
inline constexpr std::string_view flop_rate[] = {"FLOP/s"};
inline constexpr std::string_view money[] = {"$"};
inline constexpr std::string_view money_rate[] = {"$/h", "$/day", "$/month", "$/year"};
inline constexpr std::string_view tariff[] = {"$/Wh"};
inline constexpr std::string_view capacity_charge[] = {"$/W/month", "$/W/year"};
inline constexpr std::string_view price_of_data[] = {"$/B"};
inline constexpr std::string_view length[] = {"m"};
inline constexpr std::string_view mass[] = {"g"};
inline constexpr std::string_view price_of_length[] = {"$/m"};
inline constexpr std::string_view frequency[] = {"/s", "/h", "/day", "/month", "/year"};
inline constexpr std::string_view yearly_share[] = {"%/year"};
inline constexpr std::string_view share[] = {"%"};
}  // namespace detail

inline constexpr UnitFamily<Dimension{.byte = 1, .second = -1}> bandwidth{
    {"a bandwidth", detail::bandwidth, "400 Gb/s, 3.35 TB/s"}};
inline constexpr UnitFamily<Dimension{.byte = 1}> data{{"an amount of data", detail::data, "80 GB, 16 MiB"}};
inline constexpr UnitFamily<Dimension{.second = 1}> time{{"a time", detail::time, "5 year, 20 s, 7 us"}};
inline constexpr UnitFamily<Dimension{.second = -1, .joule = 1}> power{{"a power", detail::power, "700 W, 10.2 kW"}};
inline constexpr UnitFamily<Dimension{.second = -1, .flop = 1}> flop_rate{
    {"a rate of FLOP", detail::flop_rate, "989 TFLOP/s"}};
inline constexpr UnitFamily<Dimension{.dollar = 1}> money{{"an amount of money", detail::money, "1500 $, 256.4 k$"}};
inline constexpr UnitFamily<Dimension{.second = -1, .dollar = 1}> money_rate{
    {"money per time", detail::money_rate, "1 M$/year"}};
inline constexpr UnitFamily<Dimension{.joule = -1, .dollar = 1}> tariff{
    {"an energy tariff", detail::tariff, "0.0826 $/kWh"}};
inline constexpr UnitFamily<Dimension{.joule = -1, .dollar = 1}> capacity_charge{
    {"a charge for power capacity", detail::capacity_charge, "184 $/kW/month"}};
inline constexpr UnitFamily<Dimension{.byte = -1, .dollar = 1}> price_of_data{
    {"a price of storage", detail::price_of_data, "650 $/TB"}};
inline constexpr UnitFamily<Dimension{.metre = 1}> length{{"a length", detail::length, "30 m"}};
inline constexpr UnitFamily<Dimension{.kilogram = 1}> mass{{"a mass", detail::mass, "130 kg"}};
inline constexpr UnitFamily<Dimension{.dollar = 1, .metre = -1}> price_of_length{
    {"a price of length", detail::price_of_length, "2.6 $/m"}};
inline constexpr UnitFamily<Dimension{.second = -1}> frequency{{"a rate of events", detail::frequency, "0.0038 /day"}};
/// A share of an amount, charged every year: 3 %/year.
inline constexpr UnitFamily<Dimension{.second = -1}> yearly_share{
    {"a share per year", detail::yearly_share, "3 %/year"}};
/// A share of one, without dimension; read as a double.
inline constexpr UnitKind share{"a share", detail::share, "85 %"};
}  // namespace units

/// Outcome of reading a text: a value in base units, or what is wrong with it.
struct QuantityText {
  double base = 0;
  std::string error;  // empty when read
  [[nodiscard]] bool ok() const { return error.empty(); }
};

/// Reads `text` as a quantity of `kind`; never throws.
[[nodiscard]] QuantityText parse_quantity(std::string_view text, const UnitKind& kind);

/// Reads a plain finite decimal number ("1.25", "-3e6"); hexadecimal, octal, inf and nan are refused.
[[nodiscard]] QuantityText parse_number(std::string_view text);

/// Reads "13 %/year", "13 %/year effective" (the same) or "8 %/year nominal" (compounded monthly at a twelfth).
struct InterestText {
  InterestRate rate;
  std::string error;
};
[[nodiscard]] InterestText parse_interest(std::string_view text);

/// "13 %/year effective".
[[nodiscard]] std::string to_text(const InterestRate& rate);

}  // namespace railyard
