// SPDX-License-Identifier: Apache-2.0
// Attention through cuDNN's graph interface: softmax(Q K^T / sqrt(d), causal) V, the composition of operations that its
// fused engines recognise (the library's developer guide, "Fused Flash Attention"), and its gradients.
#include <cmath>
#include <limits>

#include "calibrate/device/cuda/cudnn_graph.h"
#include "calibrate/device/gpu/gpu_device.h"
#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {
namespace {

/// Sizes, and the tensors that both directions share.
struct Shape {
  std::int64_t batch, heads, sequence, dim;

  explicit Shape(const WorkRequest& work)
      : batch(work.batch), heads(work.heads), sequence(work.sequence), dim(work.head_dim) {}
  [[nodiscard]] Dims rows() const { return {batch, heads, sequence, dim}; }
  [[nodiscard]] Dims row_strides() const { return {heads * sequence * dim, sequence * dim, dim, 1}; }
  [[nodiscard]] Dims turned() const { return {batch, heads, dim, sequence}; }
  [[nodiscard]] Dims turned_strides() const { return {heads * sequence * dim, sequence * dim, 1, dim}; }
  [[nodiscard]] Dims scores() const { return {batch, heads, sequence, sequence}; }
  [[nodiscard]] Dims score_strides_turned() const {
    return {heads * sequence * sequence, sequence * sequence, 1, sequence};
  }
  [[nodiscard]] Dims line() const { return {batch, heads, sequence, 1}; }
  [[nodiscard]] Dims line_strides() const { return {heads * sequence, sequence, 1, 1}; }
};

/// What lies above the diagonal becomes minus infinity.
GraphTensor masked(CudnnGraph& graph, const Shape& shape, const GraphTensor& scores) {
  const GraphTensor row = graph.between(shape.scores(), CUDNN_DATA_INT32);
  const GraphTensor column = graph.between(shape.scores(), CUDNN_DATA_INT32);
  const GraphTensor seen = graph.between(shape.scores(), CUDNN_DATA_BOOLEAN);
  const GraphTensor result = graph.between(shape.scores());
  graph.index(2, scores, row);
  graph.index(3, scores, column);
  graph.binary(CUDNN_POINTWISE_CMP_GE, row, column, seen, CUDNN_DATA_BOOLEAN);
  graph.select(scores, graph.scalar(-std::numeric_limits<float>::infinity()), seen, result);
  return result;
}

/// Q K^T / sqrt(d).
GraphTensor scaled_scores(CudnnGraph& graph, const Shape& shape, const GraphTensor& q, const GraphTensor& k_turned,
                          const GraphTensor& scale) {
  const GraphTensor raw = graph.between(shape.scores()), scaled = graph.between(shape.scores());
  graph.matmul(q, k_turned, raw);
  graph.binary(CUDNN_POINTWISE_MUL, raw, scale, scaled);
  return scaled;
}

void build_forward(CudnnGraph& graph, const WorkRequest& work, const AttentionOperands& operands) {
  const Shape shape(work);
  const auto bf16 = CUDNN_DATA_BFLOAT16;
  const GraphTensor q = graph.buffer(operands.q, shape.rows(), shape.row_strides(), bf16);
  const GraphTensor k = graph.buffer(operands.k, shape.turned(), shape.turned_strides(), bf16);
  const GraphTensor v = graph.buffer(operands.v, shape.rows(), shape.row_strides(), bf16);
  const GraphTensor o = graph.buffer(operands.o, shape.rows(), shape.row_strides(), bf16);
  const GraphTensor statistics =
      graph.buffer(operands.statistics, shape.line(), shape.line_strides(), CUDNN_DATA_FLOAT);
  const GraphTensor scale = graph.scalar(1 / std::sqrt(static_cast<float>(shape.dim)));
  GraphTensor scores = scaled_scores(graph, shape, q, k, scale);
  if (work.causal != 0) scores = masked(graph, shape, scores);
  const GraphTensor highest = graph.between(shape.line()), off = graph.between(shape.scores());
  const GraphTensor powers = graph.between(shape.scores()), sum = graph.between(shape.line());
  const GraphTensor log_sum = graph.between(shape.line()), p = graph.between(shape.scores(), bf16);
  graph.reduce(CUDNN_REDUCE_TENSOR_MAX, scores, highest);
  graph.binary(CUDNN_POINTWISE_SUB, scores, highest, off);
  graph.unary(CUDNN_POINTWISE_EXP, off, powers);
  graph.reduce(CUDNN_REDUCE_TENSOR_ADD, powers, sum);
  graph.unary(CUDNN_POINTWISE_LOG, sum, log_sum);
  graph.binary(CUDNN_POINTWISE_ADD, highest, log_sum, statistics);
  graph.binary(CUDNN_POINTWISE_DIV, powers, sum, p);
  graph.matmul(p, v, o);
}

/// `sums` and `grad_q_sums` are FP32 buffers; the latter is cleared before each run.
void build_backward(CudnnGraph& graph, const WorkRequest& work, const AttentionOperands& operands, void* sums,
                    void* grad_q_sums) {
  const Shape shape(work);
  const auto bf16 = CUDNN_DATA_BFLOAT16;
  const auto rows = [&](void* data) { return graph.buffer(data, shape.rows(), shape.row_strides(), bf16); };
  const auto turned = [&](void* data) { return graph.buffer(data, shape.turned(), shape.turned_strides(), bf16); };
  const GraphTensor q = rows(operands.q), k = turned(operands.k), v = turned(operands.v), o = rows(operands.o);
  const GraphTensor grad_o = rows(operands.grad_o), grad_q = rows(operands.grad_q);
  const GraphTensor grad_k = rows(operands.grad_k), grad_v = rows(operands.grad_v);
  const GraphTensor statistics =
      graph.buffer(operands.statistics, shape.line(), shape.line_strides(), CUDNN_DATA_FLOAT);
  const GraphTensor scale = graph.scalar(1 / std::sqrt(static_cast<float>(shape.dim))), one = graph.scalar(1);

  // sum over the row of dO o O
  const GraphTensor products = graph.between(shape.rows()), row_sums = graph.between(shape.line());
  const GraphTensor softmax_sums = graph.buffer(sums, shape.line(), shape.line_strides(), CUDNN_DATA_FLOAT);
  graph.binary(CUDNN_POINTWISE_MUL, grad_o, o, products);
  graph.reduce(CUDNN_REDUCE_TENSOR_ADD, products, row_sums);
  graph.binary(CUDNN_POINTWISE_MUL, row_sums, one, softmax_sums);

  // P, and dV = P^T dO
  const GraphTensor scores = scaled_scores(graph, shape, q, k, scale);
  GraphTensor off = graph.between(shape.scores());
  graph.binary(CUDNN_POINTWISE_SUB, scores, statistics, off);
  if (work.causal != 0) off = masked(graph, shape, off);
  const GraphTensor p = graph.between(shape.scores());
  graph.unary(CUDNN_POINTWISE_EXP, off, p);
  const GraphTensor p_turned = graph.between(shape.scores(), shape.score_strides_turned(), bf16);
  graph.reshape(p, p_turned);
  graph.matmul(p_turned, grad_o, grad_v);

  // dS = P o (dO V^T - sums) / sqrt(d), dK = dS^T Q
  const GraphTensor dp = graph.between(shape.scores()), shifted = graph.between(shape.scores());
  const GraphTensor weighted = graph.between(shape.scores()), ds = graph.between(shape.scores());
  graph.matmul(grad_o, v, dp);
  graph.binary(CUDNN_POINTWISE_SUB, dp, softmax_sums, shifted);
  graph.binary(CUDNN_POINTWISE_MUL, shifted, p, weighted);
  graph.binary(CUDNN_POINTWISE_MUL, weighted, scale, ds);
  const GraphTensor ds_turned = graph.between(shape.scores(), shape.score_strides_turned(), bf16);
  graph.reshape(ds, ds_turned);
  graph.matmul(ds_turned, q, grad_k);

  // dQ = dS K
  const GraphTensor k_rows = graph.between(shape.rows(), shape.row_strides(), bf16);
  const GraphTensor sum = graph.buffer(grad_q_sums, shape.rows(), shape.row_strides(), CUDNN_DATA_FLOAT);
  graph.reshape(k, k_rows);
  graph.matmul(ds, k_rows, sum);
  graph.unary(CUDNN_POINTWISE_IDENTITY, sum, grad_q);
}

class CudnnAttention final : public AttentionLibrary {
 public:
  CudnnAttention() { f_.require(f_.create(&handle_), "handle"); }
  ~CudnnAttention() override { (void)f_.destroy(handle_); }

