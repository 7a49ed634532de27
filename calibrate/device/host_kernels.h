// SPDX-License-Identifier: Apache-2.0
// What the host back end computes. Operands are bfloat16 in memory, sums are FP32, as on a GPU; rows are contiguous.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "calibrate/device/work.h"

namespace railyard::device {

/// Runs body(first, last) on slices of [0, count), one a thread, and waits.
void parallel_slices(int threads, std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& body);

/// A bfloat16 as it lies in memory.
using Bf16 = std::uint16_t;
[[nodiscard]] float widened(Bf16 value);
[[nodiscard]] Bf16 rounded(float value);

/// C [m,n] = A B in the layout of `work`.
void host_gemm(const WorkRequest& work, std::span<const Bf16> a, std::span<const Bf16> b, std::span<Bf16> c,
               int threads);

/// Streams of equal length: copy a = b, read, write, add a = b + c, triad a = b + 3 c. Returns a sum that keeps the
/// reading alive.
double host_memory(MemoryKernel kernel, std::span<float> a, std::span<const float> b, std::span<const float> c,
                   int threads);

/// One head at a time, the whole score matrix of a head in memory. `q`, `k`, `v`, `out` [heads][sequence][head_dim];
/// backward takes `out` as the gradient of the output and writes gradients of q, k and v into `grads` (3 x that size).
void host_attention(const WorkRequest& work, std::span<const float> q, std::span<const float> k,
                    std::span<const float> v, std::span<float> out, std::span<float> grads, int threads);

}  // namespace railyard::device
