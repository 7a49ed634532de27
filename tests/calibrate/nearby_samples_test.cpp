// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/nearby_samples.h"

#include <cmath>

#include "tests/catch.h"

namespace {

using namespace railyard;

TEST_CASE("nearby samples: none correct nothing", "[calibrate]") {
  const NearbySamples none;
  CHECK(none.empty());
  CHECK(none.factor({128, 128, 128}) == 1);
}

TEST_CASE("nearby samples: one sample counts two thirds at its own shape, less at a distance", "[calibrate]") {
  NearbySamples one;
  one.add({1024, 1024, 1024}, 1.3);
  // Weight 1 against the half of "no correction".
  CHECK_THAT(one.factor({1024, 1024, 1024}), WithinRel(std::pow(1.3, 1 / 1.5), 1e-12));
  // One octave away in k: (1 - (1 / 1.5)^2)^2 = (5/9)^2 = 25/81; 25/81 over 25/81 + 1/2 is 50/131.
  CHECK_THAT(one.factor({1024, 1024, 2048}), WithinRel(std::pow(1.3, 50.0 / 131), 1e-12));
  // One octave in each of two directions is sqrt(2): (1 - 2/2.25)^2 = 1/81, over 1/81 + 1/2 it is 2/83.
  CHECK_THAT(one.factor({512, 2048, 1024}), WithinRel(std::pow(1.3, 2.0 / 83), 1e-12));
}

TEST_CASE("nearby samples: the correction is none from one and a half octaves on", "[calibrate]") {
  NearbySamples one;
  one.add({1024, 1024, 1024}, 1.3);
  CHECK(one.factor({4096, 1024, 1024}) == 1);
  CHECK(one.factor({2048, 2048, 512}) == 1);
  CHECK(one.factor({0, 1, 1}) == 1);
}

TEST_CASE("nearby samples: opposite neighbours cancel, like ones add up and stay between", "[calibrate]") {
  NearbySamples opposite, alike;
  opposite.add({1024, 1024, 1024}, 1.25);
  opposite.add({1024, 1024, 1024}, 0.8);
  CHECK_THAT(opposite.factor({1024, 1024, 1024}), WithinRel(1.0, 1e-12));
  alike.add({1024, 1024, 1024}, 1.2);
  alike.add({1024, 1024, 1100}, 1.2);
  const double factor = alike.factor({1024, 1024, 1024});
  CHECK(factor > std::pow(1.2, 1 / 1.5));
  CHECK(factor < 1.2);
}

}  // namespace
