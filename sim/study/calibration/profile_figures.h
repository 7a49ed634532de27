// SPDX-License-Identifier: Apache-2.0
// Figures that a fit gives, as a profile writes them.
#pragma once

#include <string>
#include <string_view>

#include "sim/study/calibration/sample_fit.h"

namespace railyard {

/// A unit of a profile's figures: base units in one, and its text after the number.
struct FigureUnit {
  double base = 1;
  std::string_view text;
};
inline constexpr FigureUnit teraflop_unit{1e12, " TFLOP/s"}, gigabyte_unit{1e9, " GB/s"}, microsecond_unit{1e-6, " us"},
    no_unit{1, ""};

/// "key: {low: 1 us, typical: 2 us, high: 3 us", still open; `value` in base units.
[[nodiscard]] std::string open_figure(std::string_view key, const Range<double>& value, const FigureUnit& unit);
/// Two standard errors either way of a fitted value, at least a tenth of it and no higher than `highest`.
[[nodiscard]] Range<double> fitted_range(double value, double error, double highest);
/// Standard error of a fitted parameter of that value (FitReport::standard_error), 0 at a bound. Where parameters can
/// stand for each other (beyond a tenth of the value), 1.48 times the median left-out error, relative to the value.
[[nodiscard]] double parameter_error(const fit::FitReport& report, std::string_view parameter, double value);
/// "fit to 20 samples, median error 5.0 %, leaving out each 5.3 %, bytes 8 to 4096".
[[nodiscard]] std::string quality_text(const fit::FitReport& report);

}  // namespace railyard
