// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace railyard::fit {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double huber_limit = 1.345, tukey_limit = 4.685;  // 95 % efficient on normal residuals
constexpr int most_steps = 200;
constexpr double least_seen = 1e-9;  // of a scaled normal matrix: slopes by differences are no better

double to_search(const FitParameter& parameter, double value) { return parameter.low > 0 ? std::log(value) : value; }

double from_search(const FitParameter& parameter, double searched) {
  const double value = parameter.low > 0 ? std::exp(searched) : searched;
  return std::clamp(value, parameter.low, parameter.high);
}

double weight(double residual, double scale, Loss loss) {
  if (loss == Loss::squares || scale <= 0) return 1;
  const double far = std::abs(residual) / scale;
  if (loss == Loss::huber) return far <= huber_limit ? 1 : huber_limit / far;
  const double share = far / tukey_limit;
  return share >= 1 ? 0 : (1 - share * share) * (1 - share * share);
}

/// The bounded problem in searched coordinates.
class Problem {
 public:
  Problem(const std::vector<FitParameter>& parameters, const Residuals& residuals)
      : parameters_(parameters), residuals_(residuals), low_(size()), high_(size()) {
    for (Eigen::Index i = 0; i < size(); ++i) {
      low_(i) = to_search(parameter(i), parameter(i).low);
      high_(i) = to_search(parameter(i), parameter(i).high);
    }
  }

  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(parameters_.size()); }
  [[nodiscard]] const FitParameter& parameter(Eigen::Index i) const { return parameters_[static_cast<std::size_t>(i)]; }

  [[nodiscard]] VectorXd start() const {
    VectorXd point(size());
    for (Eigen::Index i = 0; i < size(); ++i) point(i) = to_search(parameter(i), parameter(i).start);
    return clamped(point);
  }

  [[nodiscard]] VectorXd clamped(const VectorXd& point) const { return point.cwiseMax(low_).cwiseMin(high_); }
  [[nodiscard]] bool at_bound(const VectorXd& point, Eigen::Index i) const {
    return point(i) <= low_(i) || point(i) >= high_(i);
  }

  [[nodiscard]] VectorXd residuals(const VectorXd& point) const {
    std::vector<double> values;
    for (Eigen::Index i = 0; i < size(); ++i) values.push_back(from_search(parameter(i), point(i)));
    const std::vector<double> result = residuals_(values);
    return Eigen::Map<const VectorXd>(result.data(), static_cast<Eigen::Index>(result.size()));
  }

  /// Forward differences, backward at the upper bound. The laws have kinks, so the step is not as small as it could.
  [[nodiscard]] MatrixXd slopes(const VectorXd& point, const VectorXd& at_point) const {
    MatrixXd result = MatrixXd::Zero(at_point.size(), size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      if (low_(i) == high_(i)) continue;
      const double extent = parameter(i).low > 0 ? 1.0 : parameter(i).high - parameter(i).low;
      double step = 1e-5 * extent;
      if (point(i) + step > high_(i)) step = -step;
      VectorXd moved = point;
      moved(i) += step;
      result.col(i) = (residuals(moved) - at_point) / step;
    }
    return result;
  }

  /// True when moving parameter i against `gradient` would leave its bounds.
  [[nodiscard]] bool held(const VectorXd& point, const VectorXd& gradient, Eigen::Index i) const {
    return (point(i) <= low_(i) && gradient(i) > 0) || (point(i) >= high_(i) && gradient(i) < 0);
  }

 private:
  const std::vector<FitParameter>& parameters_;
  const Residuals& residuals_;
  VectorXd low_, high_;
};

double robust_scale(const VectorXd& residuals) {
  std::vector<double> sizes(residuals.data(), residuals.data() + residuals.size());
  for (double& size : sizes) size = std::abs(size);
  return 1.4826 * median(std::move(sizes));
}

VectorXd weights_of(const VectorXd& residuals, double scale, Loss loss) {
  return residuals.unaryExpr([&](double residual) { return weight(residual, scale, loss); });
}

/// Damped step for the free parameters; zero for those held at a bound.
VectorXd damped_step(const Problem& problem, const VectorXd& point, const MatrixXd& slopes, const VectorXd& residuals,
                     const VectorXd& weights, double damping) {
  const VectorXd gradient = slopes.transpose() * weights.cwiseProduct(residuals);
  MatrixXd normal = slopes.transpose() * weights.asDiagonal() * slopes;
  VectorXd right = -gradient;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const bool idle = normal(i, i) <= 0;
    if (idle || problem.held(point, gradient, i)) {
      normal.row(i).setZero();
      normal.col(i).setZero();
      right(i) = 0;
      normal(i, i) = 1;
    } else {
      normal(i, i) *= 1 + damping;
    }
  }
  return normal.ldlt().solve(right);
}

