// SPDX-License-Identifier: Apache-2.0
// Corrects a GEMM law by measured shapes nearby (DESIGN 5.6): what the law misses at one shape it tends to miss at its
// neighbours. The correction fades with distance and is none far from every sample.
#pragma once

#include <vector>

#include "calibrate/profile/gemm_law.h"

namespace railyard {

class NearbySamples {
 public:
  /// A measured shape that takes `ratio` (> 0) times as long as the law says. Its batch is ignored.
  void add(const GemmShape& shape, double ratio);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  struct Sample {
    GemmShape shape;
    double ratio = 1;
  };
  /// As they were added.
  [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }

  /// By what to multiply the law's time: the mean log ratio of the samples within 1.5 octaves of m, n and k together,
  /// weighted by (1 - (distance / 1.5)^2)^2, drawn towards none as half a sample at no distance would.
  [[nodiscard]] double factor(const GemmShape& shape) const;

 private:
  struct Entry {
    double m = 0, n = 0, k = 0;  // binary logarithms
    double log_ratio = 0;
  };
  std::vector<Entry> entries_;
  std::vector<Sample> samples_;
};

}  // namespace railyard
