// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/model.h"

namespace railyard {
namespace {

// Parameters of a layer through which one token passes.
std::int64_t active_layer_parameters(const Model& model, LayerKind kind) {
  const std::int64_t all = model.layer_parameters(kind);
  if (kind == LayerKind::dense) return all;
  return all - (model.experts->count - model.experts->per_token) * model.expert_parameters();
}

double attention_flops(const Model& model, int layers, int sequence, double density) {
  return 6.0 * layers * model.heads * (model.query_dim() + model.value_dim()) * sequence * density;
}

}  // namespace

std::int64_t Model::attention_parameters() const {
  const std::int64_t width = hidden;
  const std::int64_t all_heads = heads;
  std::int64_t count = norm_parameters() + (qk_norm ? 2 * head_dim : 0);
  if (latent) {
    const std::int64_t queries = latent->query_rank;
    const std::int64_t keys = latent->key_value_rank;
    // Down with norms, up, out.
    count += width * (queries + keys + latent->position_dim) + queries + keys;
    count += all_heads * (queries * query_dim() + keys * (head_dim + value_dim()));
    return count + all_heads * value_dim() * width;
  }
  const std::int64_t qkv = (all_heads + std::int64_t{2} * kv_heads) * head_dim;
  return count + width * qkv + all_heads * head_dim * width + (biases ? qkv + width : 0);
}

std::int64_t Model::expert_parameters() const {
  if (!experts) return 0;
  return std::int64_t{gated_mlp ? 3 : 2} * hidden * experts->ffn_hidden;
}

std::int64_t Model::layer_parameters(LayerKind kind) const {
  const std::int64_t width = hidden;
  const std::int64_t ffn = ffn_hidden;
  const std::int64_t rest = attention_parameters() + norm_parameters();
  if (kind == LayerKind::dense) {
    return rest + (gated_mlp ? 3 : 2) * width * ffn + (biases ? ffn * (gated_mlp ? 2 : 1) + width : 0);
  }
  return rest + width * experts->count + (experts->count + experts->shared) * expert_parameters();
}

std::int64_t Model::active_parameters_without_embedding() const {
  const std::int64_t dense = dense_layers();
  return dense * active_layer_parameters(*this, LayerKind::dense) +
         (experts ? (layers - dense) * active_layer_parameters(*this, LayerKind::experts) : 0) + norm_parameters() +
         std::int64_t{vocab} * hidden;
}

std::int64_t Model::parameters() const {
  const std::int64_t width = hidden;
  const std::int64_t idle =
      experts ? std::int64_t{layers - dense_layers()} * (experts->count - experts->per_token) * expert_parameters() : 0;
  return active_parameters_without_embedding() + idle + positions * width + (tied_embeddings ? 0 : vocab * width);
}

double Model::density(int sequence) const {
  if (window == 0 || window >= sequence) return 0.5;
  const double w = window;
  const double s = sequence;
  return (w * (w + 1) / 2 + (s - w) * w) / (s * s);
}

Flops model_flops_per_token(const Model& model, int sequence, FlopConvention convention) {
  const double weights = 6.0 * static_cast<double>(model.active_parameters_without_embedding());
  switch (convention) {
    case FlopConvention::causal_halved:
      return (weights + attention_flops(model, model.layers, sequence, model.density(sequence))) * flop;
    case FlopConvention::full_attention:
      return (weights + attention_flops(model, model.layers, sequence, 1)) * flop;
    case FlopConvention::six_n:
      break;
  }
  return weights * flop;
}

Flops prediction_flops_per_token(const Model& model, int sequence) {
  const std::int64_t width = model.hidden;
  const std::int64_t each = active_layer_parameters(model, model.main_kind()) + 3 * model.norm_parameters() +
                            2 * width * width + model.vocab * width;
  return (6.0 * static_cast<double>(model.prediction_layers * each) +
          attention_flops(model, model.prediction_layers, sequence, model.density(sequence))) *
         flop;
}

}  // namespace railyard
