// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/kernels.h"

#include <cmath>

#include "calibrate/device/gpu/element.h"

namespace railyard::device::gpu {
namespace {

constexpr int block_threads = 256;

__device__ std::uint64_t mixed(std::uint64_t value) {  // splitmix64 (Steele, Lea, Flood 2014)
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

__device__ float drawn(Inputs inputs, std::uint64_t seed, std::size_t index) {
  const std::uint64_t bits = mixed(seed ^ mixed(index));
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

__global__ void fill_kernel(void* data, std::size_t count, ElementType type, Inputs inputs, std::uint64_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    store_element(data, i, type, drawn(inputs, seed, i));
  }
}

__global__ void empty_kernel() {}

__global__ void hold_kernel(const volatile int* flag) {
  // A reading of the flag takes about a microsecond over the bus, so this ends after seconds though nobody answers.
  for (int i = 0; i < 4000000 && *flag == 0; ++i) {
  }
}

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
__global__ void memory_kernel(uint4* a, const uint4* b, const uint4* c, std::size_t count, uint4* sink) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * (block_threads * unroll) + threadIdx.x;
  uint4 loaded[unroll], other[unroll];
#pragma unroll
  for (int i = 0; i < unroll; ++i) {
    const std::size_t at = first + static_cast<std::size_t>(i) * block_threads;
    loaded[i] = uint4{0, 0, 0, 0};
    if (at >= count) continue;
    if constexpr (kernel != MemoryKernel::write) loaded[i] = b[at];
    if constexpr (kernel == MemoryKernel::add || kernel == MemoryKernel::triad) other[i] = c[at];
  }
#pragma unroll
  for (int i = 0; i < unroll; ++i) {
    const std::size_t at = first + static_cast<std::size_t>(i) * block_threads;
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

template <MemoryKernel kernel, int unroll>
void start_tiles(void* a, const void* b, const void* c, std::size_t count, void* sink, gpuStream stream) {
  const std::size_t tile = static_cast<std::size_t>(block_threads) * unroll;
  const auto blocks = static_cast<unsigned>((count + tile - 1) / tile);
  memory_kernel<kernel, unroll>
      <<<blocks, block_threads, 0, stream>>>(static_cast<uint4*>(a), static_cast<const uint4*>(b),
                                             static_cast<const uint4*>(c), count, static_cast<uint4*>(sink));
}

/// Small streams need many blocks, large ones many loads in flight.
template <MemoryKernel kernel>
void start_memory(void* a, const void* b, const void* c, std::size_t bytes, void* sink, gpuStream stream) {
  constexpr std::size_t few = std::size_t{1} << 20U;  // vectors: 16 MiB a stream
  const std::size_t count = bytes / sizeof(uint4);
  count < few ? start_tiles<kernel, 1>(a, b, c, count, sink, stream)
              : start_tiles<kernel, 4>(a, b, c, count, sink, stream);
}

/// One block an entry; sums in double.
__global__ void check_kernel(ProductCheck product, int entries, float* error) {
  __shared__ double sums[block_threads];
  const std::uint64_t all = static_cast<std::uint64_t>(product.m) * static_cast<std::uint64_t>(product.n);
  // The first and the last entry, the others anywhere.
  const int entry = static_cast<int>(blockIdx.x);
  const std::uint64_t index = entry == 0             ? 0
                              : entry == entries - 1 ? all - 1
                                                     : mixed(static_cast<std::uint64_t>(entry)) % all;
  const std::int64_t row = static_cast<std::int64_t>(index / static_cast<std::uint64_t>(product.n));
  const std::int64_t column = static_cast<std::int64_t>(index % static_cast<std::uint64_t>(product.n));
  double sum = 0;
  for (std::int64_t inner = threadIdx.x; inner < product.k; inner += block_threads) {
    const std::int64_t at_a = product.layout == Layout::tn ? inner * product.m + row : row * product.k + inner;
    const std::int64_t at_b = product.layout == Layout::nt ? column * product.k + inner : inner * product.n + column;
    sum += static_cast<double>(load_element(product.a, static_cast<std::size_t>(at_a), product.type)) *
           static_cast<double>(load_element(product.b, static_cast<std::size_t>(at_b), product.type));
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = block_threads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  const double found = load_element(product.c, static_cast<std::size_t>(index), product.output);
  const auto off = static_cast<float>(fabs(found - sums[0]) / (fabs(sums[0]) + sqrt(static_cast<double>(product.k))));
  // Not a number counts as far off; errors are not negative, so their bits order as integers.
  atomicMax(reinterpret_cast<int*>(error), __float_as_int(off >= 0 ? off : 1e30F));
}

}  // namespace

std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::bf16:
    case ElementType::fp16:
      return 2;
    case ElementType::fp8:
      return 1;
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  return 4;
}

void launch_fill(void* data, std::size_t count, ElementType type, Inputs inputs, std::uint64_t seed, gpuStream stream) {
  fill_kernel<<<4096, block_threads, 0, stream>>>(data, count, type, inputs, seed);
}

void launch_memory(MemoryKernel kernel, void* a, const void* b, const void* c, std::size_t bytes, void* sink,
                   gpuStream stream) {
  switch (kernel) {
    case MemoryKernel::copy:
      return start_memory<MemoryKernel::copy>(a, b, c, bytes, sink, stream);
    case MemoryKernel::read:
      return start_memory<MemoryKernel::read>(a, b, c, bytes, sink, stream);
    case MemoryKernel::write:
      return start_memory<MemoryKernel::write>(a, b, c, bytes, sink, stream);
    case MemoryKernel::add:
      return start_memory<MemoryKernel::add>(a, b, c, bytes, sink, stream);
    case MemoryKernel::triad:
      return start_memory<MemoryKernel::triad>(a, b, c, bytes, sink, stream);
  }
}

void launch_empty(gpuStream stream) { empty_kernel<<<1, 1, 0, stream>>>(); }

void launch_hold(const volatile int* flag, gpuStream stream) { hold_kernel<<<1, 1, 0, stream>>>(flag); }

void launch_check(const ProductCheck& product, int entries, float* error, gpuStream stream) {
  check_kernel<<<static_cast<unsigned>(entries), block_threads, 0, stream>>>(product, entries, error);
}

}  // namespace railyard::device::gpu
