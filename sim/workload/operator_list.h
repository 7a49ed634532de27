// SPDX-License-Identifier: Apache-2.0
// Private to sim/workload: the sizes of one GPU's share of a micro-batch, and a list of operators built line by line.
#pragma once

#include "sim/workload/operators.h"

namespace railyard {

/// Sizes as doubles, since they are multiplied into bytes and FLOP. `tokens` go through the GEMMs; `shard` is what one
/// GPU holds of them between the GEMMs, less than `tokens` with sequence parallelism.
struct Share {
  Share(const Model& model, const Strategy& strategy);
  double tokens, shard, hidden;
  double attention_width, qkv_width, ffn_in, ffn_out;  // per GPU: heads * head_dim, with keys and values, MLP
  double vocab;                                        // per GPU
  double operand;                                      // bytes of an element of a GEMM input
  double gradient;                                     // bytes of an element of a weight gradient
};

class OperatorList {
 public:
  explicit OperatorList(const Strategy& strategy) : strategy_(strategy) {}

  void gemm(std::string_view name, double m, double n, double k, Precision precision, double output_size = 2);
  /// Weight gradient [rows, columns] from `tokens` tokens, accumulated.
  void weight_gradient(std::string_view name, double rows, double columns, const Share& share, Precision precision);
  void memory(std::string_view name, double traffic, double saved = 0);
  void attention(std::string_view name, OperatorKind kind, double flops, double saved = 0);
  /// A collective of the tensor group; nothing when it has one GPU.
  void collective(std::string_view name, Collective collective, double message, Overlap overlap = Overlap::none);
  /// FP8 only: a kernel that casts or transposes.
  void cast(std::string_view name, double traffic, double saved = 0);
  /// Sequence parallelism gathers a sharded tensor before a GEMM; nothing without it.
  void gather(std::string_view name, double message, Overlap overlap);
  /// Partial sums after a GEMM: reduce-scatter with sequence parallelism, all-reduce without.
  void reduce(std::string_view name, double message, Overlap overlap);

  [[nodiscard]] Operators take() { return std::move(operators_); }

 private:
  const Strategy& strategy_;
  Operators operators_;
};

}  // namespace railyard
