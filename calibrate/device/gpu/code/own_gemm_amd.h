// SPDX-License-Identifier: Apache-2.0
// The own product on AMD: BF16 on the matrix units (MFMA), 128 x 128 tiles; the next part of K is on its way in
// registers while this one is multiplied from shared memory. Not yet run on AMD hardware.
#pragma once

#include "calibrate/device/gpu/code/element.h"

namespace railyard::device::gpu {
namespace {

constexpr int wave = 64;           // four waves, each 64 x 64 of the tile
constexpr int depth = 32;          // of K held in shared memory at a time
constexpr int padded = depth + 8;  // elements between rows there, against bank conflicts
constexpr int part = 16;           // of one matrix instruction
constexpr int vector = 8;          // elements of one load
constexpr int loads = own_gemm_tile * depth / vector / block_threads;
using Four = __attribute__((__vector_size__(4 * sizeof(float)))) float;
using FourShort = __attribute__((__vector_size__(4 * sizeof(short)))) short;

/// D = A B + C of 16 x 16 x 16: lane l holds row l % 16 of A, column l % 16 of B, and their K from 4 (l / 16) on; of D
/// column l % 16 and rows 4 (l / 16) on (AMD matrix instruction calculator).
__device__ Four multiply(FourShort a, FourShort b, Four c) {
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
  return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
#else
  (void)a;
  (void)b;
  return c;  // no matrix unit that we know: the check of results refuses it
#endif
}

/// This thread's share of [own_gemm_tile, depth] of a row-major [*, k] matrix, on its way.
__device__ void start_load(const U16* from, int k, uint4 (&to)[loads]) {
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int at = (i * block_threads + static_cast<int>(threadIdx.x)) * vector;
    to[i] = *reinterpret_cast<const uint4*>(from + static_cast<U64>(at / depth) * static_cast<U64>(k) + at % depth);
  }
}
__device__ void keep(const uint4 (&from)[loads], U16* to) {
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int at = (i * block_threads + static_cast<int>(threadIdx.x)) * vector;
    *reinterpret_cast<uint4*>(to + at / depth * padded + at % depth) = from[i];
  }
}

}  // namespace

RAILYARD_KERNEL __launch_bounds__(block_threads)
    railyard_own_gemm(const U16* a, const U16* b, U16* c, int m, int n, int k) {
  (void)m;
  __shared__ __align__(16) U16 held_a[2][own_gemm_tile * padded], held_b[2][own_gemm_tile * padded];
  const int columns_of_tiles = n / own_gemm_tile;
  const int tile_row = static_cast<int>(blockIdx.x) / columns_of_tiles;
  const int tile_column = static_cast<int>(blockIdx.x) % columns_of_tiles;
  const int id = static_cast<int>(threadIdx.x) / wave, lane = static_cast<int>(threadIdx.x) % wave;
  const int wave_row = id / 2 * 64, wave_column = id % 2 * 64;
  const int line_of_part = lane % part, group = lane / part * 4;
  const U16* const tile_a = a + static_cast<U64>(tile_row) * own_gemm_tile * static_cast<U64>(k);
  const U16* const tile_b = b + static_cast<U64>(tile_column) * own_gemm_tile * static_cast<U64>(k);
  uint4 next_a[loads], next_b[loads];
  start_load(tile_a, k, next_a);
  start_load(tile_b, k, next_b);
  Four sums[4][4] = {};
  const int steps = k / depth;
  for (int step = 0; step < steps; ++step) {
    U16* const here_a = held_a[step % 2];
    U16* const here_b = held_b[step % 2];
    keep(next_a, here_a);
    keep(next_b, here_b);
    __syncthreads();  // the other buffer was read before this barrier's step began
    if (step + 1 < steps) {
      start_load(tile_a + (step + 1) * depth, k, next_a);
      start_load(tile_b + (step + 1) * depth, k, next_b);
    }
#pragma unroll
    for (int at = 0; at < depth; at += part) {
      FourShort rows[4], columns[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        rows[i] =
            *reinterpret_cast<const FourShort*>(here_a + (wave_row + i * part + line_of_part) * padded + at + group);
        columns[i] =
            *reinterpret_cast<const FourShort*>(here_b + (wave_column + i * part + line_of_part) * padded + at + group);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] = multiply(rows[i], columns[j], sums[i][j]);
      }
    }
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const U64 row = static_cast<U64>(tile_row) * own_gemm_tile + static_cast<U64>(wave_row + i * part + group);
      const U64 column =
          static_cast<U64>(tile_column) * own_gemm_tile + static_cast<U64>(wave_column + j * part + line_of_part);
      for (int e = 0; e < 4; ++e) {
        c[(row + static_cast<U64>(e)) * static_cast<U64>(n) + column] = to_bf16(sums[i][j][e]);
      }
    }
  }
}

}  // namespace railyard::device::gpu
