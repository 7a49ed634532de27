// SPDX-License-Identifier: Apache-2.0
// Checks attention against sums of our own, row by row; a block a row.
#pragma once

#include "calibrate/device/gpu/code/element.h"

namespace railyard::device::gpu {
namespace {

__device__ float dot(const U16* a, const U16* b, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += from_bf16(a[i]) * from_bf16(b[i]);
  return sum;
}

__device__ const U16* line(const U16* head, const AttentionHeads& of, int position) {
  return head + static_cast<U64>(position) * of.dim;
}

/// Softmax weight of key j for query i.
__device__ float weight(const AttentionHeads& head, int i, int j) {
  if (head.causal && j > i) return 0;
  return expf(head.scale * dot(line(head.q, head, i), line(head.k, head, j), head.dim) - head.statistics[i]);
}

/// A factor of a sum, and its size before the parts that cancel are subtracted.
struct Factor {
  float value, size;
};

/// Gradient of the score of query i and key j.
__device__ Factor score_gradient(const AttentionHeads& head, int i, int j, float p) {
  const U16* const grad = line(head.grad_o, head, i);
  const float part = dot(grad, line(head.v, head, j), head.dim);
  const float all = dot(grad, line(head.o, head, i), head.dim);
  return {p * (part - all) * head.scale, p * (fabsf(part) + fabsf(all)) * head.scale};
}

/// Largest |found - sum| over the largest size of the row goes to *error. The size of a sum is its own or, where its
/// parts cancel, the root of their squares.
__device__ void compare(const float* sums, const float* squares, const U16* found, int dim, float* error) {
  if (threadIdx.x != 0) return;
  float size = 0, off = 0;
  for (int c = 0; c < dim; ++c) {
    size = fmaxf(size, fmaxf(fabsf(sums[c]), sqrtf(squares[c])));
    off = fmaxf(off, fabsf(sums[c] - from_bf16(found[c])));
  }
  note_error(error, off / size);
}

enum class Part { output, grad_q, grad_k, grad_v };

/// Row `at` of one result: a sum over all positions of a factor times a line of an operand.
__device__ void check_row(const AttentionHeads& head, Part part, int at, float* error) {
  __shared__ Factor factors[block_threads];
  __shared__ float sums[most_head_dim], all_squares[most_head_dim], weights[block_threads];
  const int c = static_cast<int>(threadIdx.x);
  float sum = 0, squares = 0, all = 0;
  const bool by_query = part == Part::output || part == Part::grad_q;
  for (int first = 0; first < head.sequence; first += block_threads) {
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
    const U16* const operand = part == Part::output   ? head.v
                               : part == Part::grad_q ? head.k
                               : part == Part::grad_k ? head.q
                                                      : head.grad_o;
    const int held = min(block_threads, head.sequence - first);
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
  const U16* const result = part == Part::output   ? head.o
                            : part == Part::grad_q ? head.grad_q
                            : part == Part::grad_k ? head.grad_k
                                                   : head.grad_v;
  compare(sums, all_squares, line(result, head, at), head.dim, error);
  if (c == 0 && by_query) {
    note_error(error, fabsf(all - 1));
  }
  __syncthreads();
}

}  // namespace

RAILYARD_KERNEL railyard_check_attention(AttentionHeads all, int heads, int backward, float* error) {
  // A large odd stride spreads the rows over heads and sequence; the first block takes the very first row.
  const U64 index = blockIdx.x * 2654435761ULL;
  const U64 head = index % static_cast<U64>(heads);
  const int at = static_cast<int>(index / static_cast<U64>(heads) % static_cast<U64>(all.sequence));
  const U64 skip = head * static_cast<U64>(all.sequence) * all.dim;
  AttentionHeads one = all;
  const U16** const lines[] = {&one.q, &one.k, &one.v, &one.o, &one.grad_o, &one.grad_q, &one.grad_k, &one.grad_v};
  for (const U16** const each : lines) *each += skip;
  one.statistics += head * static_cast<U64>(all.sequence);
  if (backward == 0) {
    check_row(one, Part::output, at, error);
    return;
  }
  check_row(one, Part::grad_q, at, error);
  check_row(one, Part::grad_k, at, error);
  check_row(one, Part::grad_v, at, error);
}

}  // namespace railyard::device::gpu
