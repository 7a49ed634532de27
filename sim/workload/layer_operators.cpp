// SPDX-License-Identifier: Apache-2.0
// The order, the fusions and the precisions are those of Transformer Engine's TransformerLayer inside Megatron: norms
// and activations write FP8 themselves, gradients are cast before they are gathered and transposed after; the gather of
// a saved input runs beside the data gradient, the reduction of the data gradient beside the weight gradient.
#include <utility>

#include "sim/workload/operator_list.h"

namespace railyard {

Share::Share(const Model& model, const Strategy& strategy)
    : tokens(static_cast<double>(strategy.micro_batch) * strategy.sequence),
      shard(strategy.sp ? tokens / strategy.tp : tokens),
      hidden(model.hidden),
      attention_width(static_cast<double>(model.heads) * model.head_dim / strategy.tp),
      qkv_width((static_cast<double>(model.heads) + 2.0 * model.kv_heads) * model.head_dim / strategy.tp),
      ffn_in(static_cast<double>(model.ffn_hidden) * (model.gated_mlp ? 2 : 1) / strategy.tp),
      ffn_out(static_cast<double>(model.ffn_hidden) / strategy.tp),
      vocab(static_cast<double>(model.vocab) / strategy.tp),
      operand(element_size(strategy.precision).in(byte)),
      gradient(strategy.gradient_size().in(byte)) {}

void OperatorList::gemm(std::string_view name, double m, double n, double k, Precision precision, double output_size) {
  Operator op{.name = name, .kind = OperatorKind::gemm};
  op.gemm = {static_cast<std::int64_t>(m), static_cast<std::int64_t>(n), static_cast<std::int64_t>(k), 1};
  op.precision = precision;
  op.output_size = output_size * byte;
  operators_.push_back(op);
}

// What accumulation costs over writing BF16, measured in place on an H200 (cuBLAS 13.1): in BF16 almost nothing (571 to
// 588 us for 12288 x 12288 x 2048 in FP8), so its traffic is left to the law, which hides it; in FP32 the time of
// reading the old values, which nothing hides (571 to 718 us: 147 where 4 B an element at 4.3 TB/s are 140; six shapes
// in FP8 and in BF16 give 3.3 to 4.9 B, median 3.9).
void OperatorList::weight_gradient(std::string_view name, double rows, double columns, const Share& share,
                                   Precision precision) {
  const bool hidden = share.gradient < 4;
  gemm(name, rows, columns, share.tokens, precision, hidden ? 2 * share.gradient : 2);
  if (!hidden) operators_.back().traffic = share.gradient * rows * columns * byte;
}

void OperatorList::memory(std::string_view name, double traffic, double saved) {
  Operator op{.name = name, .kind = OperatorKind::memory};
  op.traffic = traffic * byte;
  op.saved = saved * byte;
  operators_.push_back(op);
}

void OperatorList::attention(std::string_view name, OperatorKind kind, double flops, double saved) {
  Operator op{.name = name, .kind = kind};
  op.flops = flops * flop;
  op.saved = saved * byte;
  operators_.push_back(op);
}

void OperatorList::collective(std::string_view name, Collective collective, double message, Overlap overlap) {
  if (strategy_.tp == 1) return;
  Operator op{.name = name, .kind = OperatorKind::tensor_collective};
  op.collective = collective;
  op.message = message * byte;
  const bool user_buffers = overlap == Overlap::gather || overlap == Overlap::scatter;
  op.overlap = user_buffers && !strategy_.tp_overlap ? Overlap::none : overlap;
  operators_.push_back(op);
}

void OperatorList::cast(std::string_view name, double traffic, double saved) {
  if (strategy_.precision == Precision::fp8) memory(name, traffic, saved);
}

void OperatorList::gather(std::string_view name, double message, Overlap overlap) {
  if (strategy_.sp) collective(name, Collective::all_gather, message, overlap);
}

void OperatorList::reduce(std::string_view name, double message, Overlap overlap) {
  // Transformer Engine splits reduce-scatters only; an all-reduce after a GEMM is waited for.
  if (!strategy_.sp && overlap == Overlap::scatter) overlap = Overlap::none;
  collective(name, strategy_.sp ? Collective::reduce_scatter : Collective::all_reduce, message, overlap);
}

namespace {

// Two GEMMs of QK^T and PV, 2 FLOP a multiply-add, half of it masked.
double attention_flops(const Strategy& strategy, const Share& share) {
  return 4.0 * share.tokens * strategy.sequence * share.attention_width * 0.5;
}

// Bytes that rotary embedding reads and writes.
double rotary_traffic(const Model& model, const Strategy& strategy, const Share& share) {
  return 4.0 * share.tokens * (static_cast<double>(model.heads) + model.kv_heads) * model.head_dim / strategy.tp;
}

// Backward of a linear layer whose output was reduced: its gradient is sharded and gathered here.
void row_linear_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                         std::string_view gather, std::string_view data, std::string_view weight, double width) {
  const double whole = share.tokens * share.hidden;
  const double part = share.shard * share.hidden;
  if (model.biases) list.cast("bias gradient", 2 * part);
  list.cast("cast gradient", (2 + 1) * part);
  list.gather(gather, share.operand * whole, Overlap::gather);
  list.gemm(data, share.tokens, width, share.hidden, strategy.precision);
  list.cast("transpose gradient", 2 * whole);
  list.weight_gradient(weight, width, share.hidden, share, strategy.precision);
}

// Backward of a linear layer whose input was gathered: gathered again beside the data gradient.
void column_linear_backward(OperatorList& list, const Strategy& strategy, const Share& share, std::string_view gather,
                            std::string_view data, std::string_view reduce, std::string_view weight, double width) {
  const double whole = share.tokens * share.hidden;
  list.gather(gather, share.operand * whole, Overlap::bulk);
  list.gemm(data, share.tokens, share.hidden, width, strategy.precision);
  list.cast("transpose input", 2 * whole);
  list.reduce(reduce, 2 * whole, Overlap::bulk);
  list.weight_gradient(weight, width, share.hidden, share, strategy.precision);
}

}  // namespace

