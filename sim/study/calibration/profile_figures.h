// SPDX-License-Identifier: Apache-2.0
// Figures of a profile as YAML: those that a fit gives, and those taken over from another profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
/// Two standard errors either way of a fitted value, at least 0 and no higher than `highest`.
[[nodiscard]] Range<double> fitted_range(double value, double error, double highest);
/// Standard error of a fitted parameter of that value, 0 at a bound. Where parameters can stand for each other (a
/// spread beyond a tenth of the value), 1.48 times the median left-out error, relative to the value.
[[nodiscard]] double error_of(const fit::FitReport& report, std::string_view parameter, double value);
/// "fit to 20 samples, median error 5.0 %, leaving out each 5.3 %, bytes 8 to 4096".
[[nodiscard]] std::string quality_text(const fit::FitReport& report);

/// The sources of a file that is being written.
class SourceList {
 public:
  /// The id of a source that names tools, versions, GPU and date behind a law.
  std::string add(const FittedLaw& law);
  /// Lines of the `sources` map.
  [[nodiscard]] const std::string& lines() const { return lines_; }

 private:
  std::string lines_;
  int count_ = 0;
};

/// Writes figures of one profile into another, as assumptions, and notes their keys.
class LikeFigures {
 public:
  explicit LikeFigures(const Profile& like) : like_(like) {}
  /// A whole line; `path` is the dotted key, of which the last part is written.
  std::string line(std::string_view indent, std::string_view path, const Range<double>& value, const FigureUnit& unit);
  std::string line(std::string_view indent, std::string_view path, const Figure<double>& figure);
  std::string line(std::string_view indent, std::string_view path, const Figure<FlopRate>& figure);
  std::string line(std::string_view indent, std::string_view path, const Figure<Bandwidth>& figure);
  std::string line(std::string_view indent, std::string_view path, const Figure<Seconds>& figure);
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }

 private:
  const Profile& like_;
  std::vector<std::string> keys_;
};

}  // namespace railyard
