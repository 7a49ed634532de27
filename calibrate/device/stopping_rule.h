// SPDX-License-Identifier: Apache-2.0
// When enough samples are in: nvbench's rule (its stdrel criterion) and defaults, as options. Pure arithmetic.
#pragma once

#include <string_view>
#include <vector>

#include "calibrate/device/sample_statistics.h"

namespace railyard::device {

struct StoppingOptions {
  int fewest_samples = 10;
  double least_measured_s = 0.5;    // sum of the samples
  double noise = 0.005;             // relative standard deviation that is low enough
  double settled = 0.05;            // or the noise itself no longer moves: its relative spread over a trailing window
  double longest_s = 15;            // of the wall clock, everything counted
  int enough_samples = 1000000000;  // stop at this many whatever the noise
};

enum class Ended { not_yet, quiet, settled, enough, time_limit };
/// "noise below 0.5 %" and so on are the printers' words; these are for tables: quiet, settled, enough, time limit.
[[nodiscard]] std::string_view to_string(Ended ended);

class StoppingRule {
 public:
  explicit StoppingRule(const StoppingOptions& options) : options_(options) {}

  /// A sample, of a run's seconds; of a batch the mean of `runs`.
  void add(double seconds, int runs = 1);
  /// Takes back the newest `count` samples.
  void drop(int count);
  /// Which condition holds after `wall_s` of the wall clock, tried in the order of `Ended`.
  [[nodiscard]] Ended ended(double wall_s) const;
  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }

 private:
  [[nodiscard]] bool noise_settled() const;

  StoppingOptions options_;
  std::vector<double> samples_;
  std::vector<int> runs_;
  std::vector<double> noise_;  // after each sample
  double measured_s_ = 0, sum_ = 0, squares_ = 0;
};

}  // namespace railyard::device
