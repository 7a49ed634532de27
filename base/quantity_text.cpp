// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"

namespace railyard {
namespace {

struct Prefix {
  std::string_view text;
  double factor;
};

constexpr Prefix decimal_prefixes[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}};
constexpr Prefix data_prefixes[] = {{"k", 1e3},
                                    {"M", 1e6},
                                    {"G", 1e9},
                                    {"T", 1e12},
                                    {"P", 1e15},
                                    {"E", 1e18},
                                    {"Ki", 1024.0},
                                    {"Mi", 1048576.0},
                                    {"Gi", 1073741824.0},
                                    {"Ti", 1099511627776.0},
                                    {"Pi", 1125899906842624.0}};
constexpr Prefix small_prefixes[] = {{"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}};
constexpr Prefix length_prefixes[] = {{"k", 1e3}, {"c", 1e-2}, {"m", 1e-3}};
constexpr Prefix mass_prefixes[] = {{"k", 1e3}};
constexpr Prefix money_prefixes[] = {{"k", 1e3}, {"M", 1e6}};

struct Symbol {
  std::string_view text;
  double factor;  // in base units
  std::span<const Prefix> prefixes;
};

const Symbol symbols[] = {
    {"B", 1, data_prefixes},         {"b", bit.in(byte), data_prefixes},
    {"s", 1, small_prefixes},        {"min", minute.in(second), {}},
    {"h", hour.in(second), {}},      {"day", day.in(second), {}},
    {"month", month.in(second), {}}, {"year", year.in(second), {}},
    {"W", 1, decimal_prefixes},      {"Wh", (watt * hour).in(joule), decimal_prefixes},
    {"J", 1, decimal_prefixes},      {"FLOP", 1, decimal_prefixes},
    {"$", 1, money_prefixes},        {"m", 1, length_prefixes},
    {"g", 1e-3, mass_prefixes},      {"%", 0.01, {}},
};

struct Piece {
  std::string_view symbol;
  double factor = 1;
};

std::optional<Piece> parse_piece(std::string_view text) {
  for (const Symbol& symbol : symbols) {
    if (text == symbol.text) return Piece{symbol.text, symbol.factor};
  }
  for (const Symbol& symbol : symbols) {
    if (!text.ends_with(symbol.text)) continue;
    const std::string_view before = text.substr(0, text.size() - symbol.text.size());
    for (const Prefix& prefix : symbol.prefixes) {
      if (before == prefix.text) return Piece{symbol.text, symbol.factor * prefix.factor};
    }
  }
  return std::nullopt;
}

struct Unit {
  std::string canonical;  // prefixes removed
  double factor = 1;
};

std::optional<Unit> parse_unit(std::string_view text) {
  Unit unit;
  bool first = true;
  while (true) {
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    if (!(first && part.empty())) {  // "/day" has nothing above the line
      const std::optional<Piece> piece = parse_piece(part);
      if (!piece) return std::nullopt;
      unit.factor = first ? piece->factor : unit.factor / piece->factor;
      if (!first) unit.canonical += '/';
      unit.canonical += piece->symbol;
    } else {
      unit.factor = 1;
    }
    if (slash == std::string_view::npos) return unit;
    if (unit.canonical.size() > 40) return std::nullopt;
    text.remove_prefix(slash + 1);
    first = false;
  }
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Splits "400 Gb/s" into its number and the rest.
struct Split {
  double number = 0;
  bool in_range = true;  // of a double
  std::string_view rest;
};

std::optional<Split> split_number(std::string_view text) {
  text = trim(text);
  std::string_view digits = text;
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  const bool decimal = !digits.empty() && (std::isdigit(static_cast<unsigned char>(digits.front())) != 0 ||
                                           (digits.front() == '.' && digits.size() > 1));
  if (!decimal) return std::nullopt;  // refuses inf, nan and words
  if (digits.size() > 1 && digits[0] == '0' && std::isdigit(static_cast<unsigned char>(digits[1])) != 0)
    return std::nullopt;
  Split split;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, split.number);
  if (error == std::errc::invalid_argument) return std::nullopt;
  split.in_range = error == std::errc() && std::isfinite(split.number);
  if (text.front() == '-') split.number = -split.number;
  split.rest = trim(std::string_view(rest, static_cast<std::size_t>(end - rest)));
  return split;
}

/// Nothing that is paid for, measured or sent is larger in base units, and sums and products of such stay finite.
constexpr double largest = 1e30;

std::string expected_unit(const UnitKind& kind) {
  return fmt::format("expected {} with its unit, such as {}", kind.what, kind.examples);
}

}  // namespace

QuantityText parse_quantity(std::string_view text, const UnitKind& kind) {
  const std::optional<Split> split = split_number(text);
  if (!split) return {.error = expected_unit(kind)};
  if (split->rest.empty()) {
    if (split->number == 0 && split->in_range) return {.base = 0};
    return {.error = "the unit is missing; " + expected_unit(kind)};
  }
  const std::optional<Unit> unit = parse_unit(split->rest);
  if (!unit || std::find(kind.units.begin(), kind.units.end(), unit->canonical) == kind.units.end()) {
    return {.error = fmt::format("'{}' is not a unit of this kind; {}", shortened(split->rest), expected_unit(kind))};
  }
  const double base = split->number * unit->factor;
  if (!split->in_range || std::abs(base) > largest) {
    return {.error = fmt::format("the value is out of range; expected {} of at most {:.3g} {}", kind.what,
                                 largest / unit->factor, split->rest)};
  }
  return {.base = base};
}

QuantityText parse_number(std::string_view text) {
  const std::optional<Split> split = split_number(text);
  if (!split || !split->rest.empty()) return {.error = "expected a plain decimal number"};
  if (!split->in_range) return {.error = "expected a number of at most 1.8e308"};
  return {.base = split->number};
}

InterestText parse_interest(std::string_view text) {
  constexpr std::string_view expected =
      "expected a rate of interest with its compounding, such as '13 %/year effective' or '8 %/year nominal'";
  InterestText result;
  text = trim(text);
  for (const auto& [word, compounding] : {std::pair{std::string_view("effective"), Compounding::effective},
                                          std::pair{std::string_view("nominal"), Compounding::nominal}}) {
    if (text.ends_with(word)) {
      result.rate.compounding = compounding;
      text = trim(text.substr(0, text.size() - word.size()));
      break;
    }
  }
  const std::optional<Split> split = split_number(text);
  if (!split || (split->rest != "%/year" && (split->number != 0 || !split->in_range))) {
    result.error = expected;
    return result;
  }
  result.rate.per_year = split->number / 100;
  if (result.rate.per_year < 0 || result.rate.per_year > 10 || !split->in_range)
    result.error = "a rate of interest lies between 0 and 1000 %/year";
  return result;
}

std::string to_text(const InterestRate& rate) {
  return fmt::format("{:g} %/year {}", rate.per_year * 100,
                     rate.compounding == Compounding::nominal ? "nominal" : "effective");
}

}  // namespace railyard
