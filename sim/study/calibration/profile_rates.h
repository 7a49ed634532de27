// SPDX-License-Identifier: Apache-2.0
// What a profile predicts for the operations that logs measure: rates, with how far to trust them.
#pragma once

#include <optional>
#include <vector>

#include "sim/study/calibration/sample_set.h"

namespace railyard {

/// A rate and its relative standard error.
struct RateEstimate {
  double rate = 0, error = 0;
};

/// Rates at the profile's typical speeds. The error is a quarter of the range from slow to fast (ranges are two
/// standard errors either way), or the left-out error of the fit when that is larger.
class ProfileRates {
 public:
  explicit ProfileRates(const Profile& profile);
  /// Nothing for what a profile does not know: other types, head dimensions and full attention, collectives over
  /// several nodes (they depend on the fabric), links.
  [[nodiscard]] std::optional<RateEstimate> at(const MeasuredSeries& series, const MeasuredPoint& point) const;

 private:
  [[nodiscard]] std::optional<double> seconds(Speed speed, const MeasuredSeries& series,
                                              const MeasuredPoint& point) const;

  const Profile* profile_;
  Laws slow_, typical_, fast_;
};

/// Sizes at which two profiles are compared: what both know, without rates.
[[nodiscard]] std::vector<MeasuredSeries> common_grid(const Profile& a, const Profile& b);

}  // namespace railyard
