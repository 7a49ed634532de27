// SPDX-License-Identifier: Apache-2.0
// What every rank sends when a collective is checked, and what it must then hold: small integers, whose sums BF16 holds
// exactly up to 128 ranks. Shared by the host and by device code, so it includes nothing.
#pragma once

#include "calibrate/device/work_kinds.h"

#if defined(__CUDACC__) || defined(__HIP__) || defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#define RAILYARD_BOTH_SIDES __host__ __device__
#else
#define RAILYARD_BOTH_SIDES
#endif

namespace railyard::device {

/// Element `index` that `rank` sends: -2 to 2, different along the buffer and from rank to rank.
RAILYARD_BOTH_SIDES inline int pattern(int rank, long long index) {
  return static_cast<int>((index * 7 + index / 11 + rank * 3LL) % 5) - 2;
}

/// Element `index` of what `rank` of `ranks` holds afterwards; `part` elements are a rank's share of the buffer, and of
/// a reduce-scatter's result only the first `part` count.
RAILYARD_BOTH_SIDES inline int expected_element(CollectiveKind kind, int ranks, int rank, long long part,
                                                long long index) {
  int sum = 0;
  switch (kind) {
    case CollectiveKind::all_reduce:
      for (int each = 0; each < ranks; ++each) sum += pattern(each, index);
      return sum;
    case CollectiveKind::reduce_scatter:
      for (int each = 0; each < ranks; ++each) sum += pattern(each, rank * part + index);
      return sum;
    case CollectiveKind::all_gather:
      return pattern(static_cast<int>(index / part), index % part);
    case CollectiveKind::all_to_all:
      return pattern(static_cast<int>(index / part), rank * part + index % part);
    case CollectiveKind::broadcast:
      break;
  }
  return pattern(0, index);
}

/// Elements of the result that the collective writes, of `whole` in the larger buffer.
RAILYARD_BOTH_SIDES inline long long written_elements(CollectiveKind kind, int ranks, long long whole) {
  return kind == CollectiveKind::reduce_scatter                                    ? whole / ranks
         : kind == CollectiveKind::all_reduce || kind == CollectiveKind::broadcast ? whole
                                                                                   : whole / ranks * ranks;
}

/// Largest |found - expected| that rounding to BF16 excuses: none while sums of up to 2 x ranks are whole numbers
/// there.
RAILYARD_BOTH_SIDES inline double allowed_pattern_error(CollectiveKind kind, int ranks) {
  const bool sums = kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
  return sums && ranks > 128 ? 2.0 * ranks / 128.0 : 0.0;
}

}  // namespace railyard::device
