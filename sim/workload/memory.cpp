// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/workload/operator_list.h"

namespace railyard {
namespace {

Bytes saved_by(const Operators& operators) {
  Bytes sum;
  for (const Operator& op : operators) sum += op.saved;
  return sum;
}

// What the layers of the chunk that keeps most keep for one micro-batch.
Bytes chunk_activations(const Model& model, const Strategy& strategy, int stage) {
  const Bytes dense = model.dense_layers() > 0 ? layer_activations(model, strategy, LayerKind::dense) : Bytes();
  const Bytes experts = model.experts ? layer_activations(model, strategy, LayerKind::experts) : Bytes();
  Bytes most;
  for (int chunk = 0; chunk < strategy.vpp; ++chunk) {
    const ChunkLayers layers = chunk_layers(model, strategy, stage, chunk);
    most = std::max(most, layers.dense * dense + layers.experts * experts);
  }
  return most;
}

// 16-bit weights, and FP8 copies of the matrices with their transposes, which Transformer Engine keeps over the
// micro-batches of a step.
Bytes weights(const Model& model, const Strategy& strategy, int stage) {
  const bool fp8 = strategy.precision == Precision::fp8;
  const auto layer = [&](LayerKind kind) {
    return 2.0 * static_cast<double>(held_by_layer(model, strategy, kind).total()) +
           (fp8 ? 2.0 * layer_matrices(model, strategy, kind) : 0);
  };
  if (strategy.zero == 3) {
    // Two layers, the one at work and the next, and what lies outside the layers.
    const auto edge = static_cast<double>(embedding_parameters(model, strategy) + head_parameters(model, strategy));
    return (2.0 * edge + 2.0 * layer(model.main_kind())) * byte;
  }
  double sum = 2.0 * static_cast<double>(held_by_stage(model, strategy, stage).total());
  for (int chunk = 0; fp8 && chunk < strategy.vpp; ++chunk) {
    const ChunkLayers layers = chunk_layers(model, strategy, stage, chunk);
    if (layers.dense > 0) sum += 2.0 * layers.dense * layer_matrices(model, strategy, LayerKind::dense);
    if (layers.experts > 0) sum += 2.0 * layers.experts * layer_matrices(model, strategy, LayerKind::experts);
  }
  return sum * byte;
}

Bytes gradients(const Model& model, const Strategy& strategy, int gpus, int stage) {
  const HeldParameters held = held_by_stage(model, strategy, stage);
  if (!strategy.shards_gradients()) return static_cast<double>(held.total()) * strategy.gradient_size();
  // The shard, and two layers whole: one being made in 16 bits, one being reduced.
  const auto layer = static_cast<double>(layer_parameters(model, strategy));
  return sharded(held, strategy, gpus) * strategy.gradient_size() + layer * (2.0 * byte + strategy.gradient_size());
}

}  // namespace

Bytes layer_activations(const Model& model, const Strategy& strategy, LayerKind kind) {
  const Share share(model, strategy);
  if (strategy.recompute == Recompute::full) return 2.0 * share.shard * share.hidden * byte;
  Bytes saved = saved_by(layer_forward(model, strategy, kind));
  if (strategy.recompute == Recompute::selective) saved -= attention_core_saved(strategy, share) * byte;
  return saved;
}

std::int64_t chunks_in_flight(const Strategy& strategy, int gpus, int stage) {
  const std::int64_t micro_batches = strategy.micro_batches(gpus);
  if (strategy.vpp == 1) return std::min<std::int64_t>(micro_batches, strategy.pp - stage);
  // Megatron's warm-up, and the one forward that precedes each backward.
  const std::int64_t warmup =
      std::int64_t{2} * (strategy.pp - stage - 1) + static_cast<std::int64_t>(strategy.vpp - 1) * strategy.pp;
  return std::min(micro_batches * strategy.vpp, warmup + 1);
}

MemoryUse memory_use(const Model& model, const Strategy& strategy, int gpus, int stage) {
  const Share share(model, strategy);
  const HeldParameters held = held_by_stage(model, strategy, stage);
  const bool last = stage == strategy.pp - 1;
  MemoryUse use;
  use.weights = weights(model, strategy, stage);
  use.gradients = gradients(model, strategy, gpus, stage);
  // FP32 weight and two moments.
  use.optimizer =
      12.0 * (strategy.zero == 0 ? static_cast<double>(held.total()) : sharded(held, strategy, gpus)) * byte;
  use.activations =
      static_cast<double>(chunks_in_flight(strategy, gpus, stage)) * chunk_activations(model, strategy, stage);
  if (strategy.recompute == Recompute::full) {
    Strategy plain = strategy;
    plain.recompute = Recompute::none;
    use.activations += layer_activations(model, plain);  // of the layer that is being run again
  }
  if (last) use.activations += saved_by(head_forward(model, strategy));
  // Gathered input and output gradient of a layer and the widest gradient of the MLP; logits in 16 bits and FP32.
  double widest = 0;
  if (model.dense_layers() > 0) widest = share.tokens * (4.0 * share.hidden + 2.0 * share.ffn_in);
  if (model.experts) {
    const ExpertShare experts(model, strategy, share);
    widest = std::max(widest, experts.routed * (4.0 * share.hidden + 2.0 * experts.ffn_in));
  }
  if (last) widest = std::max(widest, 6.0 * share.tokens * share.vocab);
  use.workspace = widest * byte;
  return use;
}

MemoryUse peak_memory(const Model& model, const Strategy& strategy, int gpus) {
  MemoryUse most;
  for (int stage = 0; stage < strategy.pp; ++stage) {
    const MemoryUse use = memory_use(model, strategy, gpus, stage);
    if (use.total() > most.total()) most = use;
  }
  return most;
}

}  // namespace railyard
