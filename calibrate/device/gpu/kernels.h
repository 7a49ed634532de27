// SPDX-License-Identifier: Apache-2.0
// Kernels of our own: inputs, memory traffic, the held stream, a matrix product and its check.
#pragma once

#include <cstddef>
#include <cstdint>

#include "calibrate/device/gpu/gpu_runtime.h"
#include "calibrate/device/work.h"

namespace railyard::device::gpu {

/// Bytes of one element.
[[nodiscard]] std::size_t element_bytes(ElementType type);

/// `count` elements of the type, drawn from the distribution by a counter-based generator; FP8 is e4m3.
void launch_fill(void* data, std::size_t count, ElementType type, Inputs inputs, std::uint64_t seed, gpuStream stream);

/// Streams of `bytes` each: copy a = b, read a, write a, add a = b + c, triad a = b + 3 c. `sink` takes what reading
/// found when it is not what it can be.
void launch_memory(MemoryKernel kernel, void* a, const void* b, const void* c, std::size_t bytes, void* sink,
                   gpuStream stream);

void launch_empty(gpuStream stream);

/// Holds the stream until the host sets *flag, or about ten seconds at most.
void launch_hold(const volatile int* flag, gpuStream stream);

/// C [m,n] = A [m,k] B^T, B stored [n,k], BF16 with FP32 sums; sizes are multiples of own_gemm_tile.
void launch_own_gemm(const void* a, const void* b, void* c, int m, int n, int k, gpuStream stream);
inline constexpr int own_gemm_tile = 128;
[[nodiscard]] const char* own_gemm_name();

/// What a check compares.
struct ProductCheck {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  ElementType type = ElementType::bf16, output = ElementType::bf16;
  Layout layout = Layout::nt;
  std::int64_t m = 0, n = 0, k = 0;
};

/// `entries` entries of C, spread over it, against sums in double: writes the largest |difference| / (|sum| + sqrt(k))
/// to *error, a float on the device that is set to 0 before.
void launch_check(const ProductCheck& product, int entries, float* error, gpuStream stream);

}  // namespace railyard::device::gpu
