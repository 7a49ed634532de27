// SPDX-License-Identifier: Apache-2.0
// The feed-forward half of a layer: one MLP, or experts as in Megatron-Core's MoELayer with its all-to-all dispatcher
// and grouped GEMMs: tokens are copied for their experts, exchanged in 16 bits, sorted by expert, and come back the
// same way. The router is taken to spread tokens evenly.
#include "sim/workload/operator_list.h"

namespace railyard {
namespace {

double activation_traffic(const Strategy& strategy, const Share& share, double in, double out) {
  // FP8 writes the values and their transpose, and keeps the transpose.
  return 2 * in + (strategy.precision == Precision::fp8 ? 2 * share.operand : 2) * out;
}

void linear_pair_forward(OperatorList& list, const Strategy& strategy, const Share& share, double in, double out) {
  const double whole = share.tokens * share.hidden;
  list.gather("gather mlp input", share.operand * whole, Overlap::gather);
  list.gemm("fc1", share.tokens, in, share.hidden, strategy.precision);
  list.memory("activation", share.tokens * activation_traffic(strategy, share, in, out),
              share.tokens * (2 * in + share.operand * out));
  list.gemm("fc2", share.tokens, share.hidden, out, strategy.precision);
  list.reduce("reduce fc2", 2 * whole, Overlap::scatter);
}

void linear_pair_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                          double in, double out) {
  row_linear_backward(list, model, strategy, share, {"gather fc2 gradient", "fc2 dgrad", "fc2 wgrad"}, out);
  // FP8 writes values and transpose at one byte each, as many bytes as BF16 writes once.
  list.memory("activation backward", share.tokens * (2 * in + 2 * out + 2 * in));
  column_linear_backward(list, model, strategy, share,
                         {"gather mlp input again", "fc1 dgrad", "reduce fc1 dgrad", "fc1 wgrad"}, in);
}

// To the experts' GPUs or back; what arrives is sorted by expert, or was.
void exchange(OperatorList& list, const Strategy& strategy, const Share& share, const ExpertShare& experts,
              std::string_view name, bool arrives) {
  const double rows = experts.routed * share.hidden;
  const bool sorts = strategy.ep > 1 && experts.local > 1;
  if (!arrives && sorts) list.memory("sort by source", 4 * rows);
  list.exchange(name, 2 * rows, 2 * experts.crossing * share.hidden);
  if (arrives && sorts) list.memory("sort by expert", 4 * rows);
}

void experts_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const ExpertShare experts(model, strategy, share);
  const double part = share.shard * share.hidden;
  const double rows = experts.routed * share.hidden;
  const double choices = share.shard * model.experts->count;
  list.gemm("router", share.shard, model.experts->count, share.hidden, share.plain);
  // Scores in FP32, read for softmax and for the choice, written once.
  list.memory("router choice", 3 * 4 * choices, 4 * choices);
  list.memory("permute", 2 * part + 2 * rows);
  exchange(list, strategy, share, experts, "dispatch", true);
  list.cast("cast expert input", (2 + 2) * rows);
  list.gemm("expert fc1", experts.rows, experts.ffn_in, share.hidden, strategy.precision, experts.local);
  list.keep(share.operand * rows);
  list.memory("expert activation",
              experts.routed * activation_traffic(strategy, share, experts.ffn_in, experts.ffn_out),
              experts.routed * (2 * experts.ffn_in + share.operand * experts.ffn_out));
  list.gemm("expert fc2", experts.rows, share.hidden, experts.ffn_out, strategy.precision, experts.local);
  exchange(list, strategy, share, experts, "combine", false);
  list.memory("unpermute", 2 * rows + 2 * part);
  if (model.experts->shared > 0) {
    linear_pair_forward(list, strategy, share, experts.shared_in, experts.shared_out);
    list.memory("add shared experts", 6 * part);
  }
}

void experts_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const ExpertShare experts(model, strategy, share);
  const double part = share.shard * share.hidden;
  const double rows = experts.routed * share.hidden;
  const double choices = share.shard * model.experts->count;
  if (model.experts->shared > 0) {
    linear_pair_backward(list, model, strategy, share, experts.shared_in, experts.shared_out);
    list.memory("add shared gradient", 6 * part);
  }
  list.memory("unpermute backward", 2 * part + 2 * rows);
  exchange(list, strategy, share, experts, "combine backward", true);
  list.cast("cast expert gradient", (2 + 2) * rows);
  list.data_gradient("expert fc2 dgrad", experts.rows, experts.ffn_out, share.hidden, strategy.precision,
                     experts.local);
  list.weight_gradient("expert fc2 wgrad", experts.ffn_out, share.hidden, experts.rows, share, strategy.precision,
                       experts.local);
  list.memory("expert activation backward",
              experts.routed * (2 * experts.ffn_in + 2 * experts.ffn_out + 2 * experts.ffn_in));
  list.data_gradient("expert fc1 dgrad", experts.rows, share.hidden, experts.ffn_in, strategy.precision, experts.local);
  list.weight_gradient("expert fc1 wgrad", experts.ffn_in, share.hidden, experts.rows, share, strategy.precision,
                       experts.local);
  exchange(list, strategy, share, experts, "dispatch backward", false);
  list.memory("permute backward", 2 * rows + 2 * part);
  list.memory("router choice backward", 3 * 4 * choices);
  list.data_gradient("router dgrad", share.shard, share.hidden, model.experts->count, share.plain);
  list.weight_gradient("router wgrad", model.experts->count, share.hidden, share.shard, share, share.plain);
}

}  // namespace

void mlp_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share, LayerKind kind) {
  const double part = share.shard * share.hidden;
  // The router reads 16 bits.
  const double normed = kind == LayerKind::experts ? 2 : share.operand;
  list.memory("mlp norm", (2 + normed) * part, (2 + normed) * part);
  if (kind == LayerKind::experts) {
    experts_forward(list, model, strategy, share);
  } else {
    linear_pair_forward(list, strategy, share, share.ffn_in, share.ffn_out);
  }
  list.memory("mlp residual", (strategy.dropout ? 7 : 6) * part, strategy.dropout ? part : 0);
}

void mlp_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                  LayerKind kind) {
  const double part = share.shard * share.hidden;
  if (strategy.dropout) list.memory("mlp residual dropout backward", 5 * part);
  if (kind == LayerKind::experts) {
    experts_backward(list, model, strategy, share);
  } else {
    linear_pair_backward(list, model, strategy, share, share.ffn_in, share.ffn_out);
  }
  list.memory("mlp norm backward", 6 * part);
  list.memory("mlp residual gradient", 6 * part);
}

}  // namespace railyard
