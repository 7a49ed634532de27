// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/kernels.h"

#include <algorithm>
#include <cmath>

namespace railyard::device::gpu {
namespace {

struct Vector;  // sixteen bytes on the device

KernelSize blocks_of(std::size_t count) { return {.blocks = static_cast<unsigned>(count)}; }
constexpr KernelSize one_thread{.blocks = 1, .threads = 1};

const U16* bf16(const void* data) { return static_cast<const U16*>(data); }

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

void Kernels::fill(void* data, std::size_t count, ElementType type, Inputs inputs, std::uint64_t seed,
                   gpuStream stream) const {
  launch("railyard_fill", blocks_of(4096), stream, data, static_cast<U64>(count), type, inputs, static_cast<U64>(seed));
}

void Kernels::move(MemoryKernel kernel, void* a, const void* b, const void* c, std::size_t bytes, void* sink,
                   gpuStream stream) const {
  constexpr std::size_t few = std::size_t{1} << 20U;  // vectors: 16 MiB a stream
  constexpr std::size_t vector_bytes = 16;
  const std::size_t count = bytes / vector_bytes, unroll = count < few ? 1 : 4;
  const std::string name = "railyard_memory_" + std::string(to_string(kernel)) + "_" + std::to_string(unroll);
  const std::size_t tile = block_threads * unroll;
  launch(name.c_str(), blocks_of((count + tile - 1) / tile), stream, static_cast<Vector*>(a),
         static_cast<const Vector*>(b), static_cast<const Vector*>(c), static_cast<U64>(count),
         static_cast<Vector*>(sink));
}

void Kernels::empty(gpuStream stream) const { launch("railyard_empty", one_thread, stream); }

void Kernels::hold(const volatile int* flag, gpuStream stream) const {
  launch("railyard_hold", one_thread, stream, flag);
}

std::string Kernels::own_gemm_name(int n) {
#if defined(RAILYARD_GPU_HIP) && !defined(__HIP_PLATFORM_NVIDIA__)
  (void)n;
  return "own 128x128x32, MFMA 16x16x16";
#else
  return std::string(n % own_gemm_wide == 0 ? "own 128x256x64" : "own 128x128x64") + ", mma.sync 16x8x16";
#endif
}

void Kernels::own_gemm(const void* a, const void* b, void* c, int m, int n, int k, gpuStream stream) const {
#if defined(RAILYARD_GPU_HIP) && !defined(__HIP_PLATFORM_NVIDIA__)
  const int width = own_gemm_tile;
  const unsigned shared = 0;
#else
  const int width = n % own_gemm_wide == 0 ? own_gemm_wide : own_gemm_tile;
  const unsigned shared = static_cast<unsigned>((own_gemm_tile + width) * own_gemm_depth * own_gemm_stages) * 2;
#endif
  KernelSize size = blocks_of(static_cast<std::size_t>(m / own_gemm_tile) * static_cast<std::size_t>(n / width));
  size.shared_bytes = shared;
  launch(width == own_gemm_tile ? "railyard_own_gemm" : "railyard_own_gemm_wide", size, stream, bf16(a), bf16(b),
         static_cast<U16*>(c), m, n, k);
}

void Kernels::check_product(const ProductCheck& product, int entries, float* error, gpuStream stream) const {
  launch("railyard_check_product", blocks_of(static_cast<std::size_t>(entries)), stream, product, entries, error);
}

void Kernels::check_attention(const WorkRequest& work, const AttentionOperands& operands, int rows, float* error,
                              gpuStream stream) const {
  const AttentionHeads heads{bf16(operands.q),
                             bf16(operands.k),
                             bf16(operands.v),
                             bf16(operands.o),
                             bf16(operands.grad_o),
                             bf16(operands.grad_q),
                             bf16(operands.grad_k),
                             bf16(operands.grad_v),
                             static_cast<const float*>(operands.statistics),
                             static_cast<int>(work.sequence),
                             work.head_dim,
                             1 / std::sqrt(static_cast<float>(work.head_dim)),
                             work.causal != 0};
  launch("railyard_check_attention", blocks_of(static_cast<std::size_t>(rows)), stream, heads,
         static_cast<int>(work.batch * work.heads), static_cast<int>(work.backward), error);
}

void Kernels::fill_pattern(void* data, std::size_t count, int rank, gpuStream stream) const {
  launch("railyard_fill_pattern", blocks_of(4096), stream, static_cast<U16*>(data), static_cast<U64>(count), rank);
}

void Kernels::check_pattern(const void* data, std::size_t count, CollectiveKind kind, int ranks, int rank,
                            std::int64_t part, float* error, gpuStream stream) const {
  if (count == 0) return;
  constexpr std::size_t most_checked = std::size_t{1} << 24U;
  const std::size_t stride = std::max<std::size_t>(1, count / most_checked) | 1U;  // odd: no period of the pattern
  launch("railyard_check_pattern", blocks_of(2048), stream, bf16(data), static_cast<U64>(count),
         static_cast<U64>(stride), kind, ranks, rank, static_cast<I64>(part), error);
}

}  // namespace railyard::device::gpu
