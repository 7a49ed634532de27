// SPDX-License-Identifier: Apache-2.0
// The attention half of a layer. Context parallelism is ring attention as in Transformer Engine's p2p: every GPU has a
// part from the front of the sequence and one from its end, so that all have the same work in each of `cp` turns; keys
// and values (backward also their gradients) go round beside it.
#include <algorithm>

#include "sim/workload/operator_list.h"

namespace railyard {
namespace {

// QK^T and PV, 2 FLOP a multiply-add, without what is masked.
double core_flops(const Model& model, const Strategy& strategy, const Share& share) {
  return 2.0 * share.scores * (model.query_dim() + model.value_dim()) * model.density(strategy.sequence);
}

double keys_seen(const Model& model, const Strategy& strategy) {
  const double keys = static_cast<double>(strategy.sequence) / strategy.cp;
  return model.window > 0 ? std::min<double>(keys, model.window) : keys;
}

// Bytes that rotary embedding reads and writes; with latent attention only the position elements turn, but keys are
// put together from both kinds (Megatron-Core multi_latent_attention.py).
double rotary_traffic(const Model& model, const Strategy& strategy, const Share& share) {
  if (model.latent) return 4.0 * share.tokens * (share.heads * model.latent->position_dim + share.query_width);
  return 4.0 * share.tokens * (static_cast<double>(model.heads) + model.kv_heads) * model.head_dim / strategy.tp;
}

double qk_norm_traffic(const Model& model, const Strategy& strategy, const Share& share) {
  return 4.0 * share.tokens * (static_cast<double>(model.heads) + model.kv_heads) * model.head_dim / strategy.tp;
}

// Outputs of two turns merged, FP32 read and written, BF16 read; a later turn touches half of the rows on the GPUs
// that hold the front, all on the others: three quarters in the mean (Transformer Engine context_parallel.py).
double merge_traffic(const Strategy& strategy, const Share& share) {
  return (strategy.cp - 1) * 0.75 * (4 + 4 + 2) * share.tokens * share.value_width;
}

void latent_down(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const LatentAttention& latent = *model.latent;
  const double narrow = latent.query_rank + latent.key_value_rank;
  // Norm output, narrow vectors before and after their norms.
  list.gemm("latent down", share.shard, narrow + latent.position_dim, share.hidden, strategy.precision);
  list.memory("latent norms", 4 * share.shard * narrow, 4 * share.shard * narrow);
  list.gather("gather latent", 2 * share.tokens * (narrow + latent.position_dim), Overlap::none);
  list.gemm("query up", share.tokens, share.query_width, latent.query_rank, strategy.precision);
  list.gemm("key and value up", share.tokens, share.heads * (model.head_dim + model.value_dim()), latent.key_value_rank,
            strategy.precision);
}

void latent_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const LatentAttention& latent = *model.latent;
  const double narrow = latent.query_rank + latent.key_value_rank;
  const double keys = share.heads * (model.head_dim + model.value_dim());
  list.data_gradient("query up dgrad", share.tokens, latent.query_rank, share.query_width, strategy.precision);
  list.weight_gradient("query up wgrad", share.query_width, latent.query_rank, share.tokens, share, strategy.precision);
  list.data_gradient("key and value up dgrad", share.tokens, latent.key_value_rank, keys, strategy.precision);
  list.weight_gradient("key and value up wgrad", keys, latent.key_value_rank, share.tokens, share, strategy.precision);
  list.reduce("reduce latent dgrad", 2 * share.tokens * (narrow + latent.position_dim), Overlap::none);
  list.memory("latent norms backward", 6 * share.shard * narrow);
  list.data_gradient("latent down dgrad", share.shard, share.hidden, narrow + latent.position_dim, strategy.precision);
  list.weight_gradient("latent down wgrad", narrow + latent.position_dim, share.hidden, share.shard, share,
                       strategy.precision);
}

// Megatron's core attention before flash kernels: products over the whole square, a fused kernel that scales, masks and
// normalises (reads the lower half of the scores, writes all), dropout with a byte of mask. Kept: 5 B a score, 2
// without dropout (Korthikanti et al., arXiv:2205.05198, section 4.1).
void unfused_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const double batch = share.heads * strategy.micro_batch;
  const double length = strategy.sequence;
  list.gemm("scores", length, length, model.query_dim(), share.plain, batch);
  list.memory("softmax", 3 * share.scores, 2 * share.scores);
  if (strategy.dropout) list.memory("attention dropout", (2 + 1 + 2) * share.scores, 3 * share.scores);
  list.gemm("context", length, model.value_dim(), length, share.plain, batch);
  list.memory("context transpose", 4 * share.tokens * share.value_width);
}

