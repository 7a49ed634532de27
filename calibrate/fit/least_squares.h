// SPDX-License-Identifier: Apache-2.0
// Robust least squares: which parameters, within bounds, make the residuals small when some samples are wrong?
// Levenberg-Marquardt with reweighting (Huber, then Tukey); Eigen stays in the source file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace railyard::fit {

/// A parameter within [low, high]. With low > 0 it is searched as a logarithm, otherwise as it is.
struct FitParameter {
  std::string name;
  double start = 0, low = 0, high = 0;
};

/// How far-off samples count. Huber limits their pull, Tukey takes it away beyond 4.7 standard deviations.
enum class Loss { squares, huber, tukey };

struct FittedParameter {
  std::string name;
  double value = 0;
  double spread = 0;      // standard error, in the unit of the value; infinite when others can stand for it
  bool at_bound = false;  // then the spread says nothing
};

struct LeastSquaresResult {
  std::vector<FittedParameter> parameters;
  std::vector<double> residuals;  // at the solution, unweighted
  std::vector<double> weights;    // 0 to 1: what the loss left of each sample
  double scale = 0;               // robust standard deviation of the residuals (1.4826 x median absolute)
  bool converged = false;
};

/// Residuals at the given values; always the same number of them.
using Residuals = std::function<std::vector<double>(std::span<const double> values)>;

/// Minimises the loss near the start. Needs at least one residual; parameters the residuals do not depend on stay at
/// their start. Source: Nocedal and Wright, Numerical Optimization, 10.3; Huber and Ronchetti, Robust Statistics, 7.
[[nodiscard]] LeastSquaresResult least_squares(const std::vector<FitParameter>& parameters, const Residuals& residuals,
                                               Loss loss = Loss::tukey);

/// The fitted values alone, in the order of the parameters.
[[nodiscard]] std::vector<double> values_of(const LeastSquaresResult& result);

/// Middle value of a list (mean of the middle two), 0 for none.
[[nodiscard]] double median(std::vector<double> values);
/// Value at a share of the sorted list by linear interpolation, 0.5 the median; 0 for none.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace railyard::fit
