// SPDX-License-Identifier: Apache-2.0
// The own product on NVIDIA: BF16 on the tensor cores by mma.sync, operands copied ahead into shared memory
// (cp.async), read from there by ldmatrix. C [m,n] = A [m,k] B^T, B stored [n,k], sums in FP32.
#pragma once

#include "calibrate/device/gpu/code/element.h"

namespace railyard::device::gpu {
namespace {

constexpr int gemm_row_chunks = own_gemm_depth / 8;  // of 16 bytes in a row of shared memory

__device__ U32 shared_address(const void* data) { return static_cast<U32>(__cvta_generic_to_shared(data)); }

/// Where chunk `chunk` of row `row` lies: chunks of eight rows are permuted, so that eight rows read at the same chunk
/// meet all banks.
__device__ int swizzled(int row, int chunk) { return (row * gemm_row_chunks + (chunk ^ (row % 8))) * 8; }

/// Starts copying `rows` rows and own_gemm_depth columns of a row-major [*, k] matrix into shared memory.
template <int rows>
__device__ void start_copy(const U16* from, int k, U16* to) {
#pragma unroll
  for (int i = 0; i < rows * gemm_row_chunks / block_threads; ++i) {
    const int index = i * block_threads + static_cast<int>(threadIdx.x);
    const int row = index / gemm_row_chunks, chunk = index % gemm_row_chunks;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to + swizzled(row, chunk))),
                 "l"(from + static_cast<U64>(row) * static_cast<U64>(k) + static_cast<U64>(chunk * 8)));
  }
}

/// Four 8 x 8 matrices of shared memory, one address a lane.
__device__ void load_matrices(U32 (&to)[4], const U16* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(from)));
}

__device__ void multiply_add(float (&c)[4], const U32 (&a)[4], U32 b0, U32 b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Tile of C of this block: eight rows of tiles are walked together, so that neighbours share operands in the cache.
__device__ void tile_of_block(int rows, int columns, int& row, int& column) {
  constexpr int together = 8;
  const int index = static_cast<int>(blockIdx.x), group = together * columns;
  const int first = index / group * together, height = min(together, rows - first);
  row = first + index % group % height;
  column = index % group / height;
}

/// A block's tile is own_gemm_tile x width; eight warps as 2 x 4, each 64 x width / 4.
template <int width>
__device__ void own_product(const U16* a, const U16* b, U16* c, int m, int n, int k) {
  constexpr int warp_columns = width / 4, rows_of_mma = 4, columns_of_mma = warp_columns / 8;
  constexpr int a_size = own_gemm_tile * own_gemm_depth, stage_size = (own_gemm_tile + width) * own_gemm_depth;
  extern __shared__ __align__(128) U16 held[];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = warp % 2 * 64, warp_column = warp / 2 * warp_columns;
  int tile_row = 0, tile_column = 0;
  tile_of_block(m / own_gemm_tile, n / width, tile_row, tile_column);
  const U16* const from_a = a + static_cast<U64>(tile_row) * own_gemm_tile * static_cast<U64>(k);
  const U16* const from_b = b + static_cast<U64>(tile_column) * width * static_cast<U64>(k);
  const int steps = k / own_gemm_depth;
  const auto copy_step = [&](int step) {
    if (step < steps) {
      U16* const stage = held + step % own_gemm_stages * stage_size;
      start_copy<own_gemm_tile>(from_a + step * own_gemm_depth, k, stage);
      start_copy<width>(from_b + step * own_gemm_depth, k, stage + a_size);
    }
    asm volatile("cp.async.commit_group;");  // an empty group too: the count below stays the same
  };
  for (int step = 0; step < own_gemm_stages - 1; ++step) copy_step(step);
  float sums[rows_of_mma][columns_of_mma][4] = {};
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(own_gemm_stages - 2));
    __syncthreads();  // the stage is whole, and nobody reads the one that is overwritten next
    copy_step(step + own_gemm_stages - 1);
    const U16* const stage_a = held + step % own_gemm_stages * stage_size;
    const U16* const stage_b = stage_a + a_size;
#pragma unroll
    for (int part = 0; part < own_gemm_depth / 16; ++part) {
      U32 rows[rows_of_mma][4], columns[columns_of_mma / 2][4];
#pragma unroll
      for (int i = 0; i < rows_of_mma; ++i) {
        load_matrices(rows[i], stage_a + swizzled(warp_row + i * 16 + lane % 16, part * 2 + lane / 16));
      }
#pragma unroll
      for (int j = 0; j < columns_of_mma / 2; ++j) {
        load_matrices(columns[j],
                      stage_b + swizzled(warp_column + j * 16 + lane % 8 + lane / 16 * 8, part * 2 + lane / 8 % 2));
      }
#pragma unroll
      for (int i = 0; i < rows_of_mma; ++i) {
#pragma unroll
        for (int j = 0; j < columns_of_mma; ++j) {
          multiply_add(sums[i][j], rows[i], columns[j / 2][j % 2 * 2], columns[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < rows_of_mma; ++i) {
#pragma unroll
    for (int j = 0; j < columns_of_mma; ++j) {
      const U64 row = static_cast<U64>(tile_row) * own_gemm_tile + static_cast<U64>(warp_row + i * 16 + lane / 4);
      const U64 column = static_cast<U64>(tile_column) * width + static_cast<U64>(warp_column + j * 8 + lane % 4 * 2);
      for (int half = 0; half < 2; ++half) {
        const U32 pair = to_bf16(sums[i][j][2 * half]) | static_cast<U32>(to_bf16(sums[i][j][2 * half + 1])) << 16U;
        *reinterpret_cast<U32*>(c + (row + 8 * static_cast<U64>(half)) * static_cast<U64>(n) + column) = pair;
      }
    }
  }
}

}  // namespace

RAILYARD_KERNEL __launch_bounds__(block_threads, 1)
    railyard_own_gemm_wide(const U16* a, const U16* b, U16* c, int m, int n, int k) {
  own_product<own_gemm_wide>(a, b, c, m, n, k);
}
RAILYARD_KERNEL __launch_bounds__(block_threads, 1)
    railyard_own_gemm(const U16* a, const U16* b, U16* c, int m, int n, int k) {
  own_product<own_gemm_tile>(a, b, c, m, n, k);
}

}  // namespace railyard::device::gpu