void unfused_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const double batch = share.heads * strategy.micro_batch;
  const double length = strategy.sequence;
  list.memory("context transpose backward", 4 * share.tokens * share.value_width);
  list.gemm("probability dgrad", length, length, model.value_dim(), share.plain, batch);
  list.gemm("value dgrad", length, model.value_dim(), length, share.plain, batch);
  if (strategy.dropout) list.memory("attention dropout backward", (2 + 1 + 2) * share.scores);
  list.memory("softmax backward", (2 + 2 + 2) * share.scores);
  list.gemm("query dgrad", length, model.query_dim(), length, share.plain, batch);
  list.gemm("key dgrad", length, model.query_dim(), length, share.plain, batch);
  list.memory("join qkv gradient", 4 * share.tokens * share.qkv_width);
}

}  // namespace

double attention_core_saved(const Strategy& strategy, const Share& share) {
  // The core is run again from queries, keys and values; its output stays only where the projection reads it.
  if (strategy.attention == Attention::unfused) return (strategy.dropout ? 5 : 2) * share.scores;
  return 4.0 * share.tokens * share.heads +
         (strategy.precision == Precision::fp8 ? 2.0 * share.tokens * share.value_width : 0);
}

void attention_core_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  // Kept besides scores: queries, keys, values and output in 16 bits, and the FP32 log-sum of every row.
  const double inputs = 2 * share.tokens * (share.qkv_width + share.value_width);
  if (strategy.attention == Attention::unfused) {
    unfused_forward(list, model, strategy, share);
    list.keep(inputs);
    return;
  }
  const double flops = core_flops(model, strategy, share) / strategy.cp;
  for (int turn = 0; turn < strategy.cp; ++turn) {
    if (turn < strategy.cp - 1) {
      list.collective("pass on keys and values", Group::context, Collective::send_receive,
                      2 * share.tokens * share.key_value_width, Overlap::bulk);
    }
    list.attention("attention", OperatorKind::attention_forward, flops, keys_seen(model, strategy),
                   turn == 0 ? inputs + 4 * share.tokens * share.heads : 0);
  }
  if (strategy.cp > 1) list.memory("merge attention outputs", merge_traffic(strategy, share));
}

void attention_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const double whole = share.tokens * share.hidden;
  const double part = share.shard * share.hidden;
  list.memory("attention norm", (2 + share.operand) * part, (2 + share.operand) * part);
  if (model.latent) {
    latent_down(list, model, strategy, share);
  } else {
    list.gather("gather qkv input", share.operand * whole, Overlap::gather);
    list.gemm("qkv", share.tokens, share.qkv_width, share.hidden, strategy.precision);
  }
  if (model.qk_norm) {
    list.memory("qk norm", qk_norm_traffic(model, strategy, share), qk_norm_traffic(model, strategy, share) / 2);
  }
  if (model.positions == 0) list.memory("rotary", rotary_traffic(model, strategy, share));
  attention_core_forward(list, model, strategy, share);
  list.cast("cast attention output", (2 + 2) * share.tokens * share.value_width, share.tokens * share.value_width);
  list.gemm("projection", share.tokens, share.hidden, share.value_width, strategy.precision);
  list.reduce("reduce projection", 2 * whole, Overlap::scatter);
  list.memory("attention residual", (strategy.dropout ? 7 : 6) * part, strategy.dropout ? part : 0);
}

void attention_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share) {
  const double part = share.shard * share.hidden;
  if (strategy.dropout) list.memory("attention residual dropout backward", 5 * part);
  row_linear_backward(list, model, strategy, share,
                      {"gather projection gradient", "projection dgrad", "projection wgrad"}, share.value_width);
  if (strategy.attention == Attention::unfused) {
    unfused_backward(list, model, strategy, share);
  } else {
    // Five GEMMs instead of two, the scores being computed again (FlashAttention-2, arXiv:2307.08691).
    const double flops = 2.5 * core_flops(model, strategy, share) / strategy.cp;
    const double keys = 2 * share.tokens * share.key_value_width;
    for (int turn = 0; turn < strategy.cp; ++turn) {
      // Gradients of the first turn come with the keys of the third; those of the last go home after it.
      if (turn < strategy.cp - 1) {
        list.collective("pass on keys, values and gradients", Group::context, Collective::send_receive,
                        (turn == 0 ? 1 : 2) * keys, Overlap::bulk);
      }
      list.attention("attention backward", OperatorKind::attention_backward, flops, keys_seen(model, strategy));
    }
    list.collective("pass gradients home", Group::context, Collective::send_receive, keys, Overlap::none);
  }
  if (model.positions == 0) list.memory("rotary backward", rotary_traffic(model, strategy, share));
  if (model.qk_norm) list.memory("qk norm backward", 1.5 * qk_norm_traffic(model, strategy, share));
  list.cast("cast qkv gradient", (2 + 2) * share.tokens * share.qkv_width);
  if (model.latent) {
    latent_backward(list, model, strategy, share);
  } else {
    column_linear_backward(list, model, strategy, share,
                           {"gather qkv input again", "qkv dgrad", "reduce qkv dgrad", "qkv wgrad"}, share.qkv_width);
  }
  list.memory("attention norm backward", 6 * part);
  list.memory("attention residual gradient", 6 * part);
}

}  // namespace railyard
