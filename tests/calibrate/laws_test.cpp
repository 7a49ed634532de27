// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/profile.h"

#include <cmath>

#include "profile_text.h"
#include "tests/catch.h"

namespace {

using namespace railyard;

Laws tiny(Speed speed) { return {read_profile(YamlDocument::parse(small_profile, "tiny.yaml")), speed}; }

const Flops teraflop = 1e12 * flop;

TEST_CASE("laws: memory traffic takes its bytes over the bandwidth", "[calibrate]") {
  CHECK_THAT(tiny(Speed::typical).memory(6 * gigabyte).in(second), WithinRel(3e-3, 1e-12));
}

TEST_CASE("laws: slow, typical and fast take the right end of every range", "[calibrate]") {
  const Laws slow = tiny(Speed::slow), fast = tiny(Speed::fast);
  // Rates: low is slow. Times, overheads and factors: high is slow.
  CHECK_THAT(slow.memory(gigabyte).in(second), WithinRel(1e-3, 1e-12));
  CHECK_THAT(fast.memory(gigabyte).in(second), WithinRel(0.25e-3, 1e-12));
  CHECK_THAT(slow.kernel_gap().in(microsecond), WithinRel(9.0, 1e-12));
  CHECK_THAT(fast.kernel_gap().in(microsecond), WithinRel(1.0, 1e-12));
  CHECK(slow.compute_slowdown() == 1.5);
  CHECK(fast.compute_slowdown() == 1.0);
  CHECK(slow.speed_spread() == fast.speed_spread());
  // One wave of 100 tiles: 80 TFLOP/s and k + 100 against 125 TFLOP/s and k.
  const GemmShape shape{2560, 1280, 1000};
  const double ideal = 2.0 * 2560 * 1280 * 1000;
  CHECK_THAT(slow.gemm(shape, Precision::bf16, 2.0 * byte).in(second), WithinRel(ideal * 1.1 / 80e12, 1e-12));
  CHECK_THAT(fast.gemm(shape, Precision::bf16, 2.0 * byte).in(second), WithinRel(ideal / 125e12, 1e-12));
}

TEST_CASE("laws: starts come on top of products and of memory kernels, and the slow end has the longer",
          "[calibrate]") {
  Profile profile = read_profile(YamlDocument::parse(small_profile, "tiny.yaml"));
  profile.memory_start.value = Range<Seconds>::exactly(5 * microsecond);
  profile.gemm.at(Precision::bf16).start.value = {1 * microsecond, 2 * microsecond, 4 * microsecond};
  const Laws typical(profile, Speed::typical);
  // 6 GB at 2 TB/s; no bytes are no kernel.
  CHECK_THAT(typical.memory(6 * gigabyte).in(second), WithinRel(3e-3 + 5e-6, 1e-12));
  CHECK(typical.memory(0 * byte) == Seconds{});
  const auto start = [&](Speed speed) {
    const Seconds with = Laws(profile, speed).gemm({512, 512, 512}, Precision::bf16, 2.0 * byte);
    return (with - tiny(speed).gemm({512, 512, 512}, Precision::bf16, 2.0 * byte)).in(microsecond);
  };
  CHECK_THAT(start(Speed::fast), WithinRel(1.0, 1e-9));
  CHECK_THAT(start(Speed::typical), WithinRel(2.0, 1e-9));
  CHECK_THAT(start(Speed::slow), WithinRel(4.0, 1e-9));
}

TEST_CASE("laws: refetching takes its share of the memory's time, the slow end the larger", "[calibrate]") {
  Profile profile = read_profile(YamlDocument::parse(small_profile, "tiny.yaml"));
  profile.gemm.at(Precision::bf16).refetch.emplace();
  profile.gemm.at(Precision::bf16).refetch->value = {0, 0.5, 1};
  profile.last_level_cache.emplace();
  profile.last_level_cache->value = Range<Bytes>::exactly(mebibyte);
  // 100 units on one die hold a block of edge 1810.2: 2560 is two of them, 1280 one.
  const GemmShape shape{2560, 1280, 1000};
  const auto again = [&](Speed speed) {
    return (Laws(profile, speed).gemm(shape, Precision::bf16, 2.0 * byte) -
            tiny(speed).gemm(shape, Precision::bf16, 2.0 * byte))
        .in(second);
  };
  const double bytes = 1000.0 * 1280 * 2;
  CHECK_THAT(again(Speed::typical), WithinRel(0.5 * bytes / 2e12, 1e-6));
  CHECK_THAT(again(Speed::slow), WithinRel(bytes / 1e12, 1e-6));
  CHECK(again(Speed::fast) == 0);
}

TEST_CASE("laws: a nearby sample moves the products around it and none far away", "[calibrate]") {
  Profile profile = read_profile(YamlDocument::parse(small_profile, "tiny.yaml"));
  const Laws plain(profile, Speed::typical);
  profile.gemm.at(Precision::bf16).nearby.add({4096, 4096, 4096}, 1.2);
  const Laws corrected(profile, Speed::typical);
  const auto ratio = [&](const GemmShape& shape) {
    return corrected.gemm(shape, Precision::bf16, 2.0 * byte) / plain.gemm(shape, Precision::bf16, 2.0 * byte);
  };
  CHECK_THAT(ratio({4096, 4096, 4096}), WithinRel(std::pow(1.2, 1 / 1.5), 1e-12));
  CHECK(ratio({4096, 4096, 65536}) == 1);
}

TEST_CASE("laws: fp16 moves as many bytes as bf16 and has its own speed", "[calibrate]") {
  Profile profile = read_profile(YamlDocument::parse(small_profile, "tiny.yaml"));
  GemmParameters half = profile.gemm.at(Precision::bf16);
  half.sustained.value = Range<FlopRate>::exactly(500 * teraflop_per_second);
  profile.gemm[Precision::fp16] = half;
  const Laws laws(profile, Speed::typical);
  const GemmShape large{25600, 12800, 10000}, skinny{1, 8192, 8192};
  CHECK_THAT(laws.gemm(large, Precision::fp16, 2.0 * byte) / laws.gemm(large, Precision::bf16, 2.0 * byte),
             WithinRel(0.2, 1e-12));
  // One row is memory bound at either speed.
  CHECK(laws.gemm(skinny, Precision::fp16, 2.0 * byte) == laws.gemm(skinny, Precision::bf16, 2.0 * byte));
  CHECK(element_size(Precision::fp16) == 2.0 * byte);
  CHECK(to_string(Precision::fp16) == "fp16");
}

TEST_CASE("laws: attention reaches half its rate at the half sequence", "[calibrate]") {
  const Laws laws = tiny(Speed::typical);
  CHECK_THAT(laws.attention_forward(teraflop, 1000, 128).in(second), WithinRel(1 / 30.0, 1e-12));
  CHECK_THAT(laws.attention_forward(teraflop, 1'000'000, 128).in(second), WithinRel(1.001 / 60, 1e-12));
  CHECK_THAT(laws.attention_backward(teraflop, 3000, 64).in(second), WithinRel(1 / 10.0, 1e-12));
}

TEST_CASE("laws: a head dimension between two takes time per score linear in the dimension", "[calibrate]") {
  const Laws laws = tiny(Speed::typical);
  // Per score, 64 takes 64/40 = 1.6 and 128 takes 128/60 = 2.1333; 96 lies in the middle, 1.86667, so its rate is
  // 96 / 1.86667 = 51.43 TFLOP/s; at sequence 1000 half of it.
  CHECK_THAT(laws.attention_forward(teraflop, 1000, 96).in(second), WithinRel(2 * 1.8666666666667 / 96, 1e-9));
  // Above the largest: its rate. Below the smallest: a score takes as long as there, so 32 runs at half the rate of 64.
  CHECK(laws.attention_forward(teraflop, 1000, 256) == laws.attention_forward(teraflop, 1000, 128));
  CHECK_THAT(laws.attention_forward(teraflop, 1000, 32) / laws.attention_forward(teraflop, 1000, 64),
             WithinRel(2.0, 1e-12));
}

TEST_CASE("laws: longer attention is never faster", "[calibrate]") {
  const Laws laws = tiny(Speed::typical);
  const int head_dim = GENERATE(48, 64, 80, 128, 192);
  Seconds before;
  for (std::int64_t sequence = 16; sequence <= 65536; sequence *= 2) {
    // Causal, one head: 2 s^2 d FLOP.
    const Flops flops = 2.0 * static_cast<double>(sequence * sequence) * head_dim * flop;
    const Seconds now = laws.attention_forward(flops, sequence, head_dim);
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("laws: at one number of scores a larger head is never faster", "[calibrate]") {
  const Laws laws = tiny(Speed::typical);
  Seconds before;
  for (int head_dim = 16; head_dim <= 320; head_dim += 16) {
    const Seconds now = laws.attention_backward(1e9 * head_dim * flop, 4096, head_dim);
    CHECK(now.in(second) >= before.in(second) * (1 - 1e-12));
    before = now;
  }
}

TEST_CASE("laws: products of the backward pass are slower where the profile says so, most at the slow end",
          "[calibrate]") {
  Profile profile = read_profile(YamlDocument::parse(small_profile, "tiny.yaml"));
  profile.gemm[Precision::fp8] = profile.gemm.at(Precision::bf16);
  CHECK(Laws(profile, Speed::slow).backward_slowdown(Precision::fp8) == 1);
  profile.gemm.at(Precision::fp8).backward_slowdown = Figure<double>{.value = {1.01, 1.06, 1.12}, .evidence = {}};
  CHECK(Laws(profile, Speed::fast).backward_slowdown(Precision::fp8) == 1.01);
  CHECK(Laws(profile, Speed::typical).backward_slowdown(Precision::fp8) == 1.06);
  CHECK(Laws(profile, Speed::slow).backward_slowdown(Precision::fp8) == 1.12);
  CHECK(Laws(profile, Speed::slow).backward_slowdown(Precision::bf16) == 1);
}

TEST_CASE("laws: a precision the profile lacks is an input error that names both", "[calibrate]") {
  CHECK_THROWS_WITH(tiny(Speed::typical).gemm({1, 1, 1}, Precision::fp8, 2.0 * byte),
                    ContainsSubstring("'tiny' has no GEMM figures for fp8"));
}

}  // namespace
