// SPDX-License-Identifier: Apache-2.0
// Predicted against published training steps. Nothing of a row but its configuration enters its prediction.
#pragma once

#include <string>
#include <vector>

#include "sim/study/catalogue.h"
#include "sim/study/csv.h"
#include "sim/workload/strategy.h"

namespace railyard {

/// One published step with its whole configuration.
struct TrainingCase {
  std::string id, source, model;
  int gpus = 0;
  Strategy strategy;
  Seconds measured;
};

struct ValidatedCase {
  TrainingCase published;
  Range<Seconds> predicted;
  double error = 0;  // predicted / measured - 1, typical speeds
};

struct SkippedCase {
  std::string id, reason;
};

struct ValidationSummary {
  std::size_t count = 0;
  double median_abs_error = 0, p90_abs_error = 0, bias = 0;  // bias: mean signed error
};

struct Validation {
  std::vector<ValidatedCase> cases;
  std::vector<SkippedCase> skipped;
  ValidationSummary summary;
};

/// Which machine the rows ran on.
struct ValidationTarget {
  std::string design, gpu, profile;
};

/// Simulates every row of a table with the columns of training-measured.csv (metric step_time_s, or
/// tokens_per_s_per_gpu, from which the time of a step follows by the tokens of its batch); rows of other GPUs, metrics
/// or unsupported strategies are listed with the reason. Throws InputError for a cell that cannot be read.
[[nodiscard]] Validation validate_training(const CsvFile& file, const ValidationTarget& target,
                                           const Catalogue& catalogue);

/// Median and 90th percentile of |error| (nearest rank) and the mean error.
[[nodiscard]] ValidationSummary summarize(const std::vector<double>& errors);

}  // namespace railyard
