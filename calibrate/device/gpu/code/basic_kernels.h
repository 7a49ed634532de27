// SPDX-License-Identifier: Apache-2.0
// Kernels for inputs, memory traffic, the held stream, and the check of a product.
#pragma once

#include "calibrate/device/gpu/code/element.h"

namespace railyard::device::gpu {
namespace {

__device__ float drawn(Inputs inputs, U64 seed, U64 index) {
  const U64 bits = mixed(seed ^ mixed(index));
  const float u = (static_cast<float>(bits >> 40U) + 0.5F) * 0x1p-24F;
  const float v = static_cast<float>(bits & 0xffffffU) * 0x1p-24F;
  switch (inputs) {
    case Inputs::normal:  // Box and Muller 1958
      return sqrtf(-2.0F * logf(u)) * cosf(6.2831853F * v);
    case Inputs::uniform:
      return 2.0F * u - 1.0F;
    case Inputs::integers:
      return floorf(5.0F * v) - 2.0F;
    case Inputs::zeros:
      break;
  }
  return 0.0F;
}

}  // namespace

RAILYARD_KERNEL railyard_fill(void* data, U64 count, ElementType type, Inputs inputs, U64 seed) {
  const U64 step = static_cast<U64>(gridDim.x) * blockDim.x;
  for (U64 i = static_cast<U64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    store_element(data, i, type, drawn(inputs, seed, i));
  }
}

RAILYARD_KERNEL railyard_empty() {}

RAILYARD_KERNEL railyard_hold(const volatile int* flag) {
  // A reading of the flag takes about a microsecond over the bus, so this ends after seconds though nobody answers.
  for (int i = 0; i < 4000000 && *flag == 0; ++i) {
  }
}

namespace {

__device__ uint4 sum(uint4 a, uint4 b) {
  return {__float_as_uint(__uint_as_float(a.x) + __uint_as_float(b.x)),
          __float_as_uint(__uint_as_float(a.y) + __uint_as_float(b.y)),
          __float_as_uint(__uint_as_float(a.z) + __uint_as_float(b.z)),
          __float_as_uint(__uint_as_float(a.w) + __uint_as_float(b.w))};
}
__device__ uint4 thrice(uint4 a) {
  return {__float_as_uint(3 * __uint_as_float(a.x)), __float_as_uint(3 * __uint_as_float(a.y)),
          __float_as_uint(3 * __uint_as_float(a.z)), __float_as_uint(3 * __uint_as_float(a.w))};
}

/// One tile of block_threads x unroll vectors a block: what is loaded is loaded before anything is used.
template <MemoryKernel kernel, int unroll>
__device__ void move_tile(uint4* a, const uint4* b, const uint4* c, U64 count, uint4* sink) {
  const U64 first = static_cast<U64>(blockIdx.x) * (block_threads * unroll) + threadIdx.x;
  uint4 loaded[unroll], other[unroll];
#pragma unroll
  for (int i = 0; i < unroll; ++i) {
    const U64 at = first + static_cast<U64>(i) * block_threads;
    loaded[i] = uint4{0, 0, 0, 0};
    if (at >= count) continue;
    if constexpr (kernel != MemoryKernel::write) loaded[i] = b[at];
    if constexpr (kernel == MemoryKernel::add || kernel == MemoryKernel::triad) other[i] = c[at];
  }
#pragma unroll
  for (int i = 0; i < unroll; ++i) {
    const U64 at = first + static_cast<U64>(i) * block_threads;
    if (at >= count) continue;
    if constexpr (kernel == MemoryKernel::read) {
      if (loaded[i].x == 0xdeadbeefU && loaded[i].y == 0x12345678U) *sink = loaded[i];
    } else if constexpr (kernel == MemoryKernel::add) {
      a[at] = sum(loaded[i], other[i]);
    } else if constexpr (kernel == MemoryKernel::triad) {
      a[at] = sum(loaded[i], thrice(other[i]));
    } else {
      a[at] = loaded[i];
    }
  }
}

}  // namespace

/// Small streams need many blocks, large ones many loads in flight.
#define RAILYARD_MEMORY_KERNEL(kind)                                                                             \
  RAILYARD_KERNEL railyard_memory_##kind##_1(uint4* a, const uint4* b, const uint4* c, U64 count, uint4* sink) { \
    move_tile<MemoryKernel::kind, 1>(a, b, c, count, sink);                                                      \
  }                                                                                                              \
  RAILYARD_KERNEL railyard_memory_##kind##_4(uint4* a, const uint4* b, const uint4* c, U64 count, uint4* sink) { \
    move_tile<MemoryKernel::kind, 4>(a, b, c, count, sink);                                                      \
  }
RAILYARD_MEMORY_KERNEL(copy)
RAILYARD_MEMORY_KERNEL(read)
RAILYARD_MEMORY_KERNEL(write)
RAILYARD_MEMORY_KERNEL(add)
RAILYARD_MEMORY_KERNEL(triad)
#undef RAILYARD_MEMORY_KERNEL

/// One block an entry; sums in double.
RAILYARD_KERNEL railyard_check_product(ProductCheck product, int entries, float* error) {
  __shared__ double sums[block_threads];
  const U64 all = static_cast<U64>(product.m) * static_cast<U64>(product.n);
  // The first and the last entry, the others anywhere.
  const int entry = static_cast<int>(blockIdx.x);
  const U64 index = entry == 0 ? 0 : entry == entries - 1 ? all - 1 : mixed(static_cast<U64>(entry)) % all;
  const I64 row = static_cast<I64>(index / static_cast<U64>(product.n));
  const I64 column = static_cast<I64>(index % static_cast<U64>(product.n));
  double sum = 0;
  for (I64 inner = threadIdx.x; inner < product.k; inner += block_threads) {
    const I64 at_a = product.layout == Layout::tn ? inner * product.m + row : row * product.k + inner;
    const I64 at_b = product.layout == Layout::nt ? column * product.k + inner : inner * product.n + column;
    sum += static_cast<double>(load_element(product.a, static_cast<U64>(at_a), product.type)) *
           static_cast<double>(load_element(product.b, static_cast<U64>(at_b), product.type));
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = block_threads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  const double found = load_element(product.c, static_cast<U64>(index), product.output);
  note_error(error, static_cast<float>(fabs(found - sums[0]) / (fabs(sums[0]) + sqrt(static_cast<double>(product.k)))));
}

}  // namespace railyard::device::gpu