struct Solution {
  VectorXd point, residuals, weights;
  double scale = 0;
  bool converged = false;
};

/// Levenberg-Marquardt on weights that follow the residuals. The scale is taken anew at each accepted step.
Solution descend(const Problem& problem, VectorXd point, Loss loss) {
  VectorXd residuals = problem.residuals(point);
  double damping = 1e-3;
  bool converged = false;
  double scale = robust_scale(residuals);
  VectorXd weights = weights_of(residuals, scale, loss);
  for (int step = 0; step < most_steps && !converged; ++step) {
    const MatrixXd slopes = problem.slopes(point, residuals);
    const double cost = weights.dot(residuals.cwiseAbs2());
    bool accepted = false;
    while (!accepted && damping < 1e10) {
      const VectorXd move = damped_step(problem, point, slopes, residuals, weights, damping);
      const VectorXd trial = problem.clamped(point + move);
      const VectorXd there = problem.residuals(trial);
      const double trial_cost = weights.dot(there.cwiseAbs2());
      if (there.allFinite() && trial_cost <= cost) {
        accepted = true;
        converged = cost - trial_cost <= 1e-10 * cost && (trial - point).cwiseAbs().maxCoeff() < 1e-7;
        point = trial;
        residuals = there;
        damping = std::max(damping / 5, 1e-12);
      } else {
        damping *= 4;
      }
    }
    converged = converged || !accepted;
    scale = robust_scale(residuals);
    weights = weights_of(residuals, scale, loss);
  }
  return {point, residuals, weights, scale, converged};
}

/// Standard errors from the weighted normal matrix; parameters at a bound are taken as known. Infinite along directions
/// that the residuals hardly see: there the parameters can stand for each other.
VectorXd spreads(const Problem& problem, const Solution& solution) {
  const MatrixXd slopes = problem.slopes(solution.point, solution.residuals);
  const MatrixXd normal = slopes.transpose() * solution.weights.asDiagonal() * slopes;
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    if (!problem.at_bound(solution.point, i) && normal(i, i) > 0) free.push_back(i);
  }
  VectorXd result = VectorXd::Zero(problem.size());
  const double spare = solution.weights.sum() - static_cast<double>(free.size());
  if (free.empty() || spare <= 0) return result;
  const VectorXd scales = normal.diagonal()(free).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scales.asDiagonal() * normal(free, free) * scales.asDiagonal());
  const double variance = solution.weights.dot(solution.residuals.cwiseAbs2()) / spare;
  for (Eigen::Index i = 0; i < scales.size(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < scales.size(); ++j) {
      const double part = solver.eigenvectors()(i, j) * solver.eigenvectors()(i, j);
      const bool unseen = solver.eigenvalues()(j) < least_seen;
      if (part > least_seen) sum += unseen ? std::numeric_limits<double>::infinity() : part / solver.eigenvalues()(j);
    }
    const bool exact = std::isfinite(sum) || variance > 0;  // no residual at all: 0 times infinity
    result(free[static_cast<std::size_t>(i)]) = scales(i) * std::sqrt(exact ? sum * variance : sum);
  }
  return result;
}

}  // namespace

LeastSquaresResult least_squares(const std::vector<FitParameter>& parameters, const Residuals& residuals, Loss loss) {
  const Problem problem(parameters, residuals);
  Solution solution = descend(problem, problem.start(), loss == Loss::squares ? Loss::squares : Loss::huber);
  if (loss == Loss::tukey) solution = descend(problem, solution.point, Loss::tukey);
  const VectorXd spread = spreads(problem, solution);
  LeastSquaresResult result;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const FitParameter& parameter = problem.parameter(i);
    const double value = from_search(parameter, solution.point(i));
    result.parameters.push_back(
        {parameter.name, value, spread(i) * (parameter.low > 0 ? value : 1.0), problem.at_bound(solution.point, i)});
  }
  result.residuals.assign(solution.residuals.begin(), solution.residuals.end());
  result.weights.assign(solution.weights.begin(), solution.weights.end());
  result.scale = solution.scale;
  result.converged = solution.converged;
  return result;
}

std::vector<double> values_of(const LeastSquaresResult& result) {
  std::vector<double> values;
  for (const FittedParameter& parameter : result.parameters) values.push_back(parameter.value);
  return values;
}

double quantile(std::vector<double> values, double share) {
  assert(share >= 0 && share <= 1);
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace railyard::fit
