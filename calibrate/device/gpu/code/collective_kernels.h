// SPDX-License-Identifier: Apache-2.0
// Fills what a rank sends with a pattern, and compares what it got; the same for copies between devices.
#pragma once

#include "calibrate/device/collective_pattern.h"
#include "calibrate/device/gpu/code/element.h"

namespace railyard::device::gpu {

RAILYARD_KERNEL railyard_fill_pattern(U16* data, U64 count, int rank) {
  const U64 step = static_cast<U64>(gridDim.x) * blockDim.x;
  for (U64 i = static_cast<U64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = to_bf16(static_cast<float>(pattern(rank, static_cast<I64>(i))));
  }
}

/// Every `stride`-th of `count` elements, and the last; the largest difference goes to *error.
RAILYARD_KERNEL railyard_check_pattern(const U16* data, U64 count, U64 stride, CollectiveKind kind, int ranks, int rank,
                                       I64 part, float* error) {
  const U64 step = static_cast<U64>(gridDim.x) * blockDim.x * stride;
  float worst = 0;
  for (U64 i = (static_cast<U64>(blockIdx.x) * blockDim.x + threadIdx.x) * stride; i < count + stride - 1; i += step) {
    const U64 at = i < count ? i : count - 1;
    const int expected = expected_element(kind, ranks, rank, part, static_cast<I64>(at));
    const float off = fabsf(from_bf16(data[at]) - static_cast<float>(expected));
    if (worst == worst && !(off <= worst)) worst = off;  // not a number stays the worst
  }
  if (!(worst <= 0)) note_error(error, worst);
}

}  // namespace railyard::device::gpu
