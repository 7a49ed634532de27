// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/gemm_law.h"

#include <cmath>
#include <random>

#include "tests/catch.h"

namespace {

using namespace railyard;

/// 100 units of 1 TFLOP/s with a memory too fast to matter and no overheads: hand arithmetic.
GemmLaw plain() { return {.flop_per_s = 100e12, .memory_bytes_per_s = 1e18, .compute_units = 100}; }

double seconds(const GemmLaw& law, const GemmShape& shape, double element = 2, double output = 2) {
  return gemm_time(law, shape, element * byte, output * byte).in(second);
}

/// Shapes from skinny to large, not multiples of tiles.
GemmShape random_shape(std::mt19937& random) {
  const auto size = [&] {
    return static_cast<std::int64_t>(std::exp2(std::uniform_real_distribution(0.0, 14.5)(random)));
  };
  return {size(), size(), size(), std::uniform_int_distribution<std::int64_t>(1, 9)(random)};
}

GemmLaw random_law(std::mt19937& random) {
  std::uniform_real_distribution<double> share(0, 1);
  return {.flop_per_s = 1e14 + 1e15 * share(random),
          .memory_bytes_per_s = 1e12 + 4e12 * share(random),
          .compute_units = 100 + static_cast<double>(static_cast<int>(200 * share(random))),
          .k_overhead = 300 * share(random),
          .wave_sharing = share(random),
          .tile_edge = 100 * share(random),
          .cache_bytes = 1e8 * std::max(0.0, share(random) - 0.5),
          .dies = 1 + static_cast<double>(static_cast<int>(8 * share(random))),
          .refetch_s_per_byte = 1e-12 * share(random),
          .start_s = 5e-6 * share(random)};
}

TEST_CASE("gemm: one full wave of the largest tile runs at the sustained rate", "[calibrate]") {
  // 10 x 10 tiles of 256 x 128 on 100 units: 2 m n k FLOP at 100 TFLOP/s.
  const GemmShape shape{2560, 1280, 1000};
  CHECK_THAT(seconds(plain(), shape), WithinRel(2.0 * 2560 * 1280 * 1000 / 100e12, 1e-12));
}

TEST_CASE("gemm: k_overhead lengthens every tile by as many elements of K", "[calibrate]") {
  GemmLaw law = plain();
  law.k_overhead = 100;
  CHECK_THAT(seconds(law, {2560, 1280, 1000}), WithinRel(2.0 * 2560 * 1280 * 1100 / 100e12, 1e-12));
}

TEST_CASE("gemm: one tile too many costs another wave, less what waves share", "[calibrate]") {
  // tile_edge 4096 makes small tiles dear: a 256 x 128 tile works 256*128 + 4096*384 = 1605632 for each k.
  GemmLaw law = plain();
  law.tile_edge = 4096;
  const double one_wave = seconds(law, {2560, 1280, 1000});
  CHECK_THAT(seconds(law, {2560, 1280, 1000, 2}), WithinRel(2 * one_wave, 1e-12));
  // 101 such tiles are two waves; 202 of 128 x 128 are three, of 16384 + 4096*256 = 1064960 each: slightly less.
  const GemmShape longer{256 * 101, 128, 1000};
  CHECK_THAT(seconds(law, longer), WithinRel(3 * 1064960.0 / 1605632 * one_wave, 1e-12));
  // Shared fully, 101 tiles cost 1.01 waves; by half, the mean of 1.01 and 2. Smaller tiles no longer pay.
  law.wave_sharing = 1;
  CHECK_THAT(seconds(law, longer), WithinRel(1.01 * one_wave, 1e-12));
  law.wave_sharing = 0.5;
  CHECK_THAT(seconds(law, longer), WithinRel(1.505 * one_wave, 1e-12));
}

TEST_CASE("gemm: a small product takes small tiles to fill the units", "[calibrate]") {
  // 640 x 640 is 15 tiles of 256 x 128 but 100 of 64 x 64: one wave of these, 1/8 of the large tile's time.
  CHECK_THAT(seconds(plain(), {640, 640, 1000}), WithinRel(2.0 * 640 * 640 * 1000 / 100e12, 1e-12));
}

TEST_CASE("gemm: a smaller tile is slower by its share of operand fetching", "[calibrate]") {
  // 100 units filled by 64 x 64 tiles; tile_edge 64: 64x64 works 4096 + 64*128 = 12288 per k, 256x128 works
  // 32768 + 64*384 = 57344, so the rate is (4096/12288) / (32768/57344) = 0.58333 of the sustained one.
  GemmLaw law = plain();
  law.tile_edge = 64;
  CHECK_THAT(seconds(law, {640, 640, 1000}), WithinRel(2.0 * 640 * 640 * 1000 / 100e12 / (7.0 / 12.0), 1e-9));
}

TEST_CASE("gemm: a skinny product takes its bytes over the bandwidth", "[calibrate]") {
  GemmLaw law = plain();
  law.flop_per_s = 1000e12;
  law.memory_bytes_per_s = 3e12;
  // A 1 x 8192, B 8192 x 8192, both 2 bytes, C 1 x 8192 of 4 bytes.
  const double bytes = 2.0 * (8192 + 8192.0 * 8192) + 4.0 * 8192;
  CHECK_THAT(seconds(law, {1, 8192, 8192}, 2, 4), WithinRel(bytes / 3e12, 1e-12));
}

TEST_CASE("gemm: a batch fills waves together", "[calibrate]") {
  // 100 products of one 256 x 128 tile are one wave; each alone would leave 99 units idle.
  CHECK_THAT(seconds(plain(), {256, 128, 1000, 100}), WithinRel(2.0 * 256 * 128 * 1000 / 1e12, 1e-12));
}

TEST_CASE("gemm: the start of a kernel is paid once, whatever the size and the batch", "[calibrate]") {
  GemmLaw law = plain();
  const double bare = seconds(law, {2560, 1280, 1000}), batched = seconds(law, {256, 128, 1000, 100});
  law.start_s = 3e-6;
  CHECK_THAT(seconds(law, {2560, 1280, 1000}), WithinRel(bare + 3e-6, 1e-12));
  CHECK_THAT(seconds(law, {256, 128, 1000, 100}), WithinRel(batched + 3e-6, 1e-12));
  // The smallest product runs one tile of 32 x 64 for one element of k: 4096 FLOP at a unit's 1 TFLOP/s.
  CHECK_THAT(seconds(law, {1, 1, 1}), WithinRel(3e-6 + 4096 / 1e12, 1e-9));
}

TEST_CASE("gemm: operands beyond the last-level cache come from memory again for each block of a die", "[calibrate]") {
  // 100 units on 4 dies hold 25 tiles of 32768 elements, a block of edge 905.1: 2560 is 3 blocks, 1280 is 2.
  GemmLaw law = plain();
  const GemmShape shape{2560, 1280, 1000};
  const double cached = seconds(law, shape);
  law.dies = 4;
  law.refetch_s_per_byte = 1e-12;
  CHECK(seconds(law, shape) == cached);  // no cache is told
  law.cache_bytes = (2560.0 + 1280) * 1000 * 2;
  CHECK(seconds(law, shape) == cached);  // all fits
  law.cache_bytes -= 1;
  const double again = 1000.0 * ((3 - 1) * 1280 + (2 - 1) * 2560) * 2;
  CHECK_THAT(seconds(law, shape), WithinRel(cached + again * 1e-12, 1e-12));
  // Each of a batch on its own: together they need no more cache than one after the other.
  CHECK_THAT(seconds(law, {2560, 1280, 1000, 3}), WithinRel(3 * (cached + again * 1e-12), 1e-12));
}

TEST_CASE("gemm: no work takes no time", "[calibrate]") {
  CHECK(seconds(plain(), {0, 128, 128}) == 0);
  CHECK(seconds(plain(), {128, 128, 0}) == 0);
}

TEST_CASE("gemm: more of anything is never faster", "[calibrate]") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const GemmLaw law = random_law(random);
    const GemmShape shape = random_shape(random);
    const double time = seconds(law, shape);
    const std::int64_t more = std::uniform_int_distribution<std::int64_t>(1, 300)(random);
    CAPTURE(shape.m, shape.n, shape.k, shape.batch, more);
    // Rounding only: sums of a few products.
    const double least = time * (1 - 1e-12);
    REQUIRE(seconds(law, {shape.m + more, shape.n, shape.k, shape.batch}) >= least);
    REQUIRE(seconds(law, {shape.m, shape.n + more, shape.k, shape.batch}) >= least);
    REQUIRE(seconds(law, {shape.m, shape.n, shape.k + more, shape.batch}) >= least);
    REQUIRE(seconds(law, {shape.m, shape.n, shape.k, shape.batch + more}) >= least);
    REQUIRE(seconds(law, shape, 2, 4) >= least);
  }
}

