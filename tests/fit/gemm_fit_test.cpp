// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/gemm_fit.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/catch.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

const GemmModel true_gemm{.law = {.flop_per_s = 750e12,
                                  .memory_bytes_per_s = 3.2e12,
                                  .compute_units = 132,
                                  .k_overhead = 120,
                                  .wave_sharing = 0.6,
                                  .tile_edge = 30,
                                  .start_s = 4e-6}};

/// Times of the true law, each off by a factor exp(noise x normal).
GemmSeries noisy_gemm_series(double noise) {
  GemmSeries series{.name = "invented", .compute_units = 132, .memory_bytes_per_s = 3e12};
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const std::int64_t n : {1024, 1600, 3000, 8192}) {
    for (const std::int64_t k : {512, 2048, 8192}) {
      for (std::int64_t m = 32; m <= 16384; m = m * 3 / 2) {
        series.samples.push_back({{m, n, k}, true_gemm.seconds({m, n, k}) * std::exp(noise * normal(random))});
      }
    }
  }
  return series;
}

TEST_CASE("gemm fit: a law is found again from its own times", "[fit]") {
  const GemmSeries series = noisy_gemm_series(0);
  const GemmModel found = fit_gemm(std::span(&series, 1)).front();
  // Exact data: only kinks of the law and the stopping rule leave a difference.
  CHECK_THAT(found.law.flop_per_s, WithinRel(750e12, 1e-3));
  CHECK_THAT(found.law.memory_bytes_per_s, WithinRel(3.2e12, 1e-2));
  CHECK_THAT(found.law.k_overhead, WithinRel(120.0, 1e-2));
  CHECK_THAT(found.law.wave_sharing, WithinAbs(0.6, 1e-2));
  CHECK_THAT(found.law.tile_edge, WithinRel(30.0, 2e-2));
  CHECK_THAT(found.law.start_s, WithinRel(4e-6, 1e-2));
}

TEST_CASE("gemm fit: with 5 % noise each parameter is found within four of its standard errors", "[fit]") {
  const GemmSeries series = noisy_gemm_series(0.05);
  const FitReport report = report_gemm(std::span(&series, 1)).front();
  const auto check = [&](std::size_t at, double expected) {
    const FittedParameter& parameter = report.parameters.at(at);
    CAPTURE(parameter.name, parameter.value, parameter.spread);
    CHECK(parameter.spread > 0);
    CHECK(std::abs(parameter.value - expected) < 4 * parameter.spread);
  };
  check(0, 0.6);
  check(1, 30);
  check(2, 240);
  check(3, 750e12);
  check(4, 3.2e12);
  check(5, 4e-6);
  // The median of |5 % x normal| is 3.4 %; what is left out is met about as well.
  CHECK_THAT(report.seen().median, WithinAbs(0.034, 0.01));
  CHECK_THAT(report.left_out().median, WithinAbs(0.034, 0.01));
}

TEST_CASE("gemm fit: one sample in ten a hundred times too slow does not move it", "[fit]") {
  GemmSeries series = noisy_gemm_series(0.02);
  const GemmModel clean = fit_gemm(std::span(&series, 1)).front();
  for (std::size_t i = 0; i < series.samples.size(); i += 10) series.samples[i].seconds *= 100;
  const GemmModel spoilt = fit_gemm(std::span(&series, 1)).front();
  CHECK_THAT(spoilt.law.flop_per_s, WithinRel(clean.law.flop_per_s, 0.01));
  CHECK_THAT(spoilt.law.start_s, WithinRel(clean.law.start_s, 0.05));
}

TEST_CASE("gemm fit: a shape left out is not seen: spoiling it leaves its prediction as it was", "[fit]") {
  GemmSeries series = noisy_gemm_series(0.02);
  const FitReport before = report_gemm(std::span(&series, 1)).front();
  // One (n, k), whole, twice as slow. Robust fits to all see it; the fit that leaves it out must not.
  for (GemmSample& sample : series.samples) {
    if (sample.shape.n == 3000 && sample.shape.k == 2048) sample.seconds *= 2;
  }
  const FitReport after = report_gemm(std::span(&series, 1)).front();
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    const GemmShape& shape = series.samples[i].shape;
    if (shape.n != 3000 || shape.k != 2048) continue;
    CHECK_THAT(after.samples[i].left_out, WithinRel(before.samples[i].left_out, 1e-12));
    CHECK_THAT(after.samples[i].corrected, WithinRel(before.samples[i].corrected, 1e-12));
    CHECK(after.samples[i].measured > 1.9 * before.samples[i].measured);
  }
}

