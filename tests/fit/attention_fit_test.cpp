// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/attention_fit.h"

#include "tests/catch.h"

namespace {

using namespace railyard::fit;

TEST_CASE("attention fit: two exact rates determine the curve", "[fit]") {
  // 300 at 1000 and 400 at 2000: 1/R (1 + h/s): 1/300 = (1 + h/1000)/R, 1/400 = (1 + h/2000)/R; h = 1000, R = 600.
  const std::vector<AttentionSample> samples{{1000, 300e12}, {2000, 400e12}};
  const AttentionCurve curve = fit_attention(samples);
  CHECK_THAT(curve.flop_per_s, WithinRel(600e12, 1e-4));
  CHECK_THAT(curve.half_sequence, WithinRel(1000.0, 1e-3));
}

TEST_CASE("attention fit: the curve is found within the noise and the left out are predicted", "[fit]") {
  std::vector<AttentionSample> samples;
  double sign = 1;
  for (std::int64_t sequence = 512; sequence <= 65536; sequence *= 2) {
    samples.push_back({sequence, AttentionCurve{550e12, 700}.rate(sequence) * (1 + 0.01 * sign)});
    sign = -sign;
  }
  const FitReport report = report_attention("invented", samples);
  CHECK_THAT(report.parameters[0].value, WithinRel(550e12, 0.02));
  CHECK_THAT(report.parameters[1].value, WithinRel(700.0, 0.05));
  CHECK(report.left_out().median < 0.025);
  CHECK(report.ranges.at("sequence").low == 512);
  CHECK(report.ranges.at("sequence").high == 65536);
}

TEST_CASE("attention fit: a sequence left out is predicted by the others alone", "[fit]") {
  // The first two say 600 TFLOP/s / (1 + 1000 / s): 480 at 4000, so 1 TFLOP takes 1/480 s, whatever was measured.
  const std::vector<AttentionSample> samples{{1000, 300e12}, {2000, 400e12}, {4000, 550e12}};
  CHECK_THAT(report_attention("invented", samples).samples[2].left_out, WithinRel(1 / 480.0, 1e-3));
}

TEST_CASE("attention fit: one sequence tells its rate and not where it saturates", "[fit]") {
  const std::vector<AttentionSample> one{{8192, 500e12}, {8192, 510e12}};
  const AttentionCurve curve = fit_attention(one);
  CHECK(curve.half_sequence == 0);
  CHECK_THAT(curve.flop_per_s, WithinRel(505e12, 0.001));
}

}  // namespace
