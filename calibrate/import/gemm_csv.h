// SPDX-License-Identifier: Apache-2.0
// The table that hipblaslt-bench and rocblas-bench print: a header of names, then values, divided by commas. Private to
// the room.
#pragma once

#include <string_view>
#include <utility>

#include "calibrate/import/importer.h"

namespace railyard::import_detail {

/// Reads all tables whose rate column is called `rate` ("hipblaslt-Gflops"), a run a header.
[[nodiscard]] Runs read_gemm_csv(std::string_view text, std::string_view tool, std::string_view rate);

/// Refuses a sample whose rate is not 2mnk over its time; `digits` are the printed texts.
void check_gemm(ImportedRun& run, const GemmSample& sample, std::string_view time_text);

}  // namespace railyard::import_detail
