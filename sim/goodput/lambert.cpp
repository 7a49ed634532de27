// SPDX-License-Identifier: Apache-2.0
#include "sim/goodput/lambert.h"

#include <cassert>
#include <cmath>

namespace railyard {
namespace {

/// w + log(1 - w) = -(w^2/2 + w^3/3 + ...); for small w the sum, because the closed form cancels.
double excess(double w) {
  constexpr double small = 0.05;
  if (w > small) return w + std::log1p(-w);
  constexpr int terms = 16;  // 0.05^16 is below the rounding of the first term
  double sum = 0;
  for (int k = terms; k >= 2; --k) sum = sum * w + 1.0 / k;
  return -sum * w * w;
}

}  // namespace

double one_plus_lambert(double c) {
  assert(c >= 0);
  const double x = -std::exp(-1 - c);
  constexpr double far = 20;  // W0(x) = x - x^2 + 3/2 x^3 - ...; here x^3 is below 1e-27
  if (c > far) return 1 + x * (1 - x);
  // Series at the branch point: p = sqrt(2 (1 + e x)) with 1 + e x = 1 - exp(-c) = -expm1(-c).
  const double p = std::sqrt(-2 * std::expm1(-c));
  double w = p * (1 + p * (-1.0 / 3 + p * (11.0 / 72 - p * 43.0 / 540)));
  constexpr double middle = 1.25;
  if (p > middle) w = 1 + x * (1 - x);
  // Halley on f(w) = w + log(1 - w) + c, f' = -w / (1 - w), f'' = -1 / (1 - w)^2.
  constexpr int most_steps = 20;
  for (int step = 0; step < most_steps && w > 0; ++step) {
    const double f = excess(w) + c;
    const double slope = -w / (1 - w);
    const double bend = -1 / ((1 - w) * (1 - w));
    const double change = 2 * f * slope / (2 * slope * slope - f * bend);
    w -= change;
    constexpr double settled = 1e-16;
    if (std::abs(change) <= settled * w) break;
  }
  return w;
}

}  // namespace railyard
