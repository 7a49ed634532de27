// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/operator_list.h"

#include <algorithm>
#include <cassert>

namespace railyard {

namespace {

// Nodes that hold an expert of a token, expected: its experts are distinct and drawn evenly, so that a node has none of
// them with the chance that all come from the others; group-limited routing may allow fewer.
double nodes_of_token(const Experts& experts, double nodes) {
  const double elsewhere = experts.count - experts.count / nodes;
  double none = 1;
  for (int drawn = 0; drawn < experts.per_token; ++drawn) {
    none *= std::max(0.0, elsewhere - drawn) / (experts.count - drawn);
  }
  const double expected = nodes * (1 - none);
  if (experts.groups == 0) return expected;
  return std::min(expected, experts.groups_per_token * std::max(1.0, nodes / experts.groups));
}

}  // namespace

Share::Share(const Model& model, const Strategy& strategy)
    : tokens(static_cast<double>(strategy.micro_batch) * strategy.sequence / strategy.cp),
      shard(strategy.sp ? tokens / strategy.tp : tokens),
      hidden(model.hidden),
      query_width(static_cast<double>(model.heads) * model.query_dim() / strategy.tp),
      value_width(static_cast<double>(model.heads) * model.value_dim() / strategy.tp),
      qkv_width(query_width +
                static_cast<double>(model.kv_heads) * (model.query_dim() + model.value_dim()) / strategy.tp),
      key_value_width(qkv_width - query_width),
      heads(static_cast<double>(model.heads) / strategy.tp),
      scores(tokens * strategy.sequence * heads),
      ffn_in(static_cast<double>(model.ffn_hidden) * (model.gated_mlp ? 2 : 1) / strategy.tp),
      ffn_out(static_cast<double>(model.ffn_hidden) / strategy.tp),
      vocab(static_cast<double>(model.vocab) / strategy.tp),
      operand(element_size(strategy.precision).in(byte)),
      gradient(strategy.gradient_size().in(byte)),
      plain(strategy.precision == Precision::fp8 ? Precision::bf16 : strategy.precision) {}

ExpertShare::ExpertShare(const Model& model, const Strategy& strategy, const Share& share) {
  assert(model.experts.has_value());
  const Experts& experts = *model.experts;
  local = static_cast<double>(experts.count) / strategy.ep;
  routed = share.shard * experts.per_token;
  rows = routed / local;
  const double nodes = static_cast<double>(strategy.ep) / strategy.ep_local;
  crossing = share.shard * nodes_of_token(experts, nodes);
  ffn_in = static_cast<double>(experts.ffn_hidden) * (model.gated_mlp ? 2 : 1);
  ffn_out = experts.ffn_hidden;
  shared_in = ffn_in * experts.shared / strategy.tp;
  shared_out = ffn_out * experts.shared / strategy.tp;
}

void OperatorList::gemm(std::string_view name, double m, double n, double k, Precision precision, double batch) {
  const auto whole = [](double size) { return std::max<std::int64_t>(1, static_cast<std::int64_t>(size)); };
  Operator op{.name = name, .kind = OperatorKind::gemm};
  op.gemm = {whole(m), whole(n), whole(k), whole(batch)};
  op.precision = precision;
  operators_.push_back(op);
}

void OperatorList::data_gradient(std::string_view name, double m, double n, double k, Precision precision,
                                 double batch) {
  gemm(name, m, n, k, precision, batch);
  operators_.back().split_accumulator = precision == Precision::fp8;
}

// What accumulation costs over writing BF16, measured in place on an H200 (cuBLAS 13.1): in BF16 almost nothing (571 to
// 588 us for 12288 x 12288 x 2048 in FP8), so its traffic is left to the law, which hides it; in FP32 the time of
// reading the old values, which nothing hides (571 to 718 us: 147 where 4 B an element at 4.3 TB/s are 140; six shapes
// in FP8 and in BF16 give 3.3 to 4.9 B, median 3.9).
void OperatorList::weight_gradient(std::string_view name, double rows, double columns, double tokens,
                                   const Share& share, Precision precision, double batch) {
  data_gradient(name, rows, columns, tokens, precision, batch);
  if (strategy_.shards_gradients()) return;
  const bool hidden = share.gradient < 4;
  if (hidden) {
    operators_.back().output_size = 2 * share.gradient * byte;
  } else {
    operators_.back().traffic = share.gradient * rows * columns * batch * byte;
  }
}

void OperatorList::memory(std::string_view name, double traffic, double saved) {
  Operator op{.name = name, .kind = OperatorKind::memory};
  op.traffic = traffic * byte;
  op.saved = saved * byte;
  operators_.push_back(op);
}

void OperatorList::attention(std::string_view name, OperatorKind kind, double flops, double keys, double saved) {
  Operator op{.name = name, .kind = kind};
  op.flops = flops * flop;
  op.keys = std::max<std::int64_t>(1, static_cast<std::int64_t>(keys));
  op.saved = saved * byte;
  operators_.push_back(op);
}

int OperatorList::size(Group group) const {
  switch (group) {
    case Group::context:
      return strategy_.cp;
    case Group::expert:
      return strategy_.ep;
    case Group::tensor:
      break;
  }
  return strategy_.tp;
}

void OperatorList::collective(std::string_view name, Group group, Collective collective, double message,
                              Overlap overlap) {
  if (size(group) == 1) return;
  Operator op{.name = name, .kind = OperatorKind::collective};
  op.collective = collective;
  op.group = group;
  op.message = message * byte;
  const bool user_buffers = overlap == Overlap::gather || overlap == Overlap::scatter;
  op.overlap = user_buffers && !strategy_.tp_overlap ? Overlap::none : overlap;
  operators_.push_back(op);
}

void OperatorList::exchange(std::string_view name, double message, double crossing) {
  collective(name, Group::expert, Collective::all_to_all, message);
  if (strategy_.ep_local > 1 && strategy_.ep > strategy_.ep_local) operators_.back().crossing = crossing * byte;
}

void OperatorList::cast(std::string_view name, double traffic, double saved) {
  if (strategy_.precision == Precision::fp8) memory(name, traffic, saved);
}

void OperatorList::gather(std::string_view name, double message, Overlap overlap) {
  if (strategy_.sp) collective(name, Group::tensor, Collective::all_gather, message, overlap);
}

void OperatorList::reduce(std::string_view name, double message, Overlap overlap) {
  // Transformer Engine splits reduce-scatters only; an all-reduce after a GEMM is waited for.
  if (!strategy_.sp && overlap == Overlap::scatter) overlap = Overlap::none;
  collective(name, Group::tensor, strategy_.sp ? Collective::reduce_scatter : Collective::all_reduce, message, overlap);
}

}  // namespace railyard
