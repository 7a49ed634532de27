// SPDX-License-Identifier: Apache-2.0
// Pipeline schedules as data: for every stage, in which order it runs the forward and backward passes of which
// micro-batch through which of its model chunks. The engine runs any such list that has no cycle.
#pragma once

#include <cstdint>
#include <vector>

namespace railyard {

struct Slot {
  bool forward = true;
  std::int32_t micro_batch = 0;
  std::int32_t chunk = 0;  // of the stage; chunk c of stage s is part c * stages + s of the model
  bool operator==(const Slot&) const = default;
};
/// By stage.
using Schedule = std::vector<std::vector<Slot>>;

/// 1F1B: stage s runs stages - s - 1 forwards, then alternates (Narayanan et al., SC21, arXiv:2104.04473).
[[nodiscard]] Schedule one_forward_one_backward(int stages, std::int64_t micro_batches);

/// Interleaved 1F1B in Megatron-Core's order: groups of `stages` micro-batches through each chunk in turn, warm-up of
/// 2 (stages - s - 1) + (chunks - 1) stages forwards. `micro_batches` must be a multiple of `stages`.
[[nodiscard]] Schedule interleaved(int stages, int chunks, std::int64_t micro_batches);

}  // namespace railyard
