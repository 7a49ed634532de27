// SPDX-License-Identifier: Apache-2.0
// How a model is spread over GPUs. Text form: "tp=8 sp=1 pp=8 vpp=2 mbs=1 gbs=2048 seq=2048 recompute=none zero=1
// precision=bf16".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "calibrate/profile/profile.h"
#include "sim/workload/model.h"

namespace railyard {

enum class Recompute { none, selective, full };
[[nodiscard]] std::string_view to_string(Recompute recompute);

struct Strategy {
  int tp = 1;
  bool sp = false;  // sequence parallelism of the tensor group
  int pp = 1, vpp = 1;
  int micro_batch = 1;  // sequences
  Sequences global_batch{0};
  int sequence = 0;  // tokens
  Recompute recompute = Recompute::none;
  int zero = 1;  // 0: replicated optimizer, 1: optimizer states sharded over the data-parallel group
  Precision precision = Precision::bf16;
  bool tp_overlap = false;      // tensor-parallel collectives hidden under GEMMs
  bool dp_overlap = true;       // gradient reduction and parameter gather hidden under the pipeline
  bool bf16_gradients = false;  // weight gradients accumulated and reduced in BF16 instead of FP32

  [[nodiscard]] int dp(int gpus) const { return gpus / (tp * pp); }
  [[nodiscard]] Bytes gradient_size() const { return (bf16_gradients ? 2.0 : 4.0) * byte; }
  /// Micro-batches one pipeline works through in a step.
  [[nodiscard]] std::int64_t micro_batches(int gpus) const {
    return global_batch.value / (static_cast<std::int64_t>(dp(gpus)) * micro_batch);
  }
  bool operator==(const Strategy&) const = default;
};

/// Reads the text form; an unknown or repeated key, or a value out of range, is an InputError with the nearest name.
[[nodiscard]] Strategy parse_strategy(std::string_view text);
/// The text form, every key in a fixed order.
[[nodiscard]] std::string to_text(const Strategy& strategy);

/// What does not divide or fit, one sentence each with the remedy; empty when the strategy is possible on these GPUs
/// (memory is judged elsewhere).
[[nodiscard]] std::vector<std::string> strategy_faults(const Strategy& strategy, const Model& model, int gpus,
                                                       int gpus_per_node);

}  // namespace railyard
