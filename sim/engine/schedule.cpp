// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/schedule.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace railyard {
namespace {

// A warm-up of forwards, then pairs of one forward and one backward, then the backwards that are left.
template <class Forward, class Backward>
std::vector<Slot> alternate(std::int64_t count, std::int64_t warmup, Forward forward, Backward backward) {
  std::vector<Slot> slots;
  slots.reserve(static_cast<std::size_t>(2 * count));
  warmup = std::min(warmup, count);
  for (std::int64_t i = 0; i < warmup; ++i) slots.push_back(forward(i));
  for (std::int64_t i = warmup; i < count; ++i) {
    slots.push_back(forward(i));
    slots.push_back(backward(i - warmup));
  }
  for (std::int64_t i = count - warmup; i < count; ++i) slots.push_back(backward(i));
  return slots;
}

}  // namespace

Schedule one_forward_one_backward(int stages, std::int64_t micro_batches) {
  Schedule schedule;
  for (int stage = 0; stage < stages; ++stage) {
    schedule.push_back(alternate(
        micro_batches, stages - stage - 1,
        [](std::int64_t i) {
          return Slot{true, static_cast<std::int32_t>(i), 0};
        },
        [](std::int64_t i) {
          return Slot{false, static_cast<std::int32_t>(i), 0};
        }));
  }
  return schedule;
}

Schedule interleaved(int stages, int chunks, std::int64_t micro_batches) {
  assert(micro_batches % stages == 0);
  const auto slot = [=](bool forward, std::int64_t i) {
    const std::int64_t group = static_cast<std::int64_t>(stages) * chunks;
    const auto chunk = static_cast<std::int32_t>(i % group / stages);
    const auto micro_batch = static_cast<std::int32_t>(i / group * stages + i % stages);
    return Slot{forward, micro_batch, forward ? chunk : chunks - 1 - chunk};
  };
  Schedule schedule;
  for (int stage = 0; stage < stages; ++stage) {
    const std::int64_t warmup = std::int64_t{2} * (stages - stage - 1) + static_cast<std::int64_t>(chunks - 1) * stages;
    schedule.push_back(alternate(
        micro_batches * chunks, warmup, [=](std::int64_t i) { return slot(true, i); },
        [=](std::int64_t i) { return slot(false, i); }));
  }
  return schedule;
}

}  // namespace railyard
