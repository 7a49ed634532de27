// SPDX-License-Identifier: Apache-2.0
// A matrix product of our own for machines without a vendor's library: 128 x 128 tiles, BF16 on the matrix units (WMMA
// on NVIDIA, MFMA on AMD), FP32 sums. Simple rather than fast; its speed is printed beside the library's.
#include "calibrate/device/gpu/element.h"
#include "calibrate/device/gpu/kernels.h"

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <mma.h>
#endif

namespace railyard::device::gpu {
namespace {

constexpr int tile = own_gemm_tile;  // of C, both ways
constexpr int depth = 32;            // of K held in shared memory at a time
constexpr int padded = depth + 8;    // elements between rows there, against bank conflicts
constexpr int part = 16;             // of one matrix instruction

/// Loads rows [0, tile) and K-columns [at, at + depth) of a row-major [*, k] matrix into shared memory, 8 elements a
/// thread and step.
__device__ void load_tile(const std::uint16_t* from, int k, int at, std::uint16_t* to, int threads) {
  constexpr int vector = 8;
  for (int i = static_cast<int>(threadIdx.x) * vector; i < tile * depth; i += threads * vector) {
    const int row = i / depth, column = i % depth;
    *reinterpret_cast<uint4*>(to + row * padded + column) =
        *reinterpret_cast<const uint4*>(from + static_cast<std::size_t>(row) * k + at + column);
  }
}

#if defined(__CUDACC__)

constexpr int gemm_threads = 256;  // eight warps, each 32 x 64 of the tile

__global__ void __launch_bounds__(gemm_threads)
    own_gemm_kernel(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* c, int n, int k) {
  namespace wmma = nvcuda::wmma;
  __shared__ __align__(32) std::uint16_t shared_a[tile * padded], shared_b[tile * padded];
  __shared__ __align__(32) float staging[gemm_threads / 32][part * part];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = warp / 2 * 32, warp_column = warp % 2 * 64;
  const std::uint16_t* const tile_a = a + static_cast<std::size_t>(blockIdx.y) * tile * k;
  const std::uint16_t* const tile_b = b + static_cast<std::size_t>(blockIdx.x) * tile * k;
  wmma::fragment<wmma::accumulator, part, part, part, float> sums[2][4];
  for (auto& row : sums) {
    for (auto& each : row) wmma::fill_fragment(each, 0.0F);
  }
  for (int at = 0; at < k; at += depth) {
    __syncthreads();
    load_tile(tile_a, k, at, shared_a, gemm_threads);
    load_tile(tile_b, k, at, shared_b, gemm_threads);
    __syncthreads();
    for (int step = 0; step < depth; step += part) {
      wmma::fragment<wmma::matrix_a, part, part, part, __nv_bfloat16, wmma::row_major> rows[2];
      wmma::fragment<wmma::matrix_b, part, part, part, __nv_bfloat16, wmma::col_major> columns[4];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(
            rows[i], reinterpret_cast<const __nv_bfloat16*>(shared_a + (warp_row + i * part) * padded + step), padded);
      }
      for (int j = 0; j < 4; ++j) {
        wmma::load_matrix_sync(
            columns[j], reinterpret_cast<const __nv_bfloat16*>(shared_b + (warp_column + j * part) * padded + step),
            padded);
      }
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], rows[i], columns[j], sums[i][j]);
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      wmma::store_matrix_sync(staging[warp], sums[i][j], part, wmma::mem_row_major);
      __syncwarp();
      const std::size_t row = static_cast<std::size_t>(blockIdx.y) * tile + warp_row + i * part;
      const std::size_t column = static_cast<std::size_t>(blockIdx.x) * tile + warp_column + j * part;
      for (int e = lane; e < part * part; e += 32) {
        c[(row + e / part) * n + column + e % part] = to_bf16(staging[warp][e]);
      }
      __syncwarp();
    }
  }
}

constexpr const char* kernel_name = "own 128x128x32, WMMA 16x16x16";

#else

constexpr int wave = 64;
constexpr int gemm_threads = 4 * wave;  // four waves, each 64 x 64 of the tile
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

__global__ void __launch_bounds__(gemm_threads)
    own_gemm_kernel(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* c, int n, int k) {
  __shared__ __align__(16) std::uint16_t shared_a[tile * padded], shared_b[tile * padded];
  const int id = static_cast<int>(threadIdx.x) / wave, lane = static_cast<int>(threadIdx.x) % wave;
  const int wave_row = id / 2 * 64, wave_column = id % 2 * 64;
  const int line = lane % part, group = lane / part * 4;
  const std::uint16_t* const tile_a = a + static_cast<std::size_t>(blockIdx.y) * tile * k;
  const std::uint16_t* const tile_b = b + static_cast<std::size_t>(blockIdx.x) * tile * k;
  Four sums[4][4] = {};
  for (int at = 0; at < k; at += depth) {
    __syncthreads();
    load_tile(tile_a, k, at, shared_a, gemm_threads);
    load_tile(tile_b, k, at, shared_b, gemm_threads);
    __syncthreads();
    for (int step = 0; step < depth; step += part) {
      FourShort rows[4], columns[4];
      for (int i = 0; i < 4; ++i) {
        rows[i] = *reinterpret_cast<const FourShort*>(shared_a + (wave_row + i * part + line) * padded + step + group);
        columns[i] =
            *reinterpret_cast<const FourShort*>(shared_b + (wave_column + i * part + line) * padded + step + group);
      }
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] = multiply(rows[i], columns[j], sums[i][j]);
      }
    }
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const std::size_t row = static_cast<std::size_t>(blockIdx.y) * tile + wave_row + i * part + group;
      const std::size_t column = static_cast<std::size_t>(blockIdx.x) * tile + wave_column + j * part + line;
      for (int e = 0; e < 4; ++e) c[(row + e) * n + column] = to_bf16(sums[i][j][e]);
    }
  }
}

constexpr const char* kernel_name = "own 128x128x32, MFMA 16x16x16";

#endif

}  // namespace

void launch_own_gemm(const void* a, const void* b, void* c, int m, int n, int k, gpuStream stream) {
  const dim3 blocks(static_cast<unsigned>(n / tile), static_cast<unsigned>(m / tile));
  own_gemm_kernel<<<blocks, gemm_threads, 0, stream>>>(
      static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b), static_cast<std::uint16_t*>(c), n, k);
}

const char* own_gemm_name() { return kernel_name; }

}  // namespace railyard::device::gpu
