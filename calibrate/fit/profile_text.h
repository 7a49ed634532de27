// SPDX-License-Identifier: Apache-2.0
// Fits as the blocks of a profile that hold them (calibrate/FORMAT.md), for people to paste and programs to write.
#pragma once

#include <string>
#include <string_view>

#include "calibrate/fit/fit_report.h"
#include "calibrate/fit/gemm_fit.h"

namespace railyard::fit {

/// The block of one precision: `sustained`, `k_overhead`, `wave_sharing`, `tile_edge`, `start`, `refetch` and `fit`,
/// each figure from two standard errors below to two above its fit, indented by four. `model` and `report` are of one
/// series; `source` is the id of the samples' source; `gap_s` of the start is left out. With `with_nearby` the samples
/// that are no outliers become `nearby`.
[[nodiscard]] std::string gemm_profile_text(const GemmModel& model, const FitReport& report, std::string_view source,
                                            double gap_s = graph_gap_s, bool with_nearby = false);

/// The line `fit: {...}` of a block, indented by four.
[[nodiscard]] std::string fit_line(const FitQuality& quality);

}  // namespace railyard::fit
