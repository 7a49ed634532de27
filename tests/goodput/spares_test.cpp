// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sim/goodput/goodput.h"
#include "tests/catch.h"

using namespace railyard;

namespace {

/// P(X > s) summed term by term from the tail, smallest first: another way than the code's 1 - head.
double tail(double mean, int s) {
  double sum = 0;
  for (int k = s + 400; k > s; --k) sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
  return sum;
}

}  // namespace

TEST_CASE("spares: the smallest number whose Poisson tail is below the accepted shortage", "[goodput]") {
  const double mean = GENERATE(0.01, 0.1, 0.5, 1.0, 1.2, 3.7, 10.0, 25.0, 80.0);
  const double shortage = GENERATE(0.1, 0.01, 0.001);
  const int spares = spares_for(mean, shortage);
  INFO("mean " << mean << ", shortage " << shortage << ", spares " << spares);
  CHECK(tail(mean, spares) < shortage);
  if (spares > 0) {
    CHECK(tail(mean, spares - 1) >= shortage);
  }
}

TEST_CASE("spares: by hand, mean 1 and one percent give four", "[goodput]") {
  // e^-1 (1 + 1 + 1/2 + 1/6) = 0.98101 leaves 1.9 % above three; with 1/24 more it is 0.99634: 0.37 % above four.
  CHECK(spares_for(1, 0.01) == 4);
}

TEST_CASE("spares: nothing out of service needs none", "[goodput]") { CHECK(spares_for(0, 0.01) == 0); }

TEST_CASE("spares: a mean whose exp underflows follows the normal approximation", "[goodput]") {
  // mean 2000: 2000 + 2.3263 x sqrt(2000) = 2104.0; the Cornish-Fisher skewness term (2.3263^2 - 1)/6 = 0.74 adds one.
  const int spares = spares_for(2000, 0.01);
  CHECK(spares >= 2103);
  CHECK(spares <= 2106);
}

TEST_CASE("spares: their share of the nodes shrinks with the size of the job", "[goodput]") {
  double previous = 1;
  for (const double nodes : {128.0, 512.0, 2048.0, 8192.0}) {
    const double share = spares_for(nodes * 0.01, 0.01) / nodes;
    CHECK(share < previous);
    previous = share;
  }
}

TEST_CASE("spares: a huge mean takes no longer than the root of it, and an absurd one is refused", "[goodput]") {
  // Normal with the Cornish-Fisher term: m + z sqrt(m) + (z^2 - 1)/6, z(1 %) = 2.326348, good to a few units.
  for (const double mean : {1e4, 1e6, 1e8}) {
    CHECK(std::abs(spares_for(mean, 0.01) - (mean + 2.326348 * std::sqrt(mean) + 0.735)) < 2);
  }
  CHECK_THROWS_WITH(spares_for(1e300, 0.01), ContainsSubstring("more than can be counted"));
  CHECK_THROWS_AS(spares_for(std::nextafter(1e8, 2e8), 0.01), InputError);
}

TEST_CASE("spares: a tiny accepted shortage is met, though 1 - head would round to nothing", "[goodput]") {
  for (const double mean : {0.5, 8.4, 80.0}) {
    const int spares = spares_for(mean, 1e-9);
    CHECK(tail(mean, spares) < 1e-9);
    CHECK(tail(mean, spares - 1) >= 1e-9);
  }
}
