// SPDX-License-Identifier: Apache-2.0
// What kernels take, the same for the host that launches them and the device; includes nothing but names, see
// work_kinds.h.
#pragma once

#include "calibrate/device/work_kinds.h"

namespace railyard::device::gpu {

using U8 = unsigned char;
using U16 = unsigned short;
using U32 = unsigned int;
using U64 = unsigned long long;
using I64 = long long;

/// Threads of a block of every kernel here.
inline constexpr int block_threads = 256;

/// A kernel of the plug-in's own object. The table (code.cu) ends with one that has no name.
struct BuiltinKernel {
  const char* name;
  const void* function;
};

/// A product and what it gave, compared entry by entry.
struct ProductCheck {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  ElementType type = ElementType::bf16, output = ElementType::bf16;
  Layout layout = Layout::nt;
  I64 m = 0, n = 0, k = 0;
};

/// Attention's operands and results, BF16 [batch and heads][sequence][dim]; statistics FP32 [batch and
/// heads][sequence].
struct AttentionHeads {
  const U16 *q, *k, *v, *o, *grad_o, *grad_q, *grad_k, *grad_v;
  const float* statistics;
  int sequence, dim;
  float scale;
  bool causal;
};
inline constexpr int most_head_dim = 256;

/// The own product's tile of C; sizes are multiples of it.
inline constexpr int own_gemm_tile = 128;
/// Of the NVIDIA kernel: columns of a wide tile, depth of K held at a time, how many of these.
inline constexpr int own_gemm_wide = 256, own_gemm_depth = 64, own_gemm_stages = 3;

}  // namespace railyard::device::gpu
