// SPDX-License-Identifier: Apache-2.0
// How long a matrix product takes on one GPU (DESIGN 5.6): the best of a table of tile shapes, each wave-quantised and
// slowed by the operands it must fetch on chip, against the memory bound. Plain numbers inside, for fits and for
// search.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace railyard {

/// Size of a product C[m,n] = A[m,k] B[k,n], `batch` of them in one kernel. A size below one is no work.
struct GemmShape {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;
};

/// Parameters of the law for one GPU and precision, at one end of their ranges.
struct GemmLaw {
  double flop_per_s = 0;          // of a product of many whole waves of the largest tile and endless k
  double memory_bytes_per_s = 0;  // between the GPU and its memory
  double compute_units = 1;       // SMs or CUs, each holding one tile
  double k_overhead = 0;          // prologue and epilogue of a tile, as extra K elements
  double wave_sharing = 0;        // 0: a last partial wave costs a whole wave, 1: it costs its share (stream-K)
  double tile_edge = 0;           // elements: a tile a x b runs at ab / (ab + tile_edge (a + b)) of its unit's speed
  double cache_bytes = 0;         // last level, shared by all dies; 0: operands are never fetched from memory twice
  double dies = 1;                // compute dies with a second level each, between which the units are split
  double refetch_s_per_byte = 0;  // of operands fetched from memory again, as far as arithmetic does not hide it
  double start_s = 0;             // seconds before the first and after the last tile runs at speed, each kernel
};

/// Time of the product, both operands of `operand_size` bytes an element, the result of `output_size`; with the start
/// of the kernel, without the gap before it. More of m, n, k or batch is never faster; more speed or bandwidth is never
/// slower.
[[nodiscard]] Seconds gemm_time(const GemmLaw& law, const GemmShape& shape, Bytes operand_size, Bytes output_size);

}  // namespace railyard
