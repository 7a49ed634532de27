// SPDX-License-Identifier: Apache-2.0
// Logs made from known laws, so that what a fit must find is known.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "calibrate/import/import.h"
#include "calibrate/profile/gemm_law.h"
#include "tests/import/fixture.h"

namespace railyard::fixture {

/// all_reduce on one node, times = 10 us + 2 (n - 1) x 3 us + 2 (n - 1)/n bytes / (`ring` GB/s), 1 KiB to 4 GiB, times
/// `factor`, which scales every rate too.
inline std::string ring_log(int ranks, double ring = 350, double factor = 1) {
  Rows sizes;
  for (long size = 1024; size <= 4294967296; size *= 4) {
    const double carried = 2.0 * (ranks - 1) / ranks * static_cast<double>(size);
    sizes.emplace_back(size, factor * (10 + 2 * (ranks - 1) * 3.0 + carried / (ring * 1e3)));
  }
  return all_reduce(ranks, sizes);
}

/// do_bench JSON of products that the law gives, in bf16.
inline std::string gemm_json(const GemmLaw& law, double slower = 1) {
  std::string rows;
  for (const GemmShape shape :
       {GemmShape{8192, 8192, 8192}, GemmShape{4096, 4096, 4096}, GemmShape{16384, 8192, 1280},
        GemmShape{16384, 1024, 8192}, GemmShape{16384, 8192, 7168}, GemmShape{2048, 2048, 2048}}) {
    rows +=
        fmt::format("{}{{\"dtype\": \"bf16\", \"m\": {}, \"n\": {}, \"k\": {}, \"ms\": {}}}", rows.empty() ? "" : ",",
                    shape.m, shape.n, shape.k, slower * gemm_time(law, shape, 2.0 * byte, 2.0 * byte).in(millisecond));
  }
  return R"({"meta": {"device": "NVIDIA H100", "software": "do_bench, median", "date": "2026-05-04"}, "rows": [)" +
         rows + "]}";
}

}  // namespace railyard::fixture
