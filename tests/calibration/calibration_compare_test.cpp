// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/calibration_compare.h"

#include <algorithm>
#include <cmath>

#include "sim/study/calibration/sample_fit.h"
#include "tests/calibration/ring_log.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

namespace railyard {
namespace {

CalibrationInput input(const std::string& name, const std::vector<std::string>& logs) {
  std::vector<ImportedFile> files;
  for (const std::string& log : logs) files.push_back(import_log(log, name));
  return {.name = name, .profile = {}, .samples = sample_set(name, files)};
}

std::size_t marked(const CalibrationComparison& comparison) {
  return static_cast<std::size_t>(std::count_if(comparison.rows.begin(), comparison.rows.end(),
                                                [](const CalibrationRow& row) { return row.marked; }));
}

TEST_CASE("compare: a log and itself differ nowhere", "[calibration]") {
  const CalibrationInput a = input("a", {fixture::ring_log(8)});
  const CalibrationComparison same = compare(a, a);
  REQUIRE(same.rows.size() == 12);  // 1 KiB to 4 GiB by fours
  CHECK(marked(same) == 0);
  for (const CalibrationRow& row : same.rows) {
    CHECK(row.difference == 0);
    // Placements that agree: 1 % a side, within one run, both sides, twice.
    CHECK(row.noise >= 2 * std::sqrt(2.0) * 0.01 - 1e-12);
  }
}

TEST_CASE("compare: 10 % slower is marked, 1 % is noise", "[calibration]") {
  const CalibrationInput a = input("a", {fixture::ring_log(8)});
  const CalibrationComparison slower = compare(a, input("b", {fixture::ring_log(8, 350, 1.1)}));
  CHECK(marked(slower) >= 10);  // rates below 0.1 GB/s are printed with few digits
  for (const CalibrationRow& row : slower.rows) {
    if (row.marked) CHECK(row.difference < -0.05);
  }
  CHECK(marked(compare(a, input("b", {fixture::ring_log(8, 350, 1.01)}))) == 0);
  CHECK(unmet({"all_reduce>=-3 %"}, slower).size() == marked(slower));
  CHECK(unmet({"all_reduce>=-15 %"}, slower).empty());
  CHECK(unmet({"all>=-3 %"}, slower).size() == marked(slower));
  // The faster one breaks no lower limit.
  CHECK(unmet({"all>=-3 %"}, compare(input("b", {fixture::ring_log(8, 350, 1.1)}), a)).empty());
}

TEST_CASE("compare: runs that scatter tell their own noise", "[calibration]") {
  // Two runs a side, 8 % apart: a mean of two has a standard error of 4 %, so 7 % between the sides is no news.
  const CalibrationInput a = input("a", {fixture::ring_log(8, 350, 0.96), fixture::ring_log(8, 350, 1.04)});
  const CalibrationInput b = input("b", {fixture::ring_log(8, 350, 1.03), fixture::ring_log(8, 350, 1.11)});
  CHECK(marked(compare(a, b)) == 0);
  const CalibrationInput far = input("far", {fixture::ring_log(8, 350, 1.36), fixture::ring_log(8, 350, 1.44)});
  CHECK(marked(compare(a, far)) >= 10);
}

TEST_CASE("compare: products without repeats are judged by the scatter of their differences", "[calibration]") {
  const GemmLaw law = *gemm_law(shipped().profile("h100-cuda"), Precision::bf16, Speed::typical);
  const CalibrationInput a = input("a", {fixture::gemm_json(law)});
  const CalibrationComparison slower = compare(a, input("b", {fixture::gemm_json(law, 1.06)}));
  REQUIRE(slower.rows.size() == 6);
  CHECK(marked(slower) == 6);
  for (const CalibrationRow& row : slower.rows) CHECK_THAT(row.difference, WithinRel(1 / 1.06 - 1, 1e-6));
  CHECK(unmet({"gemm>=-3 %"}, slower).size() == 6);
  CHECK(marked(compare(a, input("b", {fixture::gemm_json(law, 1.015)}))) == 0);
}

TEST_CASE("compare: other ranks are another operation", "[calibration]") {
  const CalibrationInput a = input("a", {fixture::ring_log(8), fixture::ring_log(4)});
  const CalibrationComparison one = compare(a, input("b", {fixture::ring_log(8)}));
  CHECK(one.only_a == std::vector<std::string>{"all_reduce, 4 ranks, 1 node"});
  CHECK_THROWS_WITH(compare(input("a", {fixture::ring_log(4)}), input("b", {fixture::ring_log(8)})),
                    ContainsSubstring("share no operation"));
}

TEST_CASE("compare: a profile predicts what its own law measures", "[calibration]") {
  const Profile profile = shipped().profile("h100-cuda");
  const GemmLaw law = *gemm_law(profile, Precision::bf16, Speed::typical);
  const CalibrationInput a{.name = "h100-cuda", .profile = profile, .samples = {}};
  const CalibrationComparison same = compare(a, input("b", {fixture::gemm_json(law)}));
  REQUIRE(same.rows.size() == 6);
  for (const CalibrationRow& row : same.rows) CHECK_THAT(row.difference, WithinAbs(0, 1e-6));
  const CalibrationComparison back = compare(input("b", {fixture::gemm_json(law, 2)}), a);
  CHECK(marked(back) == 6);
  for (const CalibrationRow& row : back.rows) CHECK_THAT(row.difference, WithinRel(1, 1e-6));
}

TEST_CASE("compare: two profiles meet on a grid of sizes", "[calibration]") {
  const CalibrationInput a{.name = "h100", .profile = shipped().profile("h100-cuda"), .samples = {}};
  const CalibrationInput b{.name = "a100", .profile = shipped().profile("a100-cuda"), .samples = {}};
  CHECK(marked(compare(a, a)) == 0);
  const CalibrationComparison other = compare(a, b);
  for (const CalibrationRow& row : other.rows) {
    CHECK(row.operation != "gemm fp8");  // which an A100 lacks
    if (row.size == "8192 x 8192 x 8192") CHECK(row.marked);
  }
}

TEST_CASE("compare: conditions that cannot be read or match nothing are told", "[calibration]") {
  const CalibrationInput a = input("a", {fixture::ring_log(8)});
  const CalibrationComparison same = compare(a, a);
  CHECK_THROWS_WITH(check_conditions({"gemm=-3 %"}), ContainsSubstring("no comparison"));
  CHECK_THROWS_WITH(check_conditions({"gemm>=-3"}), ContainsSubstring("no share"));
  CHECK_THROWS_WITH(unmet({"all_redurce>=-3 %"}, same), ContainsSubstring("did you mean 'all_reduce'"));
}

TEST_CASE("compare: the other way round the same differences are marked, and they are the inverse", "[calibration]") {
  const auto check = [](const CalibrationInput& a, const CalibrationInput& b) {
    const CalibrationComparison there = compare(a, b), back = compare(b, a);
    REQUIRE(there.rows.size() == back.rows.size());
    for (std::size_t i = 0; i < there.rows.size(); ++i) {
      const CalibrationRow &row = there.rows[i], &inverse = back.rows[i];
      INFO(row.operation << ", " << row.size);
      CHECK(row.size == inverse.size);
      CHECK_THAT((1 + row.difference) * (1 + inverse.difference), WithinRel(1, 1e-9));
      CHECK(row.marked == inverse.marked);
      CHECK(row.marked == (std::abs(row.difference) > row.noise));
      CHECK((row.difference >= 0 || row.noise < 1));  // a rate cannot drop by more than all of it
    }
    CHECK(there.only_a == back.only_b);
  };
  for (const std::string& a : shipped().profiles()) {  // some ranges are wide, some pairs far apart
    for (const char* b : {"a100-cuda", "mi300x-rocm-stable", "gb300-cuda"}) {
      check({.name = a, .profile = shipped().profile(a), .samples = {}},
            {.name = b, .profile = shipped().profile(b), .samples = {}});
    }
  }
  check(input("a", {fixture::ring_log(8)}), input("b", {fixture::ring_log(8, 350, 2.5)}));
}

TEST_CASE("compare: what the baseline measured and tonight did not breaks a condition that names it", "[calibration]") {
  const CalibrationInput both = input("both", {fixture::ring_log(8), fixture::ring_log(4)});
  const CalibrationComparison less = compare(both, input("tonight", {fixture::ring_log(8)}));
  CHECK(less.gone == std::vector<std::string>{"all_reduce, 4 ranks, 1 node"});
  CHECK(unmet({"all_reduce>=-3 %"}, less) ==
        std::vector<std::string>{"all_reduce, 4 ranks, 1 node: not measured for b, required all_reduce>=-3 %"});
  CHECK(unmet({"all_reduce, 8 ranks>=-3 %"}, less).empty());
  CHECK(unmet({"all>=-3 %"}, compare(input("tonight", {fixture::ring_log(8)}), both)).empty());
}

TEST_CASE("compare: runs that do not tell their nodes meet the only one they can be", "[calibration]") {
  const auto nodes = [](std::vector<std::int64_t> counts) {
    CalibrationInput result{.name = "x", .profile = {}, .samples = SampleSet{}};
    for (const std::int64_t count : counts) {
      MeasuredSeries series = input("y", {fixture::ring_log(8)}).samples->series[0];
      series.nodes = count;
      result.samples->series.push_back(series);
    }
    return result;
  };
  CHECK(compare(nodes({0}), nodes({1})).rows.size() == 12);
  CHECK(compare(nodes({1}), nodes({0})).rows.size() == 12);
  // Two that it can be, or one that has its own partner: not known, either way round.
  CHECK_THROWS_WITH(compare(nodes({0}), nodes({1, 2})), ContainsSubstring("share no operation"));
  CHECK_THROWS_WITH(compare(nodes({1, 2}), nodes({0})), ContainsSubstring("share no operation"));
  CHECK(compare(nodes({0, 1}), nodes({1})).only_a == std::vector<std::string>{"all_reduce, 8 ranks"});
  CHECK(compare(nodes({1}), nodes({0, 1})).only_b == std::vector<std::string>{"all_reduce, 8 ranks"});
}

TEST_CASE("compare: sizes that one side lacks are told", "[calibration]") {
  CalibrationInput cut = input("cut", {fixture::ring_log(8)});
  std::erase_if(cut.samples->series[0].points, [](const MeasuredPoint& point) { return point.size > 65536; });
  const CalibrationComparison comparison = compare(input("whole", {fixture::ring_log(8)}), cut);
  CHECK(comparison.only_a == std::vector<std::string>{"all_reduce, 8 ranks, 1 node: 256 KiB, 1 MiB, 4 MiB and 5 more"});
  CHECK(comparison.only_b.empty());
  CHECK(comparison.gone.empty());
}

}  // namespace
}  // namespace railyard
