// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/gemm_csv.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {

const Importer rocblas_bench{
    "rocblas-bench", "GEMM rates as rocblas-bench prints them",
    [](std::string_view text) { return contains(text, "rocblas-Gflops"); },
    [](std::string_view text) { return read_gemm_csv(text, "rocblas-bench", "rocblas-Gflops"); }};

}  // namespace railyard::import_detail