  [[nodiscard]] LibraryWork prepare(const WorkRequest& work, const AttentionOperands& operands,
                                    gpuStream stream) override {
    f_.require(f_.set_stream(handle_, stream), "stream");
    auto graph = std::make_shared<CudnnGraph>(f_, handle_);
    const std::size_t rows = static_cast<std::size_t>(work.batch * work.heads * work.sequence);
    const std::size_t sum_bytes = rows * sizeof(float);
    const std::size_t query_bytes = rows * static_cast<std::size_t>(work.head_dim) * sizeof(float);
    void* sums = nullptr;
    void* query_sums = nullptr;
    if (work.backward != 0) {
      sums = sums_.reserve(sum_bytes);
      query_sums = query_sums_.reserve(query_bytes);
      build_backward(*graph, work, operands, sums, query_sums);
    } else {
      build_forward(*graph, work, operands);
    }
    graph->build();
    graph->bind_workspace(workspace_.reserve(graph->workspace_bytes() + 1));
    LibraryWork result;
    result.kernel = "cuDNN " + std::to_string(f_.version());
    // Engines from cuDNN 9.6 on clear the sums themselves, as its own front end knows.
    const bool clears = f_.version() >= 90600;
    result.queue = [graph, query_sums, query_bytes, clears, stream] {
      if (query_sums != nullptr && !clears) {
        check(cudaMemsetAsync(query_sums, 0, query_bytes, stream), "clearing the gradient of Q");
      }
      graph->run();
    };
    return result;
  }

 private:
  CudnnFunctions f_;
  cudnnHandle_t handle_ = nullptr;
  Buffer workspace_, sums_, query_sums_;
};

}  // namespace

std::unique_ptr<AttentionLibrary> open_attention_library() { return std::make_unique<CudnnAttention>(); }

}  // namespace railyard::device::gpu
