// SPDX-License-Identifier: Apache-2.0
// Quantities with units: a double in base units (byte, second, joule, dollar, FLOP, metre, kg) whose dimension the
// compiler checks. A value enters by naming a unit (400e9 * bit / second) and leaves by naming one (time.in(second)).
#pragma once

#include <compare>
#include <cstdint>

namespace railyard {

/// Exponents of the base units.
struct Dimension {
  int byte = 0, second = 0, joule = 0, dollar = 0, flop = 0, metre = 0, kilogram = 0;
  constexpr bool operator==(const Dimension&) const = default;
};

constexpr Dimension operator+(Dimension a, Dimension b) {
  return {a.byte + b.byte, a.second + b.second, a.joule + b.joule,      a.dollar + b.dollar,
          a.flop + b.flop, a.metre + b.metre,   a.kilogram + b.kilogram};
}
constexpr Dimension operator-(Dimension a, Dimension b) {
  return {a.byte - b.byte, a.second - b.second, a.joule - b.joule,      a.dollar - b.dollar,
          a.flop - b.flop, a.metre - b.metre,   a.kilogram - b.kilogram};
}

inline constexpr Dimension dimensionless{};

template <Dimension D>
class Quantity;

namespace detail {
/// The only door between bare numbers and quantities; used by this header and the text reader.
struct QuantityAccess {
  template <Dimension D>
  static constexpr Quantity<D> from_base(double value) {
    return Quantity<D>(value);
  }
  template <Dimension D>
  static constexpr double to_base(Quantity<D> quantity) {
    return quantity.value_;
  }
};

/// A ratio of quantities with no dimension left is a plain double.
template <Dimension D>
constexpr auto wrap(double value) {
  if constexpr (D == dimensionless) {
    return value;
  } else {
    return QuantityAccess::from_base<D>(value);
  }
}
}  // namespace detail

/// A value of one dimension. Trivially copyable, passes in a register; zero when default-constructed.
template <Dimension D>
class Quantity {
 public:
  constexpr Quantity() = default;

  /// The value as a multiple of `unit`.
  [[nodiscard]] constexpr double in(Quantity unit) const { return value_ / unit.value_; }

  constexpr Quantity operator-() const { return Quantity(-value_); }
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity(a.value_ * b); }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity(a * b.value_); }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity(a.value_ / b); }
  constexpr auto operator<=>(const Quantity&) const = default;

 private:
  friend detail::QuantityAccess;
  explicit constexpr Quantity(double value) : value_(value) {}
  double value_ = 0;
};

template <Dimension A, Dimension B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  return detail::wrap<A + B>(detail::QuantityAccess::to_base(a) * detail::QuantityAccess::to_base(b));
}
template <Dimension A, Dimension B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  return detail::wrap<A - B>(detail::QuantityAccess::to_base(a) / detail::QuantityAccess::to_base(b));
}
template <Dimension D>
constexpr auto operator/(double a, Quantity<D> b) {
  return detail::wrap<dimensionless - D>(a / detail::QuantityAccess::to_base(b));
}

using Bytes = Quantity<Dimension{.byte = 1}>;
using Seconds = Quantity<Dimension{.second = 1}>;
using Joules = Quantity<Dimension{.joule = 1}>;
using Dollars = Quantity<Dimension{.dollar = 1}>;
using Flops = Quantity<Dimension{.flop = 1}>;
using Metres = Quantity<Dimension{.metre = 1}>;
using Kilograms = Quantity<Dimension{.kilogram = 1}>;
using Bandwidth = Quantity<Dimension{.byte = 1, .second = -1}>;
using FlopRate = Quantity<Dimension{.second = -1, .flop = 1}>;
using Watts = Quantity<Dimension{.second = -1, .joule = 1}>;
using Frequency = Quantity<Dimension{.second = -1}>;
using DollarsPerSecond = Quantity<Dimension{.second = -1, .dollar = 1}>;
/// Dollars per joule: an energy tariff ($/kWh) and a capacity charge ($/kW/month) have this one dimension.
using DollarsPerJoule = Quantity<Dimension{.joule = -1, .dollar = 1}>;
using DollarsPerByte = Quantity<Dimension{.byte = -1, .dollar = 1}>;
using DollarsPerMetre = Quantity<Dimension{.dollar = 1, .metre = -1}>;

