// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/fit_report.h"

#include <algorithm>

#include "tests/catch.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

FitReport small_report() {
  FitReport report{.law = "line", .subject = "invented"};
  report.parameters = {{"slope", 2, 0.1, false}, {"floor", 0, 0, true}};
  // Errors 10 %, 20 %, 50 %; left out 20 %, 40 % (the third never was).
  report.samples = {
      {"one", {}, 1.0, 1.1, 1.2, 1.1, 1}, {"two", {}, 2.0, 1.6, 1.2, 1.8, 0.5}, {"three", {}, 4.0, 6.0, 0, 0, 0}};
  widen(report.ranges, "m", 64);
  widen(report.ranges, "m", 4);
  widen(report.ranges, "m", 16);
  return report;
}

TEST_CASE("fit report: summaries equal the values worked out by hand", "[fit]") {
  const FitReport report = small_report();
  CHECK(report.seen().samples == 3);
  CHECK_THAT(report.seen().median, WithinRel(0.2, 1e-12));
  CHECK_THAT(report.seen().worst, WithinRel(0.5, 1e-12));
  // Between 20 % and 50 %, 0.8 of the way.
  CHECK_THAT(report.seen().p90, WithinRel(0.44, 1e-12));
  CHECK(report.left_out().samples == 2);
  CHECK_THAT(report.left_out().median, WithinRel(0.3, 1e-12));
  CHECK_THAT(report.corrected().median, WithinRel(0.1, 1e-9));
  CHECK(report.outliers() == 1);
}

TEST_CASE("fit report: what a profile keeps is counts, ranges and both errors", "[fit]") {
  const FitQuality quality = small_report().quality();
  CHECK(quality.samples == 3);
  CHECK(quality.ranges.at("m").low == 4);
  CHECK(quality.ranges.at("m").high == 64);
  CHECK_THAT(quality.median_error, WithinRel(0.2, 1e-12));
  CHECK_THAT(quality.left_out_error, WithinRel(0.3, 1e-12));
}

TEST_CASE("fit report: the text has parameters with spread, errors, ranges and, when asked, samples", "[fit]") {
  const std::string brief =
      "line, invented: 3 samples, 1 outliers\n"
      "  slope 2 +- 0.1\n"
      "  floor 0 (at its bound)\n"
      "  fitted: median 20.0 %, 90th percentile 44.0 %, worst 50.0 % of 3\n"
      "  left out: median 30.0 %, 90th percentile 38.0 %, worst 40.0 % of 2\n"
      "  left out, corrected by nearby samples: median 10.0 %, 90th percentile 10.0 %, worst 10.0 % of 2\n"
      "  samples have m from 4 to 64\n";
  CHECK(to_text(small_report()) == brief);
  CHECK_THAT(to_text(small_report(), true), ContainsSubstring("three  4000000.000 us   +50.0 %  outlier"));
}

TEST_CASE("leaving out: no prediction has seen its own group, and every sample gets one", "[fit]") {
  const std::vector<std::string> groups{"a", "b", "a", "c"};
  int fits = 0;
  const auto predictions = leave_groups_out(groups, [&](auto seen, auto unseen) {
    ++fits;
    for (const std::size_t i : seen) {
      for (const std::size_t j : unseen) CHECK(groups[i] != groups[j]);
    }
    CHECK(seen.size() + unseen.size() == groups.size());
    return std::vector<double>(unseen.size(), static_cast<double>(seen.size()));
  });
  CHECK(fits == 3);
  CHECK(predictions == std::vector<double>{2, 3, 2, 3});
  CHECK(leave_groups_out(std::vector<std::string>{"a", "a"}, [](auto, auto) { return std::vector<double>{}; }).empty());
}

}  // namespace
