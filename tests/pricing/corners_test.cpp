// SPDX-License-Identifier: Apache-2.0
#include "pricing/corners.h"
#include "tests/catch.h"

using namespace railyard;

TEST_CASE("corners: inputs that raise and inputs that lower go to opposite ends", "[pricing]") {
  // f = x / y over x in [1, 3], y in [2, 8]: from 1/8 to 3/2.
  const std::vector<Range<double>> inputs{{1, 2, 3}, {2, 4, 8}};
  const Corners corners = evaluate_corners(inputs, [](std::span<const double> v) { return v[0] / v[1]; });
  CHECK(corners.result == Range<double>{0.125, 0.5, 1.5});
  CHECK(corners.swings[0].rises());
  CHECK_FALSE(corners.swings[1].rises());
  CHECK(corners.swings[0].width() == 0.5);   // 3/4 - 1/4
  CHECK(corners.swings[1].width() == 0.75);  // 2/2 - 2/8
}

TEST_CASE("corners: exact inputs leave one value", "[pricing]") {
  const std::vector<Range<double>> inputs{Range<double>::exactly(2), Range<double>::exactly(3)};
  const Corners corners = evaluate_corners(inputs, [](std::span<const double> v) { return v[0] * v[1]; });
  CHECK(corners.result == Range<double>::exactly(6));
  CHECK(corners.swings[0].width() == 0);
}

TEST_CASE("corners: the typical result lies inside even where the function turns", "[pricing]") {
  // x^2 at low -1, typical 0, high 1: flat by its ends, yet the result at 0 must not be above the range.
  const std::vector<Range<double>> inputs{{-1, 0, 1}};
  const Corners corners = evaluate_corners(inputs, [](std::span<const double> v) { return v[0] * v[0]; });
  CHECK(corners.result.low <= corners.result.typical);
  CHECK(corners.result.typical <= corners.result.high);
}
