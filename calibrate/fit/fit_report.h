// SPDX-License-Identifier: Apache-2.0
// What a fit found and how far to trust it: parameters with spread, every sample against the law, and the errors of
// samples predicted by fits that have not seen them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/fit/least_squares.h"
#include "calibrate/profile/profile.h"

namespace railyard::fit {

/// One sample against the law: all in seconds.
struct FittedSample {
  std::string label;     // "4096 x 1024 x 8192"
  GemmShape shape;       // of a product
  double measured = 0;   // > 0
  double predicted = 0;  // by the fit to all samples
  double left_out = 0;   // by a fit that has not seen the sample's group; 0 when there was none
  double corrected = 0;  // left_out, corrected by nearby samples that were seen; 0 when there was none
  double weight = 1;     // what the robust loss left of it; 0: an outlier
};

inline constexpr double robust_deviation = 1.4826;  // standard deviation of a normal over its median absolute error
inline constexpr double unknown_error = 0.05;       // standard error of a rate where nothing tells it, assumed

/// Sizes of relative errors.
struct ErrorSummary {
  int samples = 0;
  double median = 0, p90 = 0, worst = 0;
};

/// Of |predicted / measured - 1|; both of one length, measured > 0.
[[nodiscard]] ErrorSummary summarise(std::span<const double> measured, std::span<const double> predicted);

struct FitReport {
  std::string law;      // "GEMM"
  std::string subject;  // "H100-SXM bf16"
  std::vector<FittedParameter> parameters;
  std::vector<FittedSample> samples;
  std::map<std::string, SampleRange> ranges;  // sizes the samples cover
  bool converged = true;

  /// Errors of the fit to all, of the left-out predictions and of the corrected ones. The latter two count only samples
  /// that have them, so `samples` is 0 when nothing was left out.
  [[nodiscard]] ErrorSummary seen() const;
  [[nodiscard]] ErrorSummary left_out() const;
  [[nodiscard]] ErrorSummary corrected() const;
  [[nodiscard]] int outliers() const;
  /// Standard error of the parameter whose name ends so, in its unit: 0 at a bound; where its spread is not known
  /// `robust_deviation` times the median left-out error, relative to its value, or 5 %, assumed, without that.
  [[nodiscard]] double standard_error(std::string_view name_end) const;
  /// The part of it a profile keeps.
  [[nodiscard]] FitQuality quality() const;
};

/// True when the sizes lie far enough apart to tell a start from a rate: the largest half as large again as the
/// smallest.
[[nodiscard]] bool spans(double smallest, double largest);

/// Widens the named range of a report to hold `size`.
void widen(std::map<std::string, SampleRange>& ranges, const std::string& name, std::int64_t size);

/// Parameters with spreads and the errors, a few lines; `with_samples` adds a line for each.
[[nodiscard]] std::string to_text(const FitReport& report, bool with_samples = false);

/// Predicts every sample by a fit to the samples of all other groups. `predict(seen, unseen)` gets indices into the
/// samples and gives the predictions for `unseen`. With fewer than two groups nothing can be left out: no predictions.
[[nodiscard]] std::vector<double> leave_groups_out(
    std::span<const std::string> group_of_sample,
    const std::function<std::vector<double>(std::span<const std::size_t> seen, std::span<const std::size_t> unseen)>&
        predict);

}  // namespace railyard::fit
