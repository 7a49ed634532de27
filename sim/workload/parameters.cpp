// SPDX-License-Identifier: Apache-2.0
#include <cassert>

#include "sim/workload/operators.h"

namespace railyard {
namespace {

std::int64_t norm_parameters(const Model& model) {
  return static_cast<std::int64_t>(model.hidden) * (model.biases ? 2 : 1);
}

}  // namespace

// Matrices and the biases of column-parallel layers are split, norms and the other biases are not.
std::int64_t layer_parameters(const Model& model, const Strategy& strategy) {
  const std::int64_t whole =
      2 * norm_parameters(model) + (model.biases ? 2 * static_cast<std::int64_t>(model.hidden) : 0);
  return (model.layer_parameters() - whole) / strategy.tp + whole;
}

std::int64_t chunk_parameters(const Model& model, const Strategy& strategy, int stage, int chunk) {
  assert(stage >= 0 && stage < strategy.pp && chunk >= 0 && chunk < strategy.vpp);
  const std::int64_t table = static_cast<std::int64_t>(model.vocab) * model.hidden / strategy.tp;
  const bool first = stage == 0 && chunk == 0;
  const bool last = stage == strategy.pp - 1 && chunk == strategy.vpp - 1;
  std::int64_t count = model.layers / (strategy.pp * strategy.vpp) * layer_parameters(model, strategy);
  if (first) count += table + static_cast<std::int64_t>(model.positions) * model.hidden;
  // A tied output matrix is a second copy when it lies on another stage.
  if (last) count += norm_parameters(model) + (model.tied_embeddings && strategy.pp == 1 ? 0 : table);
  return count;
}

std::int64_t stage_parameters(const Model& model, const Strategy& strategy, int stage) {
  std::int64_t count = 0;
  for (int chunk = 0; chunk < strategy.vpp; ++chunk) count += chunk_parameters(model, strategy, stage, chunk);
  return count;
}

Bytes optimizer_traffic(const Model& model, const Strategy& strategy, int stage, int dp) {
  // Reads FP32 weight, both moments and the gradient, writes the first three, writes the BF16 weight.
  const Bytes each = (12.0 + 12.0 + 2.0) * byte + strategy.gradient_size();
  const double parameters = static_cast<double>(stage_parameters(model, strategy, stage));
  return each * (strategy.zero == 0 ? parameters : parameters / dp);
}

}  // namespace railyard
