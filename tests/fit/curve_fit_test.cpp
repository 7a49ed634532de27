// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/curve_fit.h"

#include "tests/catch.h"

namespace {

using namespace railyard::fit;

std::vector<CurveSample> curve_samples() {
  std::vector<CurveSample> samples;
  const Curve truth{5e-6, 4e12};
  // Alternately 2 % slow and quick.
  double sign = 1;
  for (double bytes = 1 << 20; bytes < 2e10; bytes *= 4) {
    samples.push_back({bytes, truth.seconds(bytes) * (1 + 0.02 * sign)});
    sign = -sign;
  }
  return samples;
}

TEST_CASE("curve fit: start and bandwidth are found within the noise", "[fit]") {
  const Curve curve = fit_curve(curve_samples());
  CHECK_THAT(curve.start_s, WithinRel(5e-6, 0.03));
  CHECK_THAT(curve.bytes_per_s, WithinRel(4e12, 0.02));
}

TEST_CASE("curve fit: two exact samples determine the curve", "[fit]") {
  // 10 us for 20 MB and 30 us for 100 MB: 80 MB in 20 us are 4 TB/s, and 5 us remain.
  const std::vector<CurveSample> samples{{20e6, 10e-6}, {100e6, 30e-6}};
  const Curve curve = fit_curve(samples);
  CHECK_THAT(curve.bytes_per_s, WithinRel(4e12, 1e-4));
  CHECK_THAT(curve.start_s, WithinRel(5e-6, 1e-3));
}

TEST_CASE("curve fit: an outlier does not move it and is marked", "[fit]") {
  std::vector<CurveSample> samples = curve_samples();
  samples[4].seconds *= 5;
  const FitReport report = report_curve("invented", samples);
  CHECK_THAT(report.parameters[1].value, WithinRel(4e12, 0.03));
  CHECK(report.outliers() == 1);
  CHECK(report.samples[4].weight == 0);
  CHECK(report.left_out().samples == static_cast<int>(samples.size()));
}

TEST_CASE("curve fit: a size left out is predicted by the others alone", "[fit]") {
  // The first two say 5 us + bytes / 4 TB/s: 15 us for 40 MB, whatever was measured there.
  const std::vector<CurveSample> samples{{20e6, 10e-6}, {100e6, 30e-6}, {40e6, 20e-6}};
  const FitReport report = report_curve("invented", samples);
  CHECK_THAT(report.samples[2].left_out, WithinRel(15e-6, 1e-3));
  CHECK_THAT(report.samples[2].measured, WithinRel(20e-6, 1e-12));
}

TEST_CASE("curve fit: sizes that do not span tell the bandwidth and no start", "[fit]") {
  // 1 GiB in 0.5 ms four times over: a start of 0.2 ms and twice the speed would explain it as well.
  const std::vector<CurveSample> one(4, {1 << 30, 0.5e-3});
  CHECK(fit_curve(one).start_s == 0);
  CHECK_THAT(fit_curve(one).bytes_per_s, WithinRel((1 << 30) / 0.5e-3, 1e-6));
  const FitReport report = report_curve("copy", one);
  REQUIRE(report.parameters.size() == 1);
  // All alike: the spread is not known, and nothing was left out, so 5 % is assumed.
  CHECK_THAT(report.standard_error("bandwidth B/s"), WithinRel(0.05 * (1 << 30) / 0.5e-3, 1e-6));
}

/// An invented card: 4.5 us, 4.6 TB/s, six tenths of a cache of 60 MB cleaned while reading.
std::vector<CurveSample> reading(double noise) {
  const Curve truth{.start_s = 4.5e-6, .bytes_per_s = 4.6e12, .cleaned_bytes = 36e6, .cache_bytes = 60e6};
  std::vector<CurveSample> samples;
  double sign = 1;
  for (double bytes = 1 << 20; bytes < 2e10; bytes *= 2) {
    samples.push_back({bytes, truth.seconds(bytes) * (1 + noise * sign)});
    sign = -sign;
  }
  return samples;
}

TEST_CASE("curve fit: what a reading kernel cleans out of the cache is found", "[fit]") {
  const Curve curve = fit_curve(reading(0.002), CacheCleaning::possible);
  CHECK_THAT(curve.bytes_per_s, WithinRel(4.6e12, 0.005));
  CHECK_THAT(curve.cleaned_bytes, WithinRel(36e6, 0.1));
  CHECK_THAT(curve.cache_bytes, WithinRel(60e6, 0.2));
  // A small kernel pays for every byte it reads, a large one for the cache once:
  // 60 MB cleaned at rate d (1 - 1/e) = 0.38 of a cache of 60 MB, 4.95 us at 4.6 TB/s.
  CHECK_THAT(curve.seconds(60e6) - curve.start_s - 60e6 / curve.bytes_per_s, WithinRel(4.95e-6, 0.05));
  CHECK_THAT(curve.seconds(1e12) - 1e12 / curve.bytes_per_s, WithinRel(4.5e-6 + 36e6 / 4.6e12, 0.05));
}

TEST_CASE("curve fit: with the cache's cleaning small sizes left out are predicted, without it not", "[fit]") {
  const std::vector<CurveSample> samples = reading(0.01);
  CHECK(report_curve("read", samples, CacheCleaning::possible).left_out().median < 0.02);
  CHECK(report_curve("read", samples).left_out().median > 0.03);
}

TEST_CASE("curve fit: a kernel without cleaning shows none, and few or large sizes do not ask for it", "[fit]") {
  std::vector<CurveSample> samples;
  for (double bytes = 1 << 20; bytes < 2e10; bytes *= 2) samples.push_back({bytes, 4e-6 + bytes / 4e12});
  const Curve curve = fit_curve(samples, CacheCleaning::possible);
  CHECK(curve.cleaned_bytes / curve.bytes_per_s < 0.05e-6);
  CHECK_THAT(curve.start_s, WithinRel(4e-6, 0.02));
  CHECK(fit_curve(std::vector<CurveSample>(samples.begin(), samples.begin() + 6), CacheCleaning::possible)
            .cleaned_bytes == 0);
  CHECK(
      fit_curve(std::vector<CurveSample>(samples.begin() + 6, samples.end()), CacheCleaning::possible).cleaned_bytes ==
      0);
}

}  // namespace
