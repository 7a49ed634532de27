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

}  // namespace

Bytes layer_activations(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  if (strategy.recompute == Recompute::full) return 2.0 * share.shard * share.hidden * byte;
  Bytes saved = saved_by(layer_forward(model, strategy));
  if (strategy.recompute == Recompute::selective) {
    // The core is run again from queries, keys and values; its output stays only where the projection reads it (BF16).
    saved -= 4.0 * share.tokens * share.attention_width / model.head_dim * byte;
    if (strategy.precision == Precision::fp8) saved -= 2.0 * share.tokens * share.attention_width * byte;
  }
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
  const double parameters = static_cast<double>(stage_parameters(model, strategy, stage));
  const int layers = model.layers / (strategy.pp * strategy.vpp);
  const bool last = stage == strategy.pp - 1;
  MemoryUse use;
  use.weights = 2.0 * parameters * byte;
  if (strategy.precision == Precision::fp8) {
    // Transformer Engine keeps an FP8 copy of each matrix and its transpose over the micro-batches of a step.
    const double matrices = static_cast<double>(model.layer_parameters()) / strategy.tp * layers * strategy.vpp;
    use.weights += 2.0 * matrices * byte;
  }
  use.gradients = parameters * strategy.gradient_size();
  // FP32 weight and two moments.
  use.optimizer = 12.0 * parameters / (strategy.zero == 0 ? 1 : strategy.dp(gpus)) * byte;
  use.activations =
      static_cast<double>(chunks_in_flight(strategy, gpus, stage) * layers) * layer_activations(model, strategy);
  if (strategy.recompute == Recompute::full) {
    Strategy plain = strategy;
    plain.recompute = Recompute::none;
    use.activations += layer_activations(model, plain);  // of the layer that is being run again
  }
  if (last) use.activations += saved_by(head_forward(model, strategy));
  // Gathered input and output gradient of a layer and the widest gradient of the MLP; logits in BF16 and FP32.
  use.workspace = share.tokens * (4.0 * share.hidden + 2.0 * share.ffn_in) * byte;
  if (last) use.workspace = std::max(use.workspace, 6.0 * share.tokens * share.vocab * byte);
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
