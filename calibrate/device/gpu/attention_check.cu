// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/attention_check.h"

#include <cstdint>

#include "calibrate/device/gpu/element.h"

namespace railyard::device::gpu {
namespace {

constexpr int threads = 256;  // also the positions that are held at a time
constexpr int most_dim = 256;

/// One head's part of every operand, and where the checked row lies.
struct Head {
  const std::uint16_t *q, *k, *v, *o, *grad_o, *grad_q, *grad_k, *grad_v;
  const float* statistics;
  int sequence, dim;
  float scale;
  bool causal;
};

__device__ float dot(const std::uint16_t* a, const std::uint16_t* b, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += from_bf16(a[i]) * from_bf16(b[i]);
  return sum;
}

__device__ const std::uint16_t* line(const std::uint16_t* head, const Head& of, int position) {
  return head + static_cast<std::size_t>(position) * of.dim;
}

/// Softmax weight of key j for query i.
__device__ float weight(const Head& head, int i, int j) {
  if (head.causal && j > i) return 0;
  return expf(head.scale * dot(line(head.q, head, i), line(head.k, head, j), head.dim) - head.statistics[i]);
}

/// A factor of a sum, and its size before the parts that cancel are subtracted.
struct Factor {
  float value, size;
};

/// Gradient of the score of query i and key j.
__device__ Factor score_gradient(const Head& head, int i, int j, float p) {
  const std::uint16_t* const grad = line(head.grad_o, head, i);
  const float part = dot(grad, line(head.v, head, j), head.dim);
  const float all = dot(grad, line(head.o, head, i), head.dim);
  return {p * (part - all) * head.scale, p * (fabsf(part) + fabsf(all)) * head.scale};
}

/// Largest |found - sum| over the largest size of the row goes to *error. The size of a sum is its own or, where its
/// parts cancel, the root of their squares.
__device__ void compare(const float* sums, const float* squares, const std::uint16_t* found, int dim, float* error) {
  if (threadIdx.x != 0) return;
  float size = 0, off = 0;
  for (int c = 0; c < dim; ++c) {
    size = fmaxf(size, fmaxf(fabsf(sums[c]), sqrtf(squares[c])));
    off = fmaxf(off, fabsf(sums[c] - from_bf16(found[c])));
  }
  const float relative = off / size;
  atomicMax(reinterpret_cast<int*>(error), __float_as_int(relative >= 0 ? relative : 1e30F));
}

enum class Part { output, grad_q, grad_k, grad_v };

/// Row `at` of one result: a sum over all positions of a factor times a line of an operand.
__device__ void check_row(const Head& head, Part part, int at, float* error) {
  __shared__ Factor factors[threads];
  __shared__ float sums[most_dim], all_squares[most_dim], weights[threads];
  const int c = static_cast<int>(threadIdx.x);
  float sum = 0, squares = 0, all = 0;
  const bool by_query = part == Part::output || part == Part::grad_q;
  for (int first = 0; first < head.sequence; first += threads) {
    const int other = first + c;
    Factor factor{0, 0};
    float p = 0;
    if (other < head.sequence) {
      const int i = by_query ? at : other, j = by_query ? other : at;
      p = weight(head, i, j);
      const bool plain = part == Part::output || part == Part::grad_v;
      factor = plain || p == 0 ? Factor{p, p} : score_gradient(head, i, j, p);
    }
    factors[c] = factor;
    weights[c] = p;
    __syncthreads();
    const std::uint16_t* const operand = part == Part::output   ? head.v
                                         : part == Part::grad_q ? head.k
                                         : part == Part::grad_k ? head.q
                                                                : head.grad_o;
    const int held = min(threads, head.sequence - first);
    for (int n = 0; n < held && c < head.dim; ++n) {
      const float value = from_bf16(line(operand, head, first + n)[c]);
      sum += factors[n].value * value;
      squares += factors[n].size * factors[n].size * value * value;
    }
    if (c == 0 && by_query) {
      for (int n = 0; n < held; ++n) all += weights[n];
    }
    __syncthreads();
  }
  if (c < head.dim) {
    sums[c] = sum;
    all_squares[c] = squares;
  }
  __syncthreads();
  const std::uint16_t* const result = part == Part::output   ? head.o
                                      : part == Part::grad_q ? head.grad_q
                                      : part == Part::grad_k ? head.grad_k
                                                             : head.grad_v;
  compare(sums, all_squares, line(result, head, at), head.dim, error);
  if (c == 0 && by_query) {
    const float off = fabsf(all - 1);
    atomicMax(reinterpret_cast<int*>(error), __float_as_int(off >= 0 ? off : 1e30F));
  }
  __syncthreads();
}

__global__ void check_kernel(Head all, int heads, int backward, float* error) {
  // A large odd stride spreads the rows over heads and sequence; the first block takes the very first row.
  const std::uint64_t index = blockIdx.x * 2654435761ULL;
  const std::size_t head = index % static_cast<std::uint64_t>(heads);
  const int at = static_cast<int>(index / static_cast<std::uint64_t>(heads) % static_cast<std::uint64_t>(all.sequence));
  const std::size_t skip = head * static_cast<std::size_t>(all.sequence) * all.dim;
  Head one = all;
  for (const std::uint16_t** each :
       {&one.q, &one.k, &one.v, &one.o, &one.grad_o, &one.grad_q, &one.grad_k, &one.grad_v}) {
    *each += skip;
  }
  one.statistics += head * static_cast<std::size_t>(all.sequence);
  if (backward == 0) {
    check_row(one, Part::output, at, error);
    return;
  }
  check_row(one, Part::grad_q, at, error);
  check_row(one, Part::grad_k, at, error);
  check_row(one, Part::grad_v, at, error);
}

}  // namespace

void launch_attention_check(const WorkRequest& work, const AttentionOperands& operands, int rows, float* error,
                            gpuStream stream) {
  const auto bf16 = [](const void* data) { return static_cast<const std::uint16_t*>(data); };
  const Head head{bf16(operands.q),
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
                  1 / sqrtf(static_cast<float>(work.head_dim)),
                  work.causal != 0};
  const int heads = static_cast<int>(work.batch * work.heads);
  check_kernel<<<static_cast<unsigned>(rows), threads, 0, stream>>>(head, heads, work.backward, error);
}

}  // namespace railyard::device::gpu
