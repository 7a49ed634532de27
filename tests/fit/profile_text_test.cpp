// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/profile_text.h"

#include "tests/calibrate/profile_text.h"
#include "tests/catch.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

const GemmModel model{.law = {.flop_per_s = 750e12,
                              .memory_bytes_per_s = 3e12,
                              .compute_units = 132,
                              .k_overhead = 120,
                              .wave_sharing = 0.9,
                              .tile_edge = 30,
                              .start_s = 3e-6}};

FitReport report() {
  FitReport report{.law = "GEMM", .subject = "x bf16"};
  report.parameters = {{"wave_sharing", 0.9, 0.1, false},
                       {"tile_edge", 30, 5, true},
                       {"k_overhead bytes", 240, 40, false},
                       {"x bf16 FLOP/s", 750e12, 10e12, false},
                       {"x bf16 start s", 3e-6, 0.1e-6, false}};
  report.samples = {{"a", {128, 1024, 8192}, 11e-6, 10e-6, 10e-6, 0, 1},
                    {"b", {256, 1024, 8192}, 90e-6, 10e-6, 10e-6, 0, 0}};
  widen(report.ranges, "m", 128);
  widen(report.ranges, "m", 256);
  widen(report.ranges, "n", 1024);
  widen(report.ranges, "k", 8192);
  return report;
}

/// The small profile with its bf16 block replaced.
Profile with_bf16(const std::string& block) {
  std::string text = small_profile;
  const auto from = text.find("  bf16:\n") + 8, to = text.find("attention:");
  return read_profile(YamlDocument::parse(text.replace(from, to - from, block), "tiny.yaml"));
}

TEST_CASE("profile text: refetching is written as a share of the copy's bandwidth", "[fit]") {
  GemmModel refetching = model;
  refetching.law.cache_bytes = 256 * 1048576.0;
  refetching.law.refetch_s_per_byte = 0.8 / 4e12;
  refetching.copy_bytes_per_s = 4e12;
  FitReport told = report();
  told.parameters.push_back({"x bf16 refetch", 0.8, 0.05, false});
  const std::string text = gemm_profile_text(refetching, told, "paper");
  CHECK(text.find("refetch: {low: 0.7, typical: 0.8, high: 0.9,") != std::string::npos);
  CHECK_THROWS_WITH(with_bf16(text), ContainsSubstring("last_level_cache"));
  CHECK(gemm_profile_text(model, report(), "paper").find("refetch") == std::string::npos);
}

TEST_CASE("profile text: a fit written as a block reads back with two standard errors either way", "[fit]") {
  const Profile profile = with_bf16(gemm_profile_text(model, report(), "paper"));
  const GemmParameters& bf16 = profile.gemm.at(Precision::bf16);
  CHECK_THAT(bf16.sustained.value.low.in(teraflop_per_second), WithinRel(730.0, 1e-9));
  CHECK_THAT(bf16.sustained.value.typical.in(teraflop_per_second), WithinRel(750.0, 1e-9));
  CHECK_THAT(bf16.sustained.value.high.in(teraflop_per_second), WithinRel(770.0, 1e-9));
  // 240 bytes are 120 elements of two bytes, and so the error. The bound of wave_sharing holds; a parameter at a bound
  // of the fit has no range.
  CHECK_THAT(bf16.k_overhead.value.low, WithinRel(80.0, 1e-9));
  CHECK(bf16.wave_sharing.value.high == 1);
  CHECK(bf16.tile_edge.value.low == 30);
  // 3 us less the graph's gap of 0.95, 0.2 either way.
  CHECK_THAT(bf16.start.value.high.in(microsecond), WithinRel(2.25, 1e-9));
  CHECK_FALSE(bf16.sustained.evidence.assumed());
  REQUIRE(bf16.fit.has_value());
  CHECK(bf16.fit->samples == 2);
  CHECK(bf16.fit->ranges.at("m").high == 256);
  CHECK(bf16.nearby.empty());
}

TEST_CASE("profile text: nearby samples leave out the outliers", "[fit]") {
  const std::string text = gemm_profile_text(model, report(), "paper", 0, true);
  CHECK_THAT(text, ContainsSubstring("    nearby:\n      - \"128 1024 8192 +10.0 %\"\n"));
  CHECK_THAT(text, !ContainsSubstring("256 1024 8192"));
  CHECK_FALSE(with_bf16(text).gemm.at(Precision::bf16).nearby.empty());
}

}  // namespace
