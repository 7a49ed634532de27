// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/stopping_rule.h"

#include <array>
#include <cmath>

#include "tests/catch.h"

namespace railyard::device {
namespace {

TEST_CASE("statistics: median, mean and deviation of five times by hand", "[device]") {
  // 1, 2, 3, 4, 10: mean 4, squares 9 + 4 + 1 + 0 + 36 = 50 over 4 degrees.
  const SampleStatistics result = statistics(std::array<double, 5>{3, 1, 10, 2, 4});
  CHECK(result.median == 3);
  CHECK(result.mean == 4);
  CHECK_THAT(result.deviation, WithinRel(std::sqrt(12.5), 1e-12));
  CHECK(result.low == 1);
  CHECK(result.high == 10);
  CHECK(statistics(std::array<double, 2>{1, 2}).median == 1.5);
  CHECK(statistics({}).count == 0);
}

TEST_CASE("stopping rule: equal times end quietly once there are enough and they add up", "[device]") {
  StoppingRule rule({.fewest_samples = 10, .least_measured_s = 0.5});
  for (int i = 0; i < 9; ++i) rule.add(0.1);
  CHECK(rule.ended(1) == Ended::not_yet);  // 0.9 s, but nine samples
  rule.add(0.1);
  CHECK(rule.ended(1) == Ended::quiet);
  StoppingRule brief({.fewest_samples = 10, .least_measured_s = 0.5});
  for (int i = 0; i < 49; ++i) brief.add(0.01);
  CHECK(brief.ended(1) == Ended::not_yet);  // 0.49 s
  for (int i = 0; i < 2; ++i) brief.add(0.01);
  CHECK(brief.ended(1) == Ended::quiet);
  StoppingRule batches({.fewest_samples = 10, .least_measured_s = 0.5});
  for (int i = 0; i < 10; ++i) batches.add(1e-3, 51);  // means of batches of 51 runs
  CHECK(batches.ended(1) == Ended::quiet);
}

TEST_CASE("stopping rule: times that alternate by 10 % never get quiet, but their noise settles", "[device]") {
  // Standard deviation of 1, 1.1, 1, 1.1, ... tends to 0.05 of a mean of 1.05: 4.8 %, above the 0.5 % of quiet.
  StoppingRule rule({});
  int count = 0;
  while (rule.ended(0) == Ended::not_yet && count < 1000) rule.add(count++ % 2 == 0 ? 1.0 : 1.1);
  CHECK(rule.ended(0) == Ended::settled);
  CHECK(count >= 64);  // a whole window
  CHECK(count < 200);
}

TEST_CASE("stopping rule: the wall clock ends what nothing else ends, a count ends at once", "[device]") {
  StoppingRule rule({.longest_s = 15});
  rule.add(1);
  CHECK(rule.ended(14.9) == Ended::not_yet);
  CHECK(rule.ended(15) == Ended::time_limit);
  StoppingRule counted({.enough_samples = 3});
  for (int i = 1; i <= 3; ++i) counted.add(i);
  CHECK(counted.ended(0) == Ended::enough);
}

TEST_CASE("stopping rule: dropped samples are as if never taken", "[device]") {
  StoppingRule rule({.fewest_samples = 3, .least_measured_s = 0}), other({.fewest_samples = 3, .least_measured_s = 0});
  for (const double time : {1.0, 1.001, 0.999}) {
    rule.add(time);
    other.add(time);
  }
  rule.add(5);
  rule.add(7);
  CHECK(rule.ended(0) == Ended::not_yet);
  rule.drop(2);
  CHECK(rule.samples() == other.samples());
  CHECK(rule.ended(0) == other.ended(0));
  rule.drop(100);
  CHECK(rule.samples().empty());
}

TEST_CASE("stopping rule: noise of nearly equal small times keeps its digits", "[device]") {
  // 1 us +- 1e-4 of it: a sum of plain squares would lose this at 1e-12 against 1e-20.
  StoppingRule rule({.fewest_samples = 4, .least_measured_s = 0, .noise = 1.1e-4});
  for (const double off : {1.0, -1.0, 1.0, -1.0}) rule.add(1e-6 * (1 + 1e-4 * off));
  CHECK(rule.ended(0) == Ended::not_yet);  // deviation 1.155e-4
  StoppingRule wider({.fewest_samples = 4, .least_measured_s = 0, .noise = 1.2e-4});
  for (const double off : {1.0, -1.0, 1.0, -1.0}) wider.add(1e-6 * (1 + 1e-4 * off));
  CHECK(wider.ended(0) == Ended::quiet);
}

}  // namespace
}  // namespace railyard::device
