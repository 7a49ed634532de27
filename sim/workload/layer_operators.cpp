// SPDX-License-Identifier: Apache-2.0
// The order, the fusions and the precisions are those of Transformer Engine's TransformerLayer inside Megatron: norms
// and activations write FP8 themselves, gradients are cast before they are gathered and transposed after; the gather of
// a saved input runs beside the data gradient, the reduction of the data gradient beside the weight gradient.
#include "sim/workload/operator_list.h"

namespace railyard {

namespace {

// Sums the gradient of an output over its rows. Transformer Engine does so within its GEMMs, in FP8 in a kernel before
// the cast of a gradient; PyTorch's linear layers, and Megatron's before Transformer Engine, always have that kernel.
void bias_gradient(OperatorList& list, const Model& model, const Strategy& strategy, double elements, bool casts) {
  const bool plain = strategy.attention == Attention::unfused || strategy.shards_gradients();
  const bool own_kernel = plain || (casts && strategy.precision == Precision::fp8);
  if (model.biases && own_kernel) list.memory("bias gradient", 2 * elements);
}

}  // namespace

// Backward of a linear layer whose output was reduced: its gradient is sharded and gathered here.
void row_linear_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                         const RowBackward& names, double width) {
  const double whole = share.tokens * share.hidden;
  const double part = share.shard * share.hidden;
  bias_gradient(list, model, strategy, part, true);
  list.cast("cast gradient", (2 + 1) * part);
  list.gather(names.gather, share.operand * whole, Overlap::gather);
  list.data_gradient(names.data, share.tokens, width, share.hidden, strategy.precision);
  list.cast("transpose gradient", 2 * whole);
  list.weight_gradient(names.weight, width, share.hidden, share.tokens, share, strategy.precision);
}

// Backward of a linear layer whose input was gathered: gathered again beside the data gradient.
void column_linear_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                            const ColumnBackward& names, double width) {
  const double whole = share.tokens * share.hidden;
  bias_gradient(list, model, strategy, share.tokens * width, false);
  list.gather(names.gather, share.operand * whole, Overlap::bulk);
  list.data_gradient(names.data, share.tokens, share.hidden, width, strategy.precision);
  list.cast("transpose input", 2 * whole);
  list.reduce(names.reduce, 2 * whole, Overlap::bulk);
  list.weight_gradient(names.weight, width, share.hidden, share.tokens, share, strategy.precision);
}

Operators layer_forward(const Model& model, const Strategy& strategy, LayerKind kind) {
  const Share share(model, strategy);
  OperatorList list(strategy);
  // A weight that is gathered anew is cast anew: read in BF16, written in FP8 with its transpose.
  if (strategy.shards_gradients()) list.cast("cast weights", (2 + 2) * layer_matrices(model, strategy, kind));
  attention_forward(list, model, strategy, share);
  mlp_forward(list, model, strategy, share, kind);
  return list.take();
}

Operators layer_backward(const Model& model, const Strategy& strategy, LayerKind kind) {
  const Share share(model, strategy);
  OperatorList list(strategy);
  mlp_backward(list, model, strategy, share, kind);
  attention_backward(list, model, strategy, share);
  if (strategy.shards_gradients()) {
    // PyTorch FSDP (torch/distributed/fsdp/_runtime_utils.py, default_hooks.py): views of the flat parameter are
    // brought together, cast to the type of the reduction and divided in place before it.
    const auto held = static_cast<double>(held_by_layer(model, strategy, kind).total());
    list.memory("collect gradients", (2 + 2) * held);
    if (share.gradient > 2) list.memory("gradients to FP32", (2 + share.gradient) * held);
    list.memory("divide gradients", 2 * share.gradient * held);
  }
  return list.take();
}

Operators layer_recompute(const Model& model, const Strategy& strategy, LayerKind kind) {
  if (strategy.recompute == Recompute::full) return layer_forward(model, strategy, kind);
  if (strategy.recompute == Recompute::none) return {};
  const Share share(model, strategy);
  OperatorList list(strategy);
  attention_core_forward(list, model, strategy, share);
  return list.take();
}

}  // namespace railyard