Operators layer_forward(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  const double whole = share.tokens * share.hidden;
  const double part = share.shard * share.hidden;
  const Precision precision = strategy.precision;
  const bool fp8 = precision == Precision::fp8;
  OperatorList list(strategy);
  list.memory("attention norm", (2 + share.operand) * part, (2 + share.operand) * part);
  list.gather("gather qkv input", share.operand * whole, Overlap::gather);
  list.gemm("qkv", share.tokens, share.qkv_width, share.hidden, precision);
  if (model.positions == 0) list.memory("rotary", rotary_traffic(model, strategy, share));
  // Kept: queries, keys, values and output in BF16, and the FP32 log-sum of every row.
  const double kept = 2 * share.tokens * (share.qkv_width + share.attention_width) +
                      4 * share.tokens * share.attention_width / model.head_dim;
  list.attention("attention", OperatorKind::attention_forward, attention_flops(strategy, share), kept);
  list.cast("cast attention output", (2 + 2) * share.tokens * share.attention_width,
            share.tokens * share.attention_width);
  list.gemm("projection", share.tokens, share.hidden, share.attention_width, precision);
  list.reduce("reduce projection", 2 * whole, Overlap::scatter);
  list.memory("attention residual", 6 * part);
  list.memory("mlp norm", (2 + share.operand) * part, (2 + share.operand) * part);
  list.gather("gather mlp input", share.operand * whole, Overlap::gather);
  list.gemm("fc1", share.tokens, share.ffn_in, share.hidden, precision);
  // FP8 writes the values and their transpose, and keeps the transpose.
  list.memory("activation", share.tokens * (2 * share.ffn_in + (fp8 ? 2 * share.operand : 2) * share.ffn_out),
              share.tokens * (2 * share.ffn_in + share.operand * share.ffn_out));
  list.gemm("fc2", share.tokens, share.hidden, share.ffn_out, precision);
  list.reduce("reduce fc2", 2 * whole, Overlap::scatter);
  list.memory("mlp residual", 6 * part);
  return list.take();
}

Operators layer_backward(const Model& model, const Strategy& strategy) {
  const Share share(model, strategy);
  const double part = share.shard * share.hidden;
  OperatorList list(strategy);
  row_linear_backward(list, model, strategy, share, "gather fc2 gradient", "fc2 dgrad", "fc2 wgrad", share.ffn_out);
  // FP8 writes values and transpose at one byte each, as many bytes as BF16 writes once.
  list.memory("activation backward", share.tokens * (2 * share.ffn_in + 2 * share.ffn_out + 2 * share.ffn_in));
  column_linear_backward(list, strategy, share, "gather mlp input again", "fc1 dgrad", "reduce fc1 dgrad", "fc1 wgrad",
                         share.ffn_in);
  list.memory("mlp norm backward", 6 * part);
  list.memory("mlp residual gradient", 6 * part);
  row_linear_backward(list, model, strategy, share, "gather projection gradient", "projection dgrad",
                      "projection wgrad", share.attention_width);
  // Five GEMMs instead of two, the scores being computed again (FlashAttention-2, arXiv:2307.08691).
  list.attention("attention backward", OperatorKind::attention_backward, 2.5 * attention_flops(strategy, share));
  if (model.positions == 0) list.memory("rotary backward", rotary_traffic(model, strategy, share));
  list.cast("cast qkv gradient", (2 + 2) * share.tokens * share.qkv_width);
  column_linear_backward(list, strategy, share, "gather qkv input again", "qkv dgrad", "reduce qkv dgrad", "qkv wgrad",
                         share.qkv_width);
  list.memory("attention norm backward", 6 * part);
  list.memory("attention residual gradient", 6 * part);
  return list.take();
}

Operators layer_recompute(const Model& model, const Strategy& strategy) {
  if (strategy.recompute == Recompute::full) return layer_forward(model, strategy);
  if (strategy.recompute == Recompute::none) return {};
  const Share share(model, strategy);
  OperatorList list(strategy);
  list.attention("attention again", OperatorKind::attention_forward, attention_flops(strategy, share));
  return list.take();
}

}  // namespace railyard
