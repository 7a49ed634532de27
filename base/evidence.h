// SPDX-License-Identifier: Apache-2.0
// Where a number comes from and how sure it is: every price, specification and speed carries this (DESIGN 5.4).
#pragma once

#include <string>

#include "base/units.h"

namespace railyard {

/// `assumed`: no source of the right time says so; `rule` tells how the range was made.
enum class EvidenceKind { sourced, assumed };

struct Evidence {
  EvidenceKind kind = EvidenceKind::assumed;
  std::string source;  // document or page, in words
  std::string date;    // of the source: YYYY, YYYY-MM or YYYY-MM-DD
  std::string rule;    // how the value was derived or assumed; may be empty when sourced

  [[nodiscard]] bool assumed() const { return kind == EvidenceKind::assumed; }
  bool operator==(const Evidence&) const = default;
};

/// low <= typical <= high of one quantity (or plain number).
template <class T>
struct Range {
  T low{}, typical{}, high{};
  static constexpr Range exactly(T value) { return {value, value, value}; }
  [[nodiscard]] constexpr bool is_exact() const { return low == high; }
  friend constexpr Range operator+(const Range& a, const Range& b) {
    return {a.low + b.low, a.typical + b.typical, a.high + b.high};
  }
  constexpr Range& operator+=(const Range& other) { return *this = *this + other; }
  /// Scales by a factor that is not negative.
  friend constexpr Range operator*(const Range& a, double factor) {
    return {a.low * factor, a.typical * factor, a.high * factor};
  }
  constexpr bool operator==(const Range&) const = default;
};

/// The range as plain numbers of a unit.
template <class Q>
[[nodiscard]] constexpr Range<double> in_unit(const Range<Q>& range, Q unit) {
  return {range.low.in(unit), range.typical.in(unit), range.high.in(unit)};
}

/// Which end of every range a calculation takes. One pass of the pipeline uses one of them.
enum class Scenario { low, typical, high };

template <class T>
[[nodiscard]] constexpr T pick(const Range<T>& range, Scenario scenario) {
  return scenario == Scenario::low ? range.low : scenario == Scenario::high ? range.high : range.typical;
}

/// A number from outside with its evidence.
template <class T>
struct Figure {
  Range<T> value;
  Evidence evidence;
  bool operator==(const Figure&) const = default;
};

}  // namespace railyard
