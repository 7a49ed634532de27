// SPDX-License-Identifier: Apache-2.0
// The operators one GPU runs for one micro-batch of a layer, an embedding or a head, under a strategy: shapes, FLOP,
// bytes, collectives and the activations they keep. No times here; the engine asks the laws and the network.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "calibrate/profile/profile.h"
#include "sim/workload/model.h"
#include "sim/workload/strategy.h"

namespace railyard {

enum class OperatorKind { gemm, attention_forward, attention_backward, memory, collective };

/// Whose GPUs a collective joins.
enum class Group { tensor, context, expert };

/// Under which kernel a collective is hidden, as in Transformer Engine (the methods of user buffers). bulk: beside the
/// next operator, which does not need its data; gather: beside the next one, which takes the data shard by shard (ring
/// exchange); scatter: beside the previous one, which makes the data part by part (pipeline).
enum class Overlap { none, bulk, gather, scatter };
/// Parts into which `scatter` splits its GEMM (num_splits of MLPerf v3.1, NVIDIA gpt3
/// conf/tp_overlap/h100tp4pp8mbs1.yaml).
inline constexpr int scatter_splits = 4;

struct Operator {
  std::string_view name;  // of a literal, e.g. "qkv"
  OperatorKind kind = OperatorKind::memory;
  GemmShape gemm;                         // gemm
  Precision precision = Precision::bf16;  // gemm
  Bytes output_size = 2.0 * byte;         // gemm: of one element
  bool split_accumulator = false;         // gemm: FP8, backward; slower by the profile's backward_slowdown
  Flops flops;                            // attention: unmasked part
  std::int64_t keys = 0;                  // attention: that a query may see, which sets the rate
  Bytes traffic;                          // memory; gemm: what does not hide under its arithmetic (FP32 accumulation)
  Collective collective = Collective::all_gather;  // collective
  Group group = Group::tensor;                     // collective
  Bytes message;                                   // collective: the larger buffer
  Bytes crossing;  // all-to-all of experts by node: what goes to the GPUs of equal place on the other nodes, while
                   // `message` is passed on within the node
  Bytes saved;     // forward: kept for the backward pass of the micro-batch
  Overlap overlap = Overlap::none;  // collective
};

using Operators = std::vector<Operator>;

/// One transformer layer.
[[nodiscard]] Operators layer_forward(const Model& model, const Strategy& strategy, LayerKind kind);
[[nodiscard]] Operators layer_backward(const Model& model, const Strategy& strategy, LayerKind kind);
/// What recomputation runs again before the backward pass of a layer; empty for Recompute::none.
[[nodiscard]] Operators layer_recompute(const Model& model, const Strategy& strategy, LayerKind kind);
/// The same of the layers that most of the model is made of.
[[nodiscard]] inline Operators layer_forward(const Model& model, const Strategy& strategy) {
  return layer_forward(model, strategy, model.main_kind());
}
[[nodiscard]] inline Operators layer_backward(const Model& model, const Strategy& strategy) {
  return layer_backward(model, strategy, model.main_kind());
}
[[nodiscard]] inline Operators layer_recompute(const Model& model, const Strategy& strategy) {
  return layer_recompute(model, strategy, model.main_kind());
}
[[nodiscard]] Operators embedding_forward(const Model& model, const Strategy& strategy);
[[nodiscard]] Operators embedding_backward(const Model& model, const Strategy& strategy);
/// Final norm, logits and loss.
[[nodiscard]] Operators head_forward(const Model& model, const Strategy& strategy);
[[nodiscard]] Operators head_backward(const Model& model, const Strategy& strategy);

/// Parameters that one GPU holds: those shared by its replicas and those of experts (Strategy::replicas).
struct HeldParameters {
  std::int64_t shared = 0, experts = 0;
  [[nodiscard]] std::int64_t total() const { return shared + experts; }
  HeldParameters& operator+=(const HeldParameters& other);
  friend HeldParameters operator*(HeldParameters held, std::int64_t times);
  auto operator<=>(const HeldParameters&) const = default;
};
/// Of one layer.
[[nodiscard]] HeldParameters held_by_layer(const Model& model, const Strategy& strategy, LayerKind kind);
/// Of layers, embedding and head of one model chunk; of a pipeline stage, all its chunks.
[[nodiscard]] HeldParameters held_by_chunk(const Model& model, const Strategy& strategy, int stage, int chunk);
[[nodiscard]] HeldParameters held_by_stage(const Model& model, const Strategy& strategy, int stage);
/// Input embedding with positions; final norm and output matrix, unless that is the embedding's on the same stage.
[[nodiscard]] std::int64_t embedding_parameters(const Model& model, const Strategy& strategy);
[[nodiscard]] std::int64_t head_parameters(const Model& model, const Strategy& strategy);
/// Of `held`, what one GPU keeps of something sharded over its replicas.
[[nodiscard]] double sharded(const HeldParameters& held, const Strategy& strategy, int gpus);
/// Elements of the matrices of a layer that one GPU multiplies by, in the precision of the strategy.
[[nodiscard]] double layer_matrices(const Model& model, const Strategy& strategy, LayerKind kind);

/// Parameters of one layer of the main kind, and by stage and chunk, that one GPU holds.
[[nodiscard]] std::int64_t layer_parameters(const Model& model, const Strategy& strategy);
[[nodiscard]] std::int64_t stage_parameters(const Model& model, const Strategy& strategy, int stage);
[[nodiscard]] std::int64_t chunk_parameters(const Model& model, const Strategy& strategy, int stage, int chunk);
/// Optimizer step on one GPU: bytes read and written (Adam, mixed precision: 30 B a parameter with FP32 gradients, 28 B
/// with BF16 ones; FP16 removes the loss scale, reading and writing the gradients once more; sharded from ZeRO-1 on).
[[nodiscard]] Bytes optimizer_traffic(const Model& model, const Strategy& strategy, int stage, int gpus);

/// Activations that one layer keeps for one micro-batch on one GPU, recomputation counted (Korthikanti et al.,
/// arXiv:2205.05198).
[[nodiscard]] Bytes layer_activations(const Model& model, const Strategy& strategy, LayerKind kind);
[[nodiscard]] inline Bytes layer_activations(const Model& model, const Strategy& strategy) {
  return layer_activations(model, strategy, model.main_kind());
}
/// Micro-batches times chunks whose activations stage `stage` holds at its fullest moment (1F1B, interleaved 1F1B).
[[nodiscard]] std::int64_t chunks_in_flight(const Strategy& strategy, int gpus, int stage);

/// Bytes of one GPU by purpose.
struct MemoryUse {
  Bytes weights, gradients, optimizer, activations, workspace;
  [[nodiscard]] Bytes total() const { return weights + gradients + optimizer + activations + workspace; }
};
/// Use of the fullest moment on `stage`.
[[nodiscard]] MemoryUse memory_use(const Model& model, const Strategy& strategy, int gpus, int stage);
/// The stage that needs most.
[[nodiscard]] MemoryUse peak_memory(const Model& model, const Strategy& strategy, int gpus);

}  // namespace railyard
