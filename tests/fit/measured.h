// SPDX-License-Identifier: Apache-2.0
// The shared measurements as samples of the fits, for tests and for the report behind the shipped profiles.
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/attention_fit.h"
#include "calibrate/fit/collective_fit.h"
#include "calibrate/fit/curve_fit.h"
#include "calibrate/fit/gemm_fit.h"

namespace railyard::fit {

/// Rows of a CSV by column name.
class Csv {
 public:
  explicit Csv(const std::string& file);
  using Row = std::vector<std::string>;

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::string& text(const Row& row, const std::string& column) const;

 private:
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

/// GPU and types of the database of gemm-measured.csv that are fitted together.
struct GemmSet {
  std::string gpu;
  std::vector<std::string> types;
};
[[nodiscard]] std::vector<GemmSet> gemm_sets();

/// GPUs and types of which a vendor's benchmark gives eight or nine shapes, each (n, k) once.
struct BenchmarkSet {
  std::string source, gpu, type;
};
[[nodiscard]] std::vector<BenchmarkSet> benchmark_sets();

/// Series of gemm-measured.csv, rows of the kernel database only.
[[nodiscard]] std::vector<GemmSeries> gemm_series(const Csv& csv, const GemmSet& set);
/// Rows of another source (prefix) of gemm-measured.csv, for one GPU and type.
[[nodiscard]] GemmSeries gemm_series(const Csv& csv, const std::string& source, const std::string& gpu,
                                     const std::string& type);
/// validation/h200: products with normal data and a flushed L2; HBM kernels `copy` or `add`; attention of a backend.
[[nodiscard]] GemmSeries h200_gemm(const std::string& folder, const std::string& type);
[[nodiscard]] std::vector<CurveSample> h200_memory(const std::string& folder, const std::string& kernel);
[[nodiscard]] std::vector<AttentionSample> h200_attention(const std::string& folder, const std::string& backend,
                                                          int head_dim, bool causal, bool forward);
/// attention-measured.csv: the best rate for each sequence.
[[nodiscard]] std::vector<AttentionSample> attention_samples(const Csv& csv, const std::string& gpu,
                                                             const std::string& library, const std::string& version,
                                                             int head_dim, bool causal, const std::string& direction);
/// collectives-measured.csv: rows of one source (prefix) and collective with a time, messages of `smallest` and more.
[[nodiscard]] std::vector<CollectiveSample> collective_samples(const Csv& csv, const std::string& source,
                                                               Collective collective, double smallest);

}  // namespace railyard::fit
