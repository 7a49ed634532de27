// SPDX-License-Identifier: Apache-2.0
// The laws against the shared measurements; skipped where those are not beside the checkout.
#include "measured.h"

#include <cstdlib>
#include <fstream>

#include "tests/calibrate/shipped_profile.h"
#include "tests/catch.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

const std::string shared = RAILYARD_SHARED_DIR;
const std::string h200 = shared + "/validation/h200";

/// Ends the test program as skipped (CTest: 77) when a file is not there.
std::string needed(const std::string& file) {
  if (!std::ifstream(file).good()) {
    std::fprintf(stderr, "skipped: no %s\n", file.c_str());
    std::exit(77);
  }
  return file;
}

TEST_CASE("measured: each GPU and type is met within 7 % at the median with its (n, k) left out whole", "[fit][slow]") {
  const Csv csv(needed(shared + "/validation/gemm-measured.csv"));
  std::size_t reports = 0;
  for (const GemmSet& set : gemm_sets()) {
    for (const FitReport& report : report_gemm(gemm_series(csv, set))) {
      CAPTURE(to_text(report));
      REQUIRE(report.samples.size() >= 140);
      CHECK(report.left_out().samples == static_cast<int>(report.samples.size()));
      CHECK(report.left_out().median <= 0.07);
      // The correction was not fitted to these shapes either. It loses by no more than half a percent anywhere.
      CHECK(report.corrected().median <= report.left_out().median + 0.005);
      ++reports;
    }
  }
  CHECK(reports == 23);
}

TEST_CASE("measured: the few shapes of a vendor's benchmark are met within 7 % with each left out", "[fit]") {
  const Csv csv(needed(shared + "/validation/gemm-measured.csv"));
  for (const BenchmarkSet& set : benchmark_sets()) {
    const GemmSeries series = gemm_series(csv, set.source, set.gpu, set.type);
    const FitReport report = report_gemm(std::span(&series, 1)).front();
    CAPTURE(to_text(report, true));
    REQUIRE(report.samples.size() >= 8);
    CHECK(report.left_out().samples == static_cast<int>(report.samples.size()));
    CHECK(report.left_out().median <= 0.07);  // 1.0, 2.1, 2.4, 0.4 and 5.5 %
  }
}

TEST_CASE("measured: an MI300X's products beyond its last-level cache are met as those within it", "[fit]") {
  const Csv csv(needed(shared + "/validation/gemm-measured.csv"));
  GemmSeries series = gemm_series(csv, "samuel-bohman", "MI300X", "fp8");
  CHECK(report_gemm(std::span(&series, 1)).front().left_out().worst <= 0.05);  // 4.1 %
  // Neither effect alone does it.
  GemmSeries cached = series;
  cached.cache_bytes = 0;
  CHECK(report_gemm(std::span(&cached, 1)).front().left_out().worst > 0.2);
  series.in_loop = false;
  CHECK(report_gemm(std::span(&series, 1)).front().left_out().worst > 0.05);
}

TEST_CASE("measured: products of training on an H200 at its power limit are met within 5 %", "[fit]") {
  needed(h200 + "/gemm.json");
  const Csv csv(needed(shared + "/validation/gemm-measured.csv"));
  const auto hopper = fit_gemm(gemm_series(csv, {"H200-SXM", {"bf16", "fp8 (per-tensor)"}}));
  const FitReport bf16 = report_gemm_speed(hopper[0].law, h200_gemm(h200, "bf16"));
  const FitReport fp8 = report_gemm_speed(hopper[1].law, h200_gemm(h200, "fp8"));
  REQUIRE(bf16.samples.size() == 20);
  REQUIRE(fp8.samples.size() == 19);
  // Left out and corrected: 3.9 % and 2.2 %. Without the correction bf16 is at 5.3 %.
  CHECK(bf16.corrected().median <= 0.05);
  CHECK(fp8.corrected().median <= 0.05);
  CHECK(fp8.left_out().median <= 0.05);
}

TEST_CASE("measured: the shipped H200 profile meets the same products at training sizes", "[fit]") {
  needed(h200 + "/gemm.json");
  const Laws laws(shipped_profile("h200-cuda"), Speed::typical);
  for (const Precision precision : {Precision::bf16, Precision::fp8, Precision::fp16}) {
    std::vector<double> measured, predicted;
    for (const GemmSample& sample : h200_gemm(h200, std::string(to_string(precision))).samples) {
      measured.push_back(sample.seconds);
      predicted.push_back(laws.gemm(sample.shape, precision, 2.0 * byte).in(second));
    }
    CAPTURE(to_string(precision));
    CHECK(summarise(measured, predicted).median <= 0.05);
  }
}

TEST_CASE("measured: attention on the H200 is met within 5 % with each sequence left out", "[fit]") {
  needed(h200 + "/attention.json");
  for (const char* backend : {"CUDNN_ATTENTION", "FLASH_ATTENTION"}) {
    for (const int head_dim : {64, 128}) {
      for (const bool forward : {true, false}) {
        const auto samples = h200_attention(h200, backend, head_dim, true, forward);
        REQUIRE(samples.size() == 6);
        CAPTURE(backend, head_dim, forward);
        CHECK(report_attention("H200", samples).left_out().median <= 0.05);
      }
    }
  }
}

