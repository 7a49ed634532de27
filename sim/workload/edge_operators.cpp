// SPDX-License-Identifier: Apache-2.0
// What stands before the first and after the last layer. The cross entropy is Megatron's vocab_parallel_cross_entropy
// without fusion; logits stay in 16 bits.
#include "sim/workload/operator_list.h"

namespace railyard {

Operators embedding_forward(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  const double whole = share.tokens * share.hidden;
  OperatorList list(strategy);
  list.memory("embedding", 4 * whole);
  list.reduce("reduce embedding", 2 * whole, Overlap::none);
  if (model.positions > 0) list.memory("position embedding", 6 * share.shard * share.hidden);
  return list.take();
}

Operators embedding_backward(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  const double whole = share.tokens * share.hidden;
  OperatorList list(strategy);
  list.gather("gather embedding gradient", 2 * whole, Overlap::none);
  // Reads the gradient, reads and writes the accumulated rows.
  list.memory("embedding backward", (2 + 2 * share.gradient) * whole);
  return list.take();
}

Operators head_forward(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  const double part = share.shard * share.hidden;
  const double logits = share.tokens * share.vocab;
  OperatorList list(strategy);
  list.memory("final norm", 4 * part, 4 * part);
  list.gather("gather head input", 2 * share.tokens * share.hidden, Overlap::gather);
  list.gemm("logits", share.tokens, share.vocab, share.hidden, share.plain);
  list.memory("logits to FP32", (2 + 4) * logits);
  list.memory("logits maximum", 4 * logits);
  list.collective("reduce maximum", Group::tensor, Collective::all_reduce, 4 * share.tokens);
  list.memory("subtract maximum", 8 * logits);
  list.collective("reduce target", Group::tensor, Collective::all_reduce, 4 * share.tokens);
  list.memory("exponential and sum", 12 * logits);
  list.collective("reduce sum", Group::tensor, Collective::all_reduce, 4 * share.tokens);
  list.memory("softmax", 8 * logits, 4 * logits);
  return list.take();
}

Operators head_backward(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  const double whole = share.tokens * share.hidden;
  const double logits = share.tokens * share.vocab;
  OperatorList list(strategy);
  list.memory("softmax backward", 8 * logits);
  list.memory("logits gradient to BF16", (4 + 2) * logits);
  list.gather("gather head input again", 2 * whole, Overlap::bulk);
  list.data_gradient("logits dgrad", share.tokens, share.hidden, share.vocab, share.plain);
  list.reduce("reduce logits dgrad", 2 * whole, Overlap::bulk);
  list.weight_gradient("logits wgrad", share.vocab, share.hidden, share.tokens, share, share.plain);
  list.memory("final norm backward", 6 * share.shard * share.hidden);
  return list.take();
}

}  // namespace railyard
