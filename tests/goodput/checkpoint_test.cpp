// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "sim/goodput/goodput.h"
#include "sim/goodput/lambert.h"
#include "tests/catch.h"

using namespace railyard;

namespace {

struct Vector {
  const char* name;
  double blocking, restart, mean;  // s
  double young, young_efficiency;  // tau in s, E
  double daly, daly_efficiency, exact, efficiency;
};

// Reference values computed apart from this code with 60 decimal digits (mpmath lambertw); they agree with the printed
// digits of the vectors G1 (Llama 3: 54 d / 419), G2 (16k GPUs at 6.5 per 1 000 node-days), G3 (1k at 2.34).
constexpr Vector vectors[] = {
    {"G1", 20, 420, 11135.08353221957, 667.38545181086, 0.90640361311237, 654.11871334309, 0.90641435021907,
     654.11924749063, 0.90641435021908},
    {"G2", 60, 300, 6490.384615384615, 882.52260812183, 0.83070096536026, 842.97585430081, 0.83081455545536,
     842.98413886051, 0.83081455546057},
    {"G3", 60, 300, 288461.53846153844, 5883.4840541455, 0.97872349010038, 5843.5520410724, 0.97872394989718,
     5843.5522261957, 0.97872394989718},
};
constexpr double relative = 1e-8;

}  // namespace

TEST_CASE("checkpoints: Young, Daly and the exact optimum reproduce G1 to G3 to 1e-8", "[goodput]") {
  const Vector v = GENERATE(from_range(std::begin(vectors), std::end(vectors)));
  INFO(v.name);
  const Seconds blocking = v.blocking * second;
  const Seconds restart = v.restart * second;
  const Seconds mean = v.mean * second;
  const auto efficiency = [&](Seconds interval) { return checkpoint_efficiency(interval, blocking, restart, mean); };
  CHECK_THAT(young_interval(blocking, mean).in(second), WithinRel(v.young, relative));
  CHECK_THAT(efficiency(young_interval(blocking, mean)), WithinRel(v.young_efficiency, relative));
  CHECK_THAT(daly_interval(blocking, mean).in(second), WithinRel(v.daly, relative));
  CHECK_THAT(efficiency(daly_interval(blocking, mean)), WithinRel(v.daly_efficiency, relative));
  CHECK_THAT(optimal_interval(blocking, mean).in(second), WithinRel(v.exact, relative));
  CHECK_THAT(efficiency(optimal_interval(blocking, mean)), WithinRel(v.efficiency, relative));
}

TEST_CASE("checkpoints: no interval beats the exact optimum", "[goodput]") {
  const double blocking = GENERATE(0.01, 1.0, 60.0, 3600.0, 1e6);
  const double mean = GENERATE(600.0, 1e4, 1e7);
  const Seconds best = optimal_interval(blocking * second, mean * second);
  const double top = checkpoint_efficiency(best, blocking * second, 0.0 * second, mean * second);
  for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
    CHECK(checkpoint_efficiency(best * factor, blocking * second, 0.0 * second, mean * second) <= top);
  }
}

TEST_CASE("checkpoints: 1 + W0 satisfies its equation from the branch point to far away", "[goodput]") {
  // w exp(-w) form: with W = w - 1, W e^W = -exp(-1 - c), that is (1 - w) e^w = e^-c. Near w = 0 both sides are 1, so
  // the test is on logarithms: -log1p(-w) - w = c, with the sum w^2/2 + w^3/3 + ... where that cancels.
  constexpr double step = 1.07;
  for (double c = 1e-17; c < 39; c *= step) {
    INFO("c = " << c);
    const double w = one_plus_lambert(c);
    REQUIRE(w > 0);
    REQUIRE(w <= 1);
    if (w == 1) continue;  // e^-(1+c) is below half a unit in the last place
    double left = 0;
    if (w < 0.1) {
      for (int k = 30; k >= 2; --k) left += std::pow(w, k) / k;
    } else {
      left = -std::log1p(-w) - w;
    }
    // Far away 1 - w is e^-(1+c) and holds few digits of w: rounding w by 1e-16 moves c by 1e-16 / (1 - w).
    REQUIRE_THAT(left, WithinRel(c, 1e-14 + 2e-16 / (1 - w)));
  }
}

TEST_CASE("checkpoints: 1 + W0 ends at 0 and 1", "[goodput]") {
  CHECK(one_plus_lambert(0) == 0);
  CHECK(one_plus_lambert(std::numeric_limits<double>::infinity()) == 1);
  CHECK_THAT(one_plus_lambert(1e-20), WithinRel(std::sqrt(2e-20), 1e-9));  // sqrt(2c) at the branch point
}

TEST_CASE("checkpoints: without failures only the checkpoint itself is lost", "[goodput]") {
  const Seconds never = std::numeric_limits<double>::infinity() * second;
  CHECK_THAT(checkpoint_efficiency(90.0 * second, 10.0 * second, 600.0 * second, never), WithinRel(0.9, 1e-15));
  CHECK(checkpoint_efficiency(optimal_interval(10.0 * second, never), 10.0 * second, 600.0 * second, never) == 1);
}

TEST_CASE("checkpoints: free ones are taken without end and only restarts cost", "[goodput]") {
  const Seconds mean = 1000.0 * second;
  CHECK(optimal_interval(0.0 * second, mean) == 0.0 * second);
  CHECK_THAT(checkpoint_efficiency(0.0 * second, 0.0 * second, 100.0 * second, mean), WithinRel(std::exp(-0.1), 1e-15));
}

TEST_CASE("checkpoints: Daly gives M once a checkpoint takes twice as long as a failure", "[goodput]") {
  CHECK(daly_interval(200.0 * second, 100.0 * second) == 100.0 * second);
}

TEST_CASE("checkpoints: at the optimum about sqrt(2C/M) is lost", "[goodput]") {
  // Second terms are of order C/M = 1e-6, a thousandth of the first.
  const double lost =
      1 - checkpoint_efficiency(optimal_interval(1.0 * second, 1e6 * second), 1.0 * second, 0.0 * second, 1e6 * second);
  CHECK_THAT(lost, WithinRel(std::sqrt(2e-6), 2e-3));
}
