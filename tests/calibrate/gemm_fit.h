// SPDX-License-Identifier: Apache-2.0
// Fits the GEMM law to the shared samples (validation/gemm-measured.csv), for the profiles and for the residual test.
// Least squares of log time by Nelder-Mead; the harness around the kernel (start-up, input quantisation) is fitted
// apart and never enters a profile.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "calibrate/profile/gemm_law.h"

namespace railyard::fit {

struct Sample {
  GemmShape shape;
  double seconds = 0;
};

/// Rows of the CSV for one source (prefix), GPU and type; empty when the file is absent.
[[nodiscard]] std::vector<Sample> read_samples(const std::string& file, const std::string& source,
                                               const std::string& gpu, const std::string& type);

/// What is known before a fit, and the samples it belongs to.
struct Series {
  std::vector<Sample> samples;
  double operand_bytes = 2;
  double output_bytes = 2;
  double memory_bytes_per_s = 0;
  double compute_units = 0;
  bool quantises = false;  // the samples include the quantisation of A
};

/// Law and harness together: seconds of a sample = law + start + elements of A x quantise.
struct Model {
  GemmLaw law;
  double start = 0;     // seconds, of the benchmark's launch
  double quantise = 0;  // seconds an element of A
};

[[nodiscard]] double predict(const Model& model, const Series& series, const GemmShape& shape);

/// One model a series. All series are of one GPU and library and share what precision does not change: wave_sharing,
/// tile_edge, and the bytes of K that a tile's prologue costs. Each has its own speed and harness.
[[nodiscard]] std::vector<Model> fit(const std::vector<Series>& all);

/// Absolute relative errors of one series, sorted.
[[nodiscard]] std::vector<double> errors(const Model& model, const Series& series);
/// The same for each series, every (n, k) predicted by a fit that has not seen it in any series.
[[nodiscard]] std::vector<std::vector<double>> leave_one_out(const std::vector<Series>& all);
/// Value at a share of a sorted list, 0.5 the median.
[[nodiscard]] double at_share(const std::vector<double>& sorted, double share);

}  // namespace railyard::fit