TEST_CASE("gemm fit: casting an operand is told apart from the product", "[fit]") {
  GemmModel model = true_gemm;
  model.operand_bytes = 1;
  model.quantise_s = 3e-12;
  GemmSeries series = noisy_gemm_series(0);
  series.operand_bytes = 1;
  series.quantises = true;
  for (GemmSample& sample : series.samples) sample.seconds = model.seconds(sample.shape);
  const GemmModel found = fit_gemm(std::span(&series, 1)).front();
  CHECK_THAT(found.quantise_s, WithinRel(3e-12, 0.02));
  CHECK_THAT(found.law.flop_per_s, WithinRel(750e12, 0.01));
}

TEST_CASE("gemm fit: the host's launch interval and refetching are told apart from the product", "[fit]") {
  GemmModel model = true_gemm;
  model.interval_s = 40e-6;
  model.law.cache_bytes = 5e7;
  model.law.dies = 8;
  model.law.refetch_s_per_byte = 0.6 / 3e12;
  GemmSeries series = noisy_gemm_series(0);
  series.in_loop = true;
  series.cache_bytes = 5e7;
  series.dies = 8;
  for (GemmSample& sample : series.samples) sample.seconds = model.seconds(sample.shape);
  REQUIRE(std::any_of(series.samples.begin(), series.samples.end(),
                      [](const GemmSample& sample) { return sample.seconds == 40e-6; }));
  const GemmModel found = fit_gemm(std::span(&series, 1)).front();
  CHECK_THAT(found.interval_s, WithinRel(40e-6, 0.001));
  CHECK_THAT(found.law.refetch_s_per_byte, WithinRel(0.6 / 3e12, 0.05));
  CHECK_THAT(found.law.flop_per_s, WithinRel(750e12, 0.01));
  // Without knowing either, the speed is missed.
  series.in_loop = false;
  series.cache_bytes = 0;
  CHECK(std::abs(fit_gemm(std::span(&series, 1)).front().law.flop_per_s / 750e12 - 1) > 0.01);
}

TEST_CASE("gemm fit: the speed alone is found when the shape of the law is known", "[fit]") {
  GemmLaw cold = true_gemm.law;
  cold.flop_per_s = 900e12;
  const FitReport report = report_gemm_speed(cold, noisy_gemm_series(0.03));
  CHECK_THAT(report.parameters[0].value, WithinRel(750e12, 0.02));
  CHECK_THAT(report.parameters[1].value, WithinRel(4e-6, 0.05));
  CHECK(report.left_out().samples == static_cast<int>(report.samples.size()));
}

TEST_CASE("gemm fit: the correction helps where neighbours share what the law misses", "[fit]") {
  // Wide products are quick while m is small and slow above, for every k: no parameter of the law can say so.
  GemmSeries series = noisy_gemm_series(0.01);
  for (GemmSample& sample : series.samples) {
    if (sample.shape.n > 2000) sample.seconds *= sample.shape.m < 700 ? 0.87 : 1.15;
  }
  const FitReport report = report_gemm(std::span(&series, 1)).front();
  CHECK(report.corrected().median < report.left_out().median);
}

TEST_CASE("gemm fit: long products tell the speed and keep the law's start", "[fit]") {
  // 1.6 ms: a start of 100 us more would pass for 7 % of speed.
  const GemmShape shape{8192, 8192, 8192};
  GemmSeries series{.name = "long", .compute_units = 132, .memory_bytes_per_s = 3e12};
  GemmLaw law = true_gemm.law;
  law.start_s = 2e-6;
  for (const double noise : {0.99, 1.0, 1.01}) {
    const double seconds = gemm_time(law, shape, 2.0 * byte, 2.0 * byte).in(second);
    series.samples.push_back({shape, (seconds + graph_gap_s) * noise});
  }
  GemmLaw other = law;
  other.flop_per_s *= 1.2;
  const GemmModel found = fit_gemm_speed(other, series);
  CHECK_THAT(found.law.flop_per_s, WithinRel(law.flop_per_s, 1e-4));
  CHECK(found.law.start_s == law.start_s + graph_gap_s);
  CHECK(report_gemm_speed(other, series).parameters.size() == 1);
}

}  // namespace
