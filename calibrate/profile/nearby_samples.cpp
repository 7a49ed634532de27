// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/nearby_samples.h"

#include <cassert>
#include <cmath>

namespace railyard {
namespace {

// One choice for all GPUs and precisions, so that they are not fitted. Larger or smaller by a third makes no odds.
constexpr double reach_of_samples = 1.5;  // octaves
constexpr double doubt = 0.5;             // weight of "no correction", in samples

double octaves(std::int64_t size) { return std::log2(static_cast<double>(size)); }

}  // namespace

void NearbySamples::add(const GemmShape& shape, double ratio) {
  assert(shape.m >= 1 && shape.n >= 1 && shape.k >= 1 && ratio > 0);
  entries_.push_back({octaves(shape.m), octaves(shape.n), octaves(shape.k), std::log(ratio)});
  samples_.push_back({shape, ratio});
}

double NearbySamples::factor(const GemmShape& shape) const {
  if (entries_.empty() || shape.m < 1 || shape.n < 1 || shape.k < 1) return 1;
  const double m = octaves(shape.m), n = octaves(shape.n), k = octaves(shape.k);
  double sum = 0, weights = doubt;
  for (const Entry& entry : entries_) {
    const double square = (entry.m - m) * (entry.m - m) + (entry.n - n) * (entry.n - n) + (entry.k - k) * (entry.k - k);
    const double left = 1 - square / (reach_of_samples * reach_of_samples);
    if (left <= 0) continue;
    sum += left * left * entry.log_ratio;
    weights += left * left;
  }
  return std::exp(sum / weights);
}

}  // namespace railyard