TEST_CASE("gemm: a better machine is never slower, and none beats rate or memory", "[calibrate]") {
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    const GemmLaw law = random_law(random);
    const GemmShape shape = random_shape(random);
    const double time = seconds(law, shape), most = time * (1 + 1e-12);
    CAPTURE(shape.m, shape.n, shape.k, shape.batch);
    const auto better = [&](const auto& change) {
      GemmLaw changed = law;
      change(changed);
      REQUIRE(seconds(changed, shape) <= most);
    };
    better([](GemmLaw& l) { l.memory_bytes_per_s *= 2; });
    better([](GemmLaw& l) { l.flop_per_s *= 2; });
    better([](GemmLaw& l) { l.k_overhead /= 2; });
    better([](GemmLaw& l) { l.wave_sharing = 1; });
    better([](GemmLaw& l) { l.cache_bytes *= 2; });
    better([](GemmLaw& l) { l.refetch_s_per_byte /= 2; });
    const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
    const auto batch = static_cast<double>(shape.batch);
    REQUIRE(time >= 2 * m * n * k * batch / law.flop_per_s * (1 - 1e-9));
    REQUIRE(time >= 2 * batch * (m * k + k * n + m * n) / law.memory_bytes_per_s * (1 - 1e-9));
  }
}

}  // namespace
