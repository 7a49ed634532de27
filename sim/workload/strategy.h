// SPDX-License-Identifier: Apache-2.0
// How a model is spread over GPUs. Text form: "tp=8 sp=1 pp=8 vpp=2 mbs=1 gbs=2048 seq=2048 recompute=none zero=1
// precision=bf16". Ranks run tensor first, then context, then data, then pipeline (Megatron's tp-cp-ep-dp-pp); the
// experts of a layer lie on `ep` neighbouring ranks of those, each GPU holding whole experts.
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

/// flash: one kernel that keeps no scores; unfused: scores, softmax and context as kernels of their own.
enum class Attention { flash, unfused };

struct Strategy {
  int tp = 1;
  bool sp = false;  // sequence parallelism of the tensor group
  int pp = 1, vpp = 1;
  int cp = 1;        // context parallelism: ring attention
  int ep = 1;        // expert parallelism
  int ep_local = 1;  // GPUs of an expert group on one node when tokens cross the network once a node; 1: once an expert
  int micro_batch = 1;  // sequences
  Sequences global_batch{0};
  int sequence = 0;  // tokens
  Recompute recompute = Recompute::none;
  // What lies sharded over the data-parallel group: 0 nothing, 1 optimizer states, 2 gradients too, 3 parameters too
  // (FSDP).
  int zero = 1;
  Precision precision = Precision::bf16;
  Attention attention = Attention::flash;
  bool dropout = false;         // after attention, its projection and the MLP
  bool tp_overlap = false;      // tensor-parallel collectives hidden under GEMMs
  bool dp_overlap = true;       // gradient reduction and parameter gather hidden under the pipeline
  bool bf16_gradients = false;  // weight gradients accumulated and reduced in BF16 instead of FP32
  bool split_sends = false;     // pipeline sends cut over the tensor group and gathered (SC21, section 4.1)

  [[nodiscard]] int dp(int gpus) const { return gpus / (tp * cp * pp); }
  /// GPUs that share the gradients of a parameter: of all but the experts, and of an expert.
  [[nodiscard]] int replicas(int gpus) const { return gpus / (tp * pp); }
  [[nodiscard]] int expert_replicas(int gpus) const { return gpus / (pp * ep); }
  [[nodiscard]] bool shards_gradients() const { return zero >= 2; }
  [[nodiscard]] Bytes gradient_size() const { return (bf16_gradients ? 2.0 : 4.0) * byte; }
  /// Micro-batches one pipeline works through in a step.
  [[nodiscard]] std::int64_t micro_batches(int gpus) const {
    return global_batch.value / (static_cast<std::int64_t>(dp(gpus)) * micro_batch);
  }
  bool operator==(const Strategy&) const = default;
};

/// Layers of one model chunk by kind, dense ones first.
struct ChunkLayers {
  int dense = 0, experts = 0;
  [[nodiscard]] int total() const { return dense + experts; }
  auto operator<=>(const ChunkLayers&) const = default;
};
/// Whether the layers can be spread over the model chunks: equally, or with the embedding taking the place of one and
/// the output of one or two (as for Llama 3 405B, arXiv:2407.21783, 3.3.2, and DeepSeek-V3 in Megatron).
[[nodiscard]] bool layers_divide(const Model& model, const Strategy& strategy);
/// Layers of chunk `chunk` of stage `stage`. The strategy must be free of faults.
[[nodiscard]] ChunkLayers chunk_layers(const Model& model, const Strategy& strategy, int stage, int chunk);

/// Reads the text form; an unknown or repeated key, or a value out of range, is an InputError with the nearest name.
[[nodiscard]] Strategy parse_strategy(std::string_view text);
/// The text form in a fixed order: the keys every strategy shows, and of cp, ep, ep_local, attention, dropout and
/// split_sends those that differ from their defaults.
[[nodiscard]] std::string to_text(const Strategy& strategy);

/// What does not divide or fit, one sentence each with the remedy; empty when the strategy is possible on these GPUs
/// (memory is judged elsewhere).
[[nodiscard]] std::vector<std::string> strategy_faults(const Strategy& strategy, const Model& model, int gpus,
                                                       int gpus_per_node);

}  // namespace railyard
