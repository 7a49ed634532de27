// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/collective_fit.h"

#include <random>

#include "tests/catch.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

const CollectiveCurve true_curve{{10e-6, 1e-6, 50e9}, {30e-6, 2.5e-6, 350e9}};

std::vector<CollectiveSample> noisy_collectives(double noise) {
  std::vector<CollectiveSample> samples;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const Collective collective : {Collective::all_reduce, Collective::all_gather}) {
    for (const int ranks : {2, 4, 8}) {
      for (double bytes = 1024; bytes < 1e10; bytes *= 2) {
        const double seconds = true_curve.seconds(collective, ranks, bytes) * (1 + noise * normal(random));
        samples.push_back({collective, ranks, bytes, seconds});
      }
    }
  }
  return samples;
}

TEST_CASE("collective fit: the time is the faster protocol's base, hops and carried bytes", "[fit]") {
  // All-reduce over 8 of 1 MiB: 14 steps; 1.75 x 1048576 = 1835008 bytes a link. Quick: 10 + 14 + 36.7 us; bulk:
  // 30 + 35 + 5.24 us, slower by 9.5 us.
  const double quick = 24e-6 + 1835008 / 50e9;
  CHECK_THAT(true_curve.seconds(Collective::all_reduce, 8, 1 << 20), WithinRel(quick, 1e-12));
  // Of 16 MiB the bulk protocol: 65 us + 29.36 MB / 350 GB/s.
  CHECK_THAT(true_curve.seconds(Collective::all_reduce, 8, 16 << 20),
             WithinRel(65e-6 + 1.75 * (16 << 20) / 350e9, 1e-12));
  CHECK(ring_steps(Collective::all_gather, 8) == 7);
  CHECK(ring_steps(Collective::send_receive, 8) == 1);
}

TEST_CASE("collective fit: both protocols are found again from noisy times of two collectives", "[fit]") {
  const CollectiveCurve found = fit_collective(noisy_collectives(0.02));
  CHECK_THAT(found.bulk.bytes_per_s, WithinRel(350e9, 0.02));
  CHECK_THAT(found.quick.bytes_per_s, WithinRel(50e9, 0.1));
  CHECK_THAT(found.quick.base_s, WithinRel(10e-6, 0.1));
  CHECK_THAT(found.quick.hop_s, WithinRel(1e-6, 0.15));
  CHECK_THAT(found.bulk.hop_s, WithinRel(2.5e-6, 0.2));
}

TEST_CASE("collective fit: outliers do not move it, sizes left out are met, six parameters in all", "[fit]") {
  std::vector<CollectiveSample> samples = noisy_collectives(0.02);
  for (std::size_t i = 5; i < samples.size(); i += 20) samples[i].seconds *= 30;
  const FitReport report = report_collective("invented", samples);
  CHECK(report.parameters.size() == 6);
  CHECK_THAT(report.parameters[5].value, WithinRel(350e9, 0.02));
  CHECK(report.left_out().median < 0.03);
  CHECK(report.outliers() >= static_cast<int>(samples.size() / 20));
}

TEST_CASE("collective fit: one rank count holds the hops at none and is still met", "[fit]") {
  std::vector<CollectiveSample> samples;
  for (double bytes = 1024; bytes < 1e10; bytes *= 2) {
    samples.push_back({Collective::all_reduce, 8, bytes, true_curve.seconds(Collective::all_reduce, 8, bytes)});
  }
  const CollectiveCurve found = fit_collective(samples);
  CHECK(found.bulk.hop_s == 0);
  CHECK(report_collective("invented", samples).seen().worst < 0.01);
}

TEST_CASE("collective fit: a size left out is not seen: spoiling it leaves its prediction as it was", "[fit]") {
  std::vector<CollectiveSample> samples;
  for (double bytes = 1024; bytes < 1e10; bytes *= 4) {
    samples.push_back({Collective::all_reduce, 8, bytes, true_curve.seconds(Collective::all_reduce, 8, bytes)});
  }
  const double before = report_collective("invented", samples).samples[9].left_out;
  samples[9].seconds *= 1.5;
  CHECK(report_collective("invented", samples).samples[9].left_out == before);
  CHECK(before > 0);
}

TEST_CASE("collective fit: one size tells the bandwidth, a few one protocol", "[fit]") {
  std::vector<CollectiveSample> samples;
  for (const int ranks : {4, 8}) samples.push_back({Collective::all_reduce, ranks, 1 << 30, 0});
  for (CollectiveSample& sample : samples) {
    sample.seconds = bus_bandwidth_factor(sample.collective, sample.ranks) * sample.bytes / 300e9;
  }
  const CollectiveCurve alone = fit_collective(samples);
  CHECK_THAT(alone.bulk.bytes_per_s, WithinRel(300e9, 1e-6));
  CHECK(alone.bulk.base_s == 0);
  CHECK(report_collective("one size", samples).parameters.size() == 1);
  // Three sizes from base 20 us, hop 2 us and 300 GB/s, at two rank counts.
  samples.clear();
  for (const double bytes : {65536.0, 16777216.0, 1073741824.0}) {
    for (const int ranks : {4, 8}) {
      const double carried = bus_bandwidth_factor(Collective::all_reduce, ranks) * bytes;
      samples.push_back({Collective::all_reduce, ranks, bytes, 20e-6 + 2 * (ranks - 1) * 2e-6 + carried / 300e9});
    }
  }
  const FitReport report = report_collective("three sizes", samples);
  REQUIRE(report.parameters.size() == 3);
  CHECK_THAT(report.parameters[0].value, WithinRel(20e-6, 1e-3));
  CHECK_THAT(report.parameters[1].value, WithinRel(2e-6, 1e-3));
  CHECK_THAT(report.parameters[2].value, WithinRel(300e9, 1e-3));
}

}  // namespace
