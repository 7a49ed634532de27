// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/least_squares.h"

#include <cmath>
#include <random>

#include "tests/catch.h"

namespace {

using namespace railyard::fit;

/// y = a + b x at x = 0, 1, 2, ..., with the given y.
Residuals line(const std::vector<double>& y) {
  return [y](std::span<const double> values) {
    std::vector<double> residuals;
    for (std::size_t i = 0; i < y.size(); ++i)
      residuals.push_back(values[0] + values[1] * static_cast<double>(i) - y[i]);
    return residuals;
  };
}

const std::vector<FitParameter> wide{{"a", 0, -100, 100}, {"b", 0, -100, 100}};

TEST_CASE("least squares: a line through four points has the textbook slope, intercept and errors", "[fit]") {
  // x 0..3, y 1, 3, 2, 5: slope = 5.5 / 5 = 1.1, intercept = 2.75 - 1.65 = 1.1. Residuals 0.1, -0.8, 1.3, -0.6; their
  // squares sum to 2.7, over 4 - 2 it is 1.35. Errors: slope sqrt(1.35 / 5), intercept sqrt(1.35 (1/4 + 2.25/5)).
  const LeastSquaresResult result = least_squares(wide, line({1, 3, 2, 5}), Loss::squares);
  CHECK(result.converged);
  CHECK_THAT(result.parameters[0].value, WithinRel(1.1, 1e-6));
  CHECK_THAT(result.parameters[1].value, WithinRel(1.1, 1e-6));
  CHECK_THAT(result.parameters[0].spread, WithinRel(std::sqrt(1.35 * 0.7), 1e-5));
  CHECK_THAT(result.parameters[1].spread, WithinRel(std::sqrt(1.35 / 5), 1e-5));
  CHECK_THAT(result.residuals[1], WithinRel(-0.8, 1e-5));
}

TEST_CASE("least squares: Tukey's loss takes no notice of an outlier, plain squares do", "[fit]") {
  std::vector<double> y;
  for (int i = 0; i < 20; ++i) y.push_back(3 + 0.5 * i + (i % 2 == 0 ? 0.01 : -0.01));
  const double slope = least_squares(wide, line(y)).parameters[1].value;
  y[15] = 400;
  const LeastSquaresResult robust = least_squares(wide, line(y));
  CHECK_THAT(robust.parameters[1].value, WithinRel(slope, 2e-3));
  CHECK(robust.weights[15] == 0);
  CHECK(robust.weights[3] > 0.8);
  CHECK(std::abs(least_squares(wide, line(y), Loss::squares).parameters[1].value - slope) > 1);
}

TEST_CASE("least squares: a bound holds and the other parameter makes the best of it", "[fit]") {
  // y = 1 + 2 x with b held to 1 at most: the best intercept for slope 1 is the mean of y - x, 1 + 2 = 3 at x 0..4.
  const std::vector<FitParameter> bounded{{"a", 0, -100, 100}, {"b", 0, -1, 1}};
  const LeastSquaresResult result = least_squares(bounded, line({1, 3, 5, 7, 9}), Loss::squares);
  CHECK(result.parameters[1].value == 1);
  CHECK(result.parameters[1].at_bound);
  CHECK_THAT(result.parameters[0].value, WithinRel(3.0, 1e-6));
}

TEST_CASE("least squares: a parameter nothing depends on, or that cannot move, stays at its start", "[fit]") {
  const std::vector<FitParameter> parameters{{"a", 0, -100, 100}, {"b", 2, 2, 2}, {"idle", 7, 1, 100}};
  const LeastSquaresResult result = least_squares(parameters, line({1, 3, 5}));
  CHECK_THAT(result.parameters[0].value, WithinRel(1.0, 1e-6));
  CHECK(result.parameters[1].value == 2);
  CHECK_THAT(result.parameters[2].value, WithinRel(7.0, 1e-9));
}

TEST_CASE("least squares: the true value lies within two standard errors in about 95 of 100 noisy fits", "[fit]") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.05);
  int within = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> y;
    for (int i = 0; i < 30; ++i) y.push_back(1 + 0.1 * i + noise(random));
    const FittedParameter slope = least_squares(wide, line(y), Loss::huber).parameters[1];
    within += std::abs(slope.value - 0.1) < 2 * slope.spread ? 1 : 0;
  }
  // Binomial with 200 trials at 0.95: within four standard deviations (3.1) of 190.
  CHECK(within >= 178);
}

TEST_CASE("quantiles: the middle of an even list is between its middle two", "[fit]") {
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({}) == 0);
  // 0.9 of the way over 1..11 is 10.
  CHECK_THAT(quantile({11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 0.9), WithinRel(10.0, 1e-12));
}

TEST_CASE("least squares: what two parameters tell only together has no finite error", "[fit]") {
  // The residuals see the sum alone, once with scatter and once without.
  for (const double scatter : {0.1, 0.0}) {
    const LeastSquaresResult result =
        least_squares({{"a", 1, -100, 100}, {"b", 1, -100, 100}, {"c", 1, -100, 100}}, [&](auto values) {
          std::vector<double> residuals;
          for (const double sign : {-1.0, 1.0, -1.0, 1.0, 1.0}) {
            residuals.push_back(values[0] + values[1] - 5 + scatter * sign);
            residuals.push_back(values[2] - 3 + scatter * sign);
          }
          return residuals;
        });
    CHECK(std::isinf(result.parameters[0].spread));
    CHECK(std::isinf(result.parameters[1].spread));
    CHECK(std::isfinite(result.parameters[2].spread));
    CHECK_THAT(result.parameters[0].value + result.parameters[1].value, WithinRel(5, 0.02));
  }
}

}  // namespace
