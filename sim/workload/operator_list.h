// SPDX-License-Identifier: Apache-2.0
// Private to sim/workload: the sizes of one GPU's share of a micro-batch, a list of operators built line by line, and
// the halves of a layer.
#pragma once

#include <utility>

#include "sim/workload/operators.h"

namespace railyard {

/// Sizes as doubles, since they are multiplied into bytes and FLOP. `tokens` go through the GEMMs; `shard` is what one
/// GPU holds of them between the GEMMs, less than `tokens` with sequence parallelism.
struct Share {
  Share(const Model& model, const Strategy& strategy);
  double tokens, shard, hidden;
  double query_width, value_width, qkv_width;  // per GPU: heads times dimension; the last with keys and values
  double key_value_width;                      // per GPU: keys and values as ring attention passes them on
  double heads;                                // per GPU
  double scores;                               // per GPU: of the attention, unmasked or not
  double ffn_in, ffn_out;                      // per GPU: MLP
  double vocab;                                // per GPU
  double operand;                              // bytes of an element of a GEMM input
  double gradient;                             // bytes of an element of a weight gradient
  Precision plain;                             // of what stays in 16 bits
};

/// Shares of a layer with experts, spread evenly by the router. Every expert a GPU holds gets `rows` tokens.
struct ExpertShare {
  ExpertShare(const Model& model, const Strategy& strategy, const Share& share);
  double local;                  // experts on this GPU
  double routed, rows;           // token copies that come to this GPU, and to each of its experts
  double crossing;               // token copies that this GPU sends to nodes, one to each that holds an expert of it
  double ffn_in, ffn_out;        // of an expert
  double shared_in, shared_out;  // per GPU: of the shared experts together
};

class OperatorList {
 public:
  explicit OperatorList(const Strategy& strategy) : strategy_(strategy) {}

  /// A product of the forward pass; of the backward pass for a gradient of data; `batch` of them in one kernel.
  void gemm(std::string_view name, double m, double n, double k, Precision precision, double batch = 1);
  void data_gradient(std::string_view name, double m, double n, double k, Precision precision, double batch = 1);
  /// Weight gradient [rows, columns] from `tokens` tokens, accumulated; written for the reduction to take when
  /// gradients are sharded.
  void weight_gradient(std::string_view name, double rows, double columns, double tokens, const Share& share,
                       Precision precision, double batch = 1);
  void memory(std::string_view name, double traffic, double saved = 0);
  /// Bytes that the operator just added keeps besides.
  void keep(double saved) { operators_.back().saved += saved * byte; }
  void attention(std::string_view name, OperatorKind kind, double flops, double keys, double saved = 0);
  /// A collective of a group; nothing when it has one GPU.
  void collective(std::string_view name, Group group, Collective collective, double message,
                  Overlap overlap = Overlap::none);
  /// All-to-all of an expert group, by node when the strategy says so.
  void exchange(std::string_view name, double message, double crossing);
  /// FP8 only: a kernel that casts or transposes.
  void cast(std::string_view name, double traffic, double saved = 0);
  /// Sequence parallelism gathers a sharded tensor before a GEMM; nothing without it.
  void gather(std::string_view name, double message, Overlap overlap);
  /// Partial sums after a GEMM: reduce-scatter with sequence parallelism, all-reduce without.
  void reduce(std::string_view name, double message, Overlap overlap);

  [[nodiscard]] Operators take() { return std::move(operators_); }

 private:
  [[nodiscard]] int size(Group group) const;

  const Strategy& strategy_;
  Operators operators_;
};

/// Weights of a column-parallel and a row-parallel linear layer, backward (layer_operators.cpp): data and weight
/// gradients with the collectives beside them. `names` in the order in which they run.
struct RowBackward {
  std::string_view gather, data, weight;
};
void row_linear_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                         const RowBackward& names, double width);
struct ColumnBackward {
  std::string_view gather, data, reduce, weight;
};
void column_linear_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share,
                            const ColumnBackward& names, double width);

/// From the norm to the sum with the residual stream.
void attention_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share);
void attention_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share);
/// What selective recomputation runs again: scores, softmax, context.
void attention_core_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share);
/// Bytes that it frees.
[[nodiscard]] double attention_core_saved(const Strategy& strategy, const Share& share);
void mlp_forward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share, LayerKind kind);
void mlp_backward(OperatorList& list, const Model& model, const Strategy& strategy, const Share& share, LayerKind kind);

}  // namespace railyard
