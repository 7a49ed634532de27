// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <random>

#include "sim/goodput/goodput.h"
#include "tests/catch.h"

using namespace railyard;

namespace {

/// Plays a job second by second of its events: work in segments of `interval` + `blocking`, lost when a failure
/// strikes, repeated after a restart that failures may strike too. Share of the time that went into segments that
/// count.
double played_efficiency(double interval, double blocking, double restart, double mean, int segments) {
  std::mt19937_64 random(20241222);
  const auto next_failure = [&] {
    const double uniform = static_cast<double>(random() >> 11U) * 0x1p-53;
    return -mean * std::log1p(-uniform);
  };
  double time = 0;
  double failure = next_failure();
  // Runs for `length` or until the failure; true when it went through.
  const auto run = [&](double length) {
    if (time + length <= failure) {
      time += length;
      return true;
    }
    time = failure;
    failure = time + next_failure();
    return false;
  };
  for (int done = 0; done < segments; ++done) {
    while (!run(interval + blocking)) {
      while (!run(restart)) {
      }
    }
  }
  return interval * segments / time;
}

}  // namespace

TEST_CASE("failures: a seeded event simulation agrees with the efficiency formula within 1 %", "[goodput]") {
  struct Case {
    double blocking, restart, mean;
  };
  // G1, G2 and one where failures are as frequent as checkpoints are slow.
  const Case c = GENERATE(Case{20, 420, 11135.08}, Case{60, 300, 6490.38}, Case{200, 600, 2000});
  const double best = optimal_interval(c.blocking * second, c.mean * second).in(second);
  // 200 000 segments: at least 2e4 failures, so the standard error is below 0.4 % of the lost share.
  for (const double interval : {best, 3 * best}) {
    const double formula =
        checkpoint_efficiency(interval * second, c.blocking * second, c.restart * second, c.mean * second);
    CHECK_THAT(played_efficiency(interval, c.blocking, c.restart, c.mean, 200'000), WithinRel(formula, 0.01));
  }
}

TEST_CASE("failures: Meta's first-order effective time is near the exact one where losses are small", "[goodput]") {
  // G8: 2 048 nodes, 419 failures in 54 days, restart 420 s, interval 667.4 s, write 20 s:
  // (1 - N r (u0 + dt/2)) / (1 + w/dt) = 0.9051872565; it drops terms of order ((R + tau)/M)^2, about 1 %.
  const double mean = 54.0 * 24 * 3600 / 419;
  const double first_order = (1 - (420 + 667.4 / 2) / mean) / (1 + 20 / 667.4);
  CHECK_THAT(first_order, WithinRel(0.9051872565, 1e-9));
  CHECK_THAT(checkpoint_efficiency(667.4 * second, 20.0 * second, 420.0 * second, mean * second),
             WithinRel(first_order, 0.01));
}
