// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/gemm_csv.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {

const Importer hipblaslt_bench{
    "hipblaslt-bench", "GEMM rates as hipblaslt-bench prints them",
    [](std::string_view text) { return contains(text, "hipblaslt-Gflops"); },
    [](std::string_view text) { return read_gemm_csv(text, "hipblaslt-bench", "hipblaslt-Gflops"); }};

}  // namespace railyard::import_detail