TEST_CASE("measured: the shipped H200 profile carries the fits to its attention and copies", "[fit]") {
  needed(h200 + "/hbm.json");
  const Profile profile = shipped_profile("h200-cuda");
  for (const int head_dim : {64, 128}) {
    const AttentionParameters& parameters = profile.attention.at(head_dim);
    const AttentionCurve forward = fit_attention(h200_attention(h200, "CUDNN_ATTENTION", head_dim, true, true));
    const AttentionCurve backward = fit_attention(h200_attention(h200, "CUDNN_ATTENTION", head_dim, true, false));
    CHECK_THAT(parameters.forward.value.typical.in(flop / second), WithinRel(forward.flop_per_s, 0.005));
    CHECK_THAT(parameters.half_sequence.value.typical, WithinRel(forward.half_sequence, 0.01));
    CHECK_THAT(parameters.backward.value.typical.in(flop / second), WithinRel(backward.flop_per_s, 0.005));
    CHECK_THAT(parameters.backward_half_sequence.value.typical, WithinRel(backward.half_sequence, 0.01));
  }
  for (const char* kernel : {"copy", "add"}) {
    const FitReport report = report_curve(kernel, h200_memory(h200, kernel));
    CHECK(report.left_out().median <= 0.05);
  }
  CHECK_THAT(profile.memory.value.typical.in(byte / second),
             WithinRel(fit_curve(h200_memory(h200, "copy")).bytes_per_s, 0.005));
}

TEST_CASE("measured: profiles carry the shape fitted to their own GPU", "[fit]") {
  const Csv csv(needed(shared + "/validation/gemm-measured.csv"));
  struct Row {
    const char *profile, *gpu;
  };
  const Row row = GENERATE(Row{"a100-cuda", "A100-SXM-80GB"}, Row{"h100-cuda", "H100-SXM"},
                           Row{"h200-cuda", "H200-SXM"}, Row{"b200-cuda", "B200-SXM"}, Row{"b300-cuda", "B300-SXM"},
                           Row{"gb200-cuda", "GB200"}, Row{"gb300-cuda", "GB300"});
  const bool fp8 = std::string(row.profile) != "a100-cuda";
  const auto types = fp8 ? std::vector<std::string>{"bf16", "fp8 (per-tensor)"} : std::vector<std::string>{"bf16"};
  const auto models = fit_gemm(gemm_series(csv, {row.gpu, types}));
  const Profile profile = shipped_profile(row.profile);
  CAPTURE(row.profile);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const GemmLaw& law = models[i].law;
    const GemmParameters& parameters = profile.gemm.at(i == 0 ? Precision::bf16 : Precision::fp8);
    CHECK_THAT(parameters.wave_sharing.value.typical, WithinAbs(law.wave_sharing, 0.01));
    CHECK_THAT(parameters.tile_edge.value.typical, WithinAbs(law.tile_edge, 1));
    CHECK_THAT(parameters.k_overhead.value.typical, WithinAbs(law.k_overhead, 2));
    // Short kernels are never below the sustained speed, or the two are not kept apart.
    CHECK(law.flop_per_s >= 0.999 * parameters.sustained.value.typical.in(flop / second));
    // The start of a kernel: that of bf16, less the gap a graph leaves.
    CHECK_THAT(parameters.start.value.typical.in(microsecond), WithinAbs(models[0].law.start_s * 1e6 - 0.95, 0.1));
  }
}

TEST_CASE("measured: the errors that profiles state are those of the fit", "[fit][slow]") {
  const Csv csv(needed(shared + "/validation/gemm-measured.csv"));
  struct Row {
    const char *profile, *gpu;
  };
  // The speed of h200-cuda is fitted to other samples, so are its stated errors.
  const Row row =
      GENERATE(Row{"a100-cuda", "A100-SXM-80GB"}, Row{"h100-cuda", "H100-SXM"}, Row{"b200-cuda", "B200-SXM"},
               Row{"b300-cuda", "B300-SXM"}, Row{"gb200-cuda", "GB200"}, Row{"gb300-cuda", "GB300"});
  const bool fp8 = std::string(row.profile) != "a100-cuda";
  const auto types = fp8 ? std::vector<std::string>{"bf16", "fp8 (per-tensor)"} : std::vector<std::string>{"bf16"};
  const auto reports = report_gemm(gemm_series(csv, {row.gpu, types}));
  const Profile profile = shipped_profile(row.profile);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const FitQuality found = reports[i].quality();
    const auto& stated = profile.gemm.at(i == 0 ? Precision::bf16 : Precision::fp8).fit;
    CAPTURE(row.profile, i);
    REQUIRE(stated.has_value());
    CHECK(stated->samples == found.samples);
    CHECK_THAT(stated->median_error, WithinAbs(found.median_error, 0.002));
    CHECK_THAT(stated->left_out_error, WithinAbs(found.left_out_error, 0.002));
    for (const char* size : {"m", "n", "k"}) {
      CHECK(stated->ranges.at(size).low == found.ranges.at(size).low);
      CHECK(stated->ranges.at(size).high == found.ranges.at(size).high);
    }
  }
}

TEST_CASE("measured: message sizes left out are met by six parameters for each log", "[fit]") {
  const Csv csv(needed(shared + "/validation/collectives-measured.csv"));
  // NVLink without reduction in the switch, and xGMI. Small messages take protocols the two of the law only bracket.
  for (const char* source : {"001-a100x8", "089-mi300x8", "022-h100x8"}) {
    const auto collective = std::string(source) == "022-h100x8" ? Collective::all_gather : Collective::all_reduce;
    const auto samples = collective_samples(csv, source, collective, 1024);
    REQUIRE(samples.size() >= 10);
    CAPTURE(source);
    CHECK(report_collective(source, samples).left_out().median <= 0.05);
  }
}

}  // namespace
