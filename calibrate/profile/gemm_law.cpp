// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/gemm_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace railyard {
namespace {

/// Rows and columns of a tile as powers of two.
struct Tile {
  int row_bits, column_bits;
};

// The tiles vendor libraries choose from on GPUs that hold 128 to 512 KiB of accumulators a unit.
constexpr std::array<Tile, 9> tiles = {{{8, 7}, {7, 8}, {7, 7}, {8, 6}, {6, 8}, {7, 6}, {6, 7}, {6, 6}, {5, 6}}};

constexpr double largest_tile = 256.0 * 128.0;  // elements

constexpr std::int64_t pieces(std::int64_t length, int bits) {
  return (length + (std::int64_t{1} << bits) - 1) >> bits;
}

/// Elements of unit time one tile takes for each k, before normalising to the largest tile.
double tile_work(Tile tile, double tile_edge) {
  const auto rows = static_cast<double>(1 << tile.row_bits), columns = static_cast<double>(1 << tile.column_bits);
  return rows * columns + tile_edge * (rows + columns);
}

/// Waves of `tiles` over `units`, the last partial one shared in part.
double waves(double tiles_in_all, double units, double sharing) {
  const double exact = tiles_in_all / units;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(exact));
  const double rest = exact - whole;
  return rest > 0 ? whole + (1 - sharing) + sharing * rest : whole;
}

/// Bytes of operands that come from memory again: each die computes blocks of C as large as its units hold at once, and
/// the rows and columns of one block are gone from the last level when the next needs them, unless all operands fit.
double refetched(const GemmLaw& law, double m, double n, double k, double operand_bytes) {
  if (law.cache_bytes <= 0 || (m + n) * k * operand_bytes <= law.cache_bytes) return 0;
  const double edge = std::sqrt(law.compute_units / law.dies * largest_tile);
  return k * ((std::ceil(m / edge) - 1) * n + (std::ceil(n / edge) - 1) * m) * operand_bytes;
}

}  // namespace

// Wave quantisation and arithmetic intensity: NVIDIA, Matrix Multiplication Background User's Guide, sections 2 to 4.
// The time of a tile is additive in arithmetic and operand fetching, so that its efficiency is smooth in its shape.
Seconds gemm_time(const GemmLaw& law, const GemmShape& shape, Bytes operand_size, Bytes output_size) {
  if (shape.m < 1 || shape.n < 1 || shape.k < 1 || shape.batch < 1) return {};
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const auto batch = static_cast<double>(shape.batch);
  double work = std::numeric_limits<double>::infinity();
  for (const Tile tile : tiles) {
    const auto count = static_cast<double>(pieces(shape.m, tile.row_bits) * pieces(shape.n, tile.column_bits));
    work = std::min(work, waves(count * batch, law.compute_units, law.wave_sharing) * tile_work(tile, law.tile_edge));
  }
  const double normal = largest_tile / tile_work(tiles[0], law.tile_edge);
  const double compute = 2 * work * normal * (k + law.k_overhead) * law.compute_units / law.flop_per_s;
  const double traffic = batch * ((m * k + k * n) * operand_size.in(byte) + m * n * output_size.in(byte));
  const double again = law.refetch_s_per_byte * batch * refetched(law, m, n, k, operand_size.in(byte));
  return (law.start_s + std::max(compute + again, traffic / law.memory_bytes_per_s)) * second;
}

}  // namespace railyard