inline constexpr Bytes byte = detail::QuantityAccess::from_base<Dimension{.byte = 1}>(1);
inline constexpr Seconds second = detail::QuantityAccess::from_base<Dimension{.second = 1}>(1);
inline constexpr Joules joule = detail::QuantityAccess::from_base<Dimension{.joule = 1}>(1);
inline constexpr Dollars dollar = detail::QuantityAccess::from_base<Dimension{.dollar = 1}>(1);
inline constexpr Flops flop = detail::QuantityAccess::from_base<Dimension{.flop = 1}>(1);
inline constexpr Metres metre = detail::QuantityAccess::from_base<Dimension{.metre = 1}>(1);
inline constexpr Kilograms kilogram = detail::QuantityAccess::from_base<Dimension{.kilogram = 1}>(1);

inline constexpr Bytes bit = byte / 8;
inline constexpr Bytes gigabyte = 1e9 * byte;
inline constexpr Bytes gibibyte = 1073741824.0 * byte;
inline constexpr Bytes mebibyte = 1048576.0 * byte;
inline constexpr Bytes kibibyte = 1024.0 * byte;
inline constexpr Seconds millisecond = 1e-3 * second;
inline constexpr Seconds microsecond = 1e-6 * second;
inline constexpr Seconds nanosecond = 1e-9 * second;
inline constexpr Seconds minute = 60.0 * second;
inline constexpr Seconds hour = 3600.0 * second;
inline constexpr Seconds day = 24.0 * hour;
/// A year is 8 760 h; a month is a twelfth of it, 730 h (DESIGN section 3).
inline constexpr Seconds year = 8760.0 * hour;
inline constexpr Seconds month = 730.0 * hour;
inline constexpr Watts watt = joule / second;
inline constexpr Watts kilowatt = 1e3 * watt;
inline constexpr Joules kilowatt_hour = kilowatt * hour;
inline constexpr Flops petaflop = 1e15 * flop;
inline constexpr FlopRate teraflop_per_second = 1e12 * flop / second;
inline constexpr FlopRate petaflop_per_second = 1e15 * flop / second;
inline constexpr Bandwidth gigabit_per_second = 1e9 * bit / second;
inline constexpr Bandwidth gigabyte_per_second = gigabyte / second;
inline constexpr DollarsPerSecond dollar_per_hour = dollar / hour;

/// A count of one kind of thing; counts of different kinds do not mix, nor do they become plain integers unasked.
template <class Tag>
struct Count {
  std::int64_t value = 0;
  constexpr auto operator<=>(const Count&) const = default;
  friend constexpr Count operator+(Count a, Count b) { return {a.value + b.value}; }
  friend constexpr Count operator*(Count a, std::int64_t b) { return {a.value * b}; }
  friend constexpr Count operator*(std::int64_t a, Count b) { return {a * b.value}; }
};
using Tokens = Count<struct TokenTag>;
using Sequences = Count<struct SequenceTag>;

/// How a yearly rate of interest becomes a monthly one: `effective` is (1+r)^(1/12)-1, `nominal` is r/12.
enum class Compounding { effective, nominal };

/// A rate of interest that states its compounding.
struct InterestRate {
  double per_year = 0;
  Compounding compounding = Compounding::effective;
  /// Rate of one of `periods` equal parts of a year.
  [[nodiscard]] double per_period(int periods) const;
  /// Yearly rate after compounding; a nominal one is compounded monthly.
  [[nodiscard]] double effective() const;
  constexpr bool operator==(const InterestRate&) const = default;
};

}  // namespace railyard
