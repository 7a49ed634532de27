// SPDX-License-Identifier: Apache-2.0
// Fits the laws of calibrate/fit to a sample set: each precision of products, each memory kernel, each kind of
// attention, and the collectives of each fabric.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/fit/attention_fit.h"
#include "calibrate/fit/collective_fit.h"
#include "calibrate/fit/curve_fit.h"
#include "calibrate/fit/gemm_fit.h"
#include "sim/study/calibration/sample_set.h"

namespace railyard {

/// One law and the series behind it. Of the curves the one of `measure` is there.
struct FittedLaw {
  std::string operation;  // "gemm bf16", "memory copy", "collectives, 1 node"
  Measure measure = Measure::gemm;
  fit::FitReport report;
  std::vector<const MeasuredSeries*> series;  // of the sample set
  std::optional<fit::GemmModel> gemm;
  bool shape_fitted = false;  // gemm: all parameters, not the speed alone
  std::optional<fit::Curve> memory;
  std::optional<fit::AttentionCurve> attention;
  std::optional<fit::CollectiveCurve> collective;
  int nodes = 0;      // collective: 1, or 2 for any number of nodes above; 0: not known
  int node_size = 0;  // collective: ranks a node, when they spread over nodes
};

struct SampleFit {
  std::vector<FittedLaw> laws;
  std::vector<std::string> left_out;  // series without a law, and why, a sentence each
};

/// `like` gives compute units and, for few products, the shape of their law; without it products are left out. The set
/// must outlive the result.
[[nodiscard]] SampleFit fit_samples(const SampleSet& set, const Profile* like);

/// Fewest shapes of products of a precision to which the whole law is fitted: ten a parameter.
inline constexpr std::size_t fewest_for_shape = 60;

}  // namespace railyard
