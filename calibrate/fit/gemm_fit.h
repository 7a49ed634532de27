// SPDX-License-Identifier: Apache-2.0
// Fits the GEMM law (calibrate/profile/gemm_law.h) to timed products. The harness around the kernel (its start-up, and
// quantising an operand when the benchmark does) is fitted apart, so that it can be kept out of a profile.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibrate/fit/fit_report.h"

namespace railyard::fit {

struct GemmSample {
  GemmShape shape;
  double seconds = 0;
};

/// Samples of one precision, and what is known before the fit.
struct GemmSeries {
  std::string name;
  std::vector<GemmSample> samples;
  double operand_bytes = 2, output_bytes = 2;
  double compute_units = 1;
  double memory_bytes_per_s = 0;  // of a copy; the fit looks from 0.7 to 3 times it, since operands may be cached
  double cache_bytes = 0;         // of the last level, and the dies with a level of their own; 0: not modelled
  double dies = 1;
  bool quantises = false;  // the samples include casting A
  bool in_loop = false;    // the host launched one product after another, without a graph
};

/// Law and harness together.
struct GemmModel {
  GemmLaw law;            // law.start_s includes the benchmark's own start
  double quantise_s = 0;  // for each element of A
  double interval_s = 0;  // between two launches by the host: a shorter product waits for the next launch
  double operand_bytes = 2, output_bytes = 2;
  double copy_bytes_per_s = 0;  // against which refetching is told, since products may not tell the memory's speed

  [[nodiscard]] double seconds(const GemmShape& shape) const;
};

/// One model a series. All series are of one GPU and library and share what precision does not change: wave_sharing,
/// tile_edge, and the bytes of K that a tile's prologue costs. Each has its own speed, memory, refetching and harness.
[[nodiscard]] std::vector<GemmModel> fit_gemm(std::span<const GemmSeries> series);

/// The same with reports, one a series: every (n, k) left out whole, in all series, is predicted by a fit to the rest,
/// and that prediction corrected by the samples that were seen.
[[nodiscard]] std::vector<FitReport> report_gemm(std::span<const GemmSeries> series);

/// Keeps a law's shape and fits only its speed and start (and the harness's launch interval) to `series`, such as
/// long-running products under the power limit. Where no product is short enough to show the start it is the law's and
/// the gap of a benchmark's graph.
[[nodiscard]] GemmModel fit_gemm_speed(const GemmLaw& shape_of, const GemmSeries& series);
/// The same with a report that leaves every (n, k) out in turn.
[[nodiscard]] FitReport report_gemm_speed(const GemmLaw& shape_of, const GemmSeries& series);

/// What of a kernel's measured start is the benchmark's: the gap a graph of launches leaves (H200, 0.95 us).
inline constexpr double graph_gap_s = 0.95e-6;

}  // namespace railyard::fit
