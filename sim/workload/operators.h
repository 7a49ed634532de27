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

enum class OperatorKind { gemm, attention_forward, attention_backward, memory, tensor_collective };

/// Under which GEMM a tensor-parallel collective is hidden, as in Transformer Engine (the methods of user buffers).
/// bulk: beside the next operator, which does not need its data; gather: beside the next one, which takes the data
/// shard by shard (ring exchange); scatter: beside the previous one, which makes the data part by part (pipeline).
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
  Flops flops;                            // attention: unmasked part
  Bytes traffic;                          // memory; gemm: what does not hide under its arithmetic (FP32 accumulation)
  Collective collective = Collective::all_gather;  // tensor_collective
  Bytes message;                                   // tensor_collective: the larger buffer
  Bytes saved;                                     // forward: kept for the backward pass of the micro-batch
  Overlap overlap = Overlap::none;                 // tensor_collective
};

using Operators = std::vector<Operator>;

/// One transformer layer.
[[nodiscard]] Operators layer_forward(const Model& model, const Strategy& strategy);
[[nodiscard]] Operators layer_backward(const Model& model, const Strategy& strategy);
/// What recomputation runs again before the backward pass of a layer; empty for Recompute::none.
[[nodiscard]] Operators layer_recompute(const Model& model, const Strategy& strategy);
[[nodiscard]] Operators embedding_forward(const Model& model, const Strategy& strategy);
[[nodiscard]] Operators embedding_backward(const Model& model, const Strategy& strategy);
/// Final norm, logits and loss.
[[nodiscard]] Operators head_forward(const Model& model, const Strategy& strategy);
[[nodiscard]] Operators head_backward(const Model& model, const Strategy& strategy);

/// Parameters of one layer that one GPU holds.
[[nodiscard]] std::int64_t layer_parameters(const Model& model, const Strategy& strategy);
/// Parameters held by one GPU of pipeline stage `stage` (all its model chunks), and by one chunk.
[[nodiscard]] std::int64_t stage_parameters(const Model& model, const Strategy& strategy, int stage);
[[nodiscard]] std::int64_t chunk_parameters(const Model& model, const Strategy& strategy, int stage, int chunk);
/// Optimizer step on one GPU: bytes read and written (Adam, mixed precision: 30 B a parameter with FP32 gradients, 28 B
/// with BF16 ones; sharded by ZeRO-1).
[[nodiscard]] Bytes optimizer_traffic(const Model& model, const Strategy& strategy, int stage, int dp);

/// Activations that one layer keeps for one micro-batch on one GPU, recomputation counted (Korthikanti et al.,
/// arXiv:2205.05198, for attention that keeps no score matrix and no dropout).
[[nodiscard]] Bytes layer_activations(const Model& model, const Strategy& strategy);
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
