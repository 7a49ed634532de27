// SPDX-License-Identifier: Apache-2.0
#include <cassert>

#include "sim/workload/operators.h"

namespace railyard {
namespace {

// Of a layer, what every tensor rank holds whole: norms, biases of row-parallel layers, routers, and the matrices that
// lead down into latent attention.
std::int64_t whole_parameters(const Model& model, LayerKind kind) {
  const std::int64_t width = model.hidden;
  std::int64_t count = 2 * model.norm_parameters() + (model.biases ? 2 * width : 0);
  if (model.qk_norm) count += std::int64_t{2} * model.head_dim;
  if (kind == LayerKind::experts) count += width * model.experts->count;
  if (model.latent) {
    const std::int64_t ranks = std::int64_t{model.latent->query_rank} + model.latent->key_value_rank;
    count += width * (ranks + model.latent->position_dim) + ranks;
  }
  return count;
}

}  // namespace

HeldParameters& HeldParameters::operator+=(const HeldParameters& other) {
  shared += other.shared;
  experts += other.experts;
  return *this;
}

HeldParameters operator*(HeldParameters held, std::int64_t times) {
  held.shared *= times;
  held.experts *= times;
  return held;
}

HeldParameters held_by_layer(const Model& model, const Strategy& strategy, LayerKind kind) {
  const std::int64_t routed = kind == LayerKind::experts ? model.experts->count * model.expert_parameters() : 0;
  const std::int64_t whole = whole_parameters(model, kind);
  return {(model.layer_parameters(kind) - routed - whole) / strategy.tp + whole, routed / strategy.ep};
}

double layer_matrices(const Model& model, const Strategy& strategy, LayerKind kind) {
  return static_cast<double>(held_by_layer(model, strategy, kind).total() - 2 * model.norm_parameters());
}

std::int64_t embedding_parameters(const Model& model, const Strategy& strategy) {
  return (static_cast<std::int64_t>(model.vocab) / strategy.tp + model.positions) * model.hidden;
}

std::int64_t head_parameters(const Model& model, const Strategy& strategy) {
  // A tied output matrix is a second copy when it lies on another stage.
  const bool shared = model.tied_embeddings && strategy.pp == 1;
  return model.norm_parameters() + (shared ? 0 : static_cast<std::int64_t>(model.vocab) / strategy.tp * model.hidden);
}

HeldParameters held_by_chunk(const Model& model, const Strategy& strategy, int stage, int chunk) {
  assert(stage >= 0 && stage < strategy.pp && chunk >= 0 && chunk < strategy.vpp);
  const ChunkLayers layers = chunk_layers(model, strategy, stage, chunk);
  HeldParameters held;
  if (layers.dense > 0) held += held_by_layer(model, strategy, LayerKind::dense) * layers.dense;
  if (layers.experts > 0) held += held_by_layer(model, strategy, LayerKind::experts) * layers.experts;
  if (stage == 0 && chunk == 0) held.shared += embedding_parameters(model, strategy);
  if (stage == strategy.pp - 1 && chunk == strategy.vpp - 1) held.shared += head_parameters(model, strategy);
  return held;
}

HeldParameters held_by_stage(const Model& model, const Strategy& strategy, int stage) {
  HeldParameters held;
  for (int chunk = 0; chunk < strategy.vpp; ++chunk) held += held_by_chunk(model, strategy, stage, chunk);
  return held;
}

double sharded(const HeldParameters& held, const Strategy& strategy, int gpus) {
  return static_cast<double>(held.shared) / strategy.replicas(gpus) +
         static_cast<double>(held.experts) / strategy.expert_replicas(gpus);
}

std::int64_t layer_parameters(const Model& model, const Strategy& strategy) {
  return held_by_layer(model, strategy, model.main_kind()).total();
}

std::int64_t chunk_parameters(const Model& model, const Strategy& strategy, int stage, int chunk) {
  return held_by_chunk(model, strategy, stage, chunk).total();
}

std::int64_t stage_parameters(const Model& model, const Strategy& strategy, int stage) {
  return held_by_stage(model, strategy, stage).total();
}

Bytes optimizer_traffic(const Model& model, const Strategy& strategy, int stage, int gpus) {
  // Reads FP32 weight, both moments and the gradient, writes the first three, writes the 16-bit weight.
  Bytes each = (12.0 + 12.0 + 2.0) * byte + strategy.gradient_size();
  if (strategy.precision == Precision::fp16) each += 2 * strategy.gradient_size();
  const HeldParameters held = held_by_stage(model, strategy, stage);
  return each * (strategy.zero == 0 ? static_cast<double>(held.total()) : sharded(held, strategy, gpus));
}

}  // namespace railyard
