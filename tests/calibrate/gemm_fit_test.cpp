// SPDX-License-Identifier: Apache-2.0
#include "gemm_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "calibrate/profile/profile.h"
#include "tests/catch.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

const std::string samples_file = RAILYARD_SHARED_DIR "/validation/gemm-measured.csv";

std::vector<Series> h100() {
  const auto read = [](const char* type) {
    return read_samples(samples_file, "ai-dynamo/aiconfigurator", "H100-SXM", type);
  };
  return {{read("bf16"), 2, 2, 2.90e12, 132, false}, {read("fp8 (per-tensor)"), 1, 2, 2.90e12, 132, true}};
}

/// Ends the test program as skipped (CTest: 77) when the shared samples are not beside this checkout.
void need(const std::string& file) {
  if (std::ifstream(file).good()) return;
  std::fprintf(stderr, "skipped: no %s\n", file.c_str());
  std::exit(77);
}

TEST_CASE("gemm fit: a law is found again from its own times", "[calibrate]") {
  Series series{{}, 2, 2, 3e12, 132, false};
  const Model truth{{.flop_per_s = 750e12,
                     .memory_bytes_per_s = 3e12,
                     .compute_units = 132,
                     .k_overhead = 120,
                     .wave_sharing = 0.6,
                     .tile_edge = 30},
                    4e-6,
                    0};
  for (const std::int64_t n : {1024, 3000, 8192}) {
    for (const std::int64_t k : {512, 2048, 8192}) {
      for (std::int64_t m = 128; m <= 16384; m = m * 3 / 2) {
        series.samples.push_back({{m, n, k}, predict(truth, series, {m, n, k})});
      }
    }
  }
  const Model found = fit::fit({series}).front();
  // Exact data: only the minimiser's stopping leaves an error.
  CHECK_THAT(found.law.flop_per_s, WithinRel(750e12, 0.01));
  CHECK_THAT(found.law.k_overhead, WithinRel(120.0, 0.1));
  CHECK_THAT(found.law.wave_sharing, WithinAbs(0.6, 0.05));
  CHECK(at_share(errors(found, series), 0.9) < 0.005);
}

TEST_CASE("gemm fit: shapes left out are met within 6 % at the median", "[calibrate]") {
  need(samples_file);
  const auto all = h100();
  REQUIRE(all[0].samples.size() == 179);
  REQUIRE(all[1].samples.size() == 179);
  const auto unseen = leave_one_out(all);
  // Reached: 4.4 % and 3.7 %; the data scatter by 10 % from row to row (training-notes.md).
  CHECK(at_share(unseen[0], 0.5) < 0.06);
  CHECK(at_share(unseen[1], 0.5) < 0.06);
  CHECK(at_share(unseen[0], 0.9) < 0.12);
  CHECK(at_share(unseen[1], 0.9) < 0.12);
}

TEST_CASE("gemm fit: the profile carries the fitted shape of the law", "[calibrate]") {
  need(samples_file);
  const auto models = fit::fit(h100());
  const Profile profile = load_profile(RAILYARD_SOURCE_DIR "/calibrate/profiles", "h100-cuda");
  for (const Precision precision : {Precision::bf16, Precision::fp8}) {
    const GemmLaw& law = models[static_cast<std::size_t>(precision)].law;
    const GemmParameters& parameters = profile.gemm.at(precision);
    // Rounded in the profile to the digits the data hold.
    CHECK_THAT(parameters.k_overhead.value.typical, WithinRel(law.k_overhead, 0.02));
    CHECK_THAT(parameters.wave_sharing.value.typical, WithinAbs(law.wave_sharing, 0.01));
    CHECK_THAT(parameters.tile_edge.value.typical, WithinRel(law.tile_edge, 0.03));
    // Short kernels run above the sustained speed, or the two are not kept apart.
    CHECK(law.flop_per_s > parameters.sustained.value.typical.in(flop / second));
  }
}

TEST_CASE("gemm fit: sustained speed meets power-limited training shapes of the same die", "[calibrate]") {
  struct Row {
    GemmShape shape;
    double bf16, fp8;  // TFLOP/s
  };
  // H200 SXM at 700 W, normal data, cold L2 (validation/h200/gemm.json): shapes of training, 64 MFLOP and more a
  // launch.
  const std::vector<Row> rows = {{{16384, 8192, 1280}, 746.1, 1170.7},  {{16384, 1024, 8192}, 710.1, 1353.2},
                                 {{16384, 8192, 7168}, 679.9, 1242.0},  {{16384, 3584, 8192}, 702.8, 1264.2},
                                 {{8192, 8192, 8192}, 634.1, 1267.8},   {{4096, 4096, 4096}, 708.6, 1334.7},
                                 {{8192, 10240, 8192}, 680.4, 1321.3},  {{8192, 28672, 8192}, 704.1, 1327.9},
                                 {{8192, 8192, 28672}, 666.6, 1326.0},  {{16384, 4096, 4096}, 639.9, 1183.8},
                                 {{16384, 14336, 4096}, 670.4, 1288.6}, {{16384, 1600, 6400}, 700.3, 1343.6},
                                 {{16384, 4800, 1600}, 675.8, 1169.9},  {{12288, 12288, 12288}, 665.9, 1251.4},
                                 {{4096, 53248, 16384}, 686.1, 1326.4}};
  const Laws laws(load_profile(RAILYARD_SOURCE_DIR "/calibrate/profiles", "h100-cuda"), Speed::typical);
  for (const Precision precision : {Precision::bf16, Precision::fp8}) {
    std::vector<double> errors;
    for (const Row& row : rows) {
      const auto [m, n, k, batch] = row.shape;
      const double rate = precision == Precision::bf16 ? row.bf16 : row.fp8;
      const double measured = 2.0 * static_cast<double>(m * n * k) / (rate * 1e12);
      errors.push_back(std::abs(laws.gemm(row.shape, precision, 2.0 * byte).in(second) / measured - 1));
    }
    std::sort(errors.begin(), errors.end());
    CAPTURE(to_string(precision), at_share(errors, 0.5), at_share(errors, 1));
    // The card's own scatter with heat and order is 7 % (634 to 677 TFLOP/s for one shape); nothing here is fitted to
    // it.
    CHECK(at_share(errors, 0.5) < 0.06);
    CHECK(at_share(errors, 1) < 0.16);
  }
}

}  // namespace
