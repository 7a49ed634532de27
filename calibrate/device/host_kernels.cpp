// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/host_kernels.h"

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <thread>

namespace railyard::device {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

/// `rows` x `columns` of a bfloat16 matrix by rows, widened.
Matrix widened_matrix(std::span<const Bf16> values, std::int64_t rows, std::int64_t columns) {
  Matrix result(rows, columns);
  std::transform(values.begin(), values.begin() + rows * columns, result.data(), widened);
  return result;
}

/// Probabilities of one head, masked ones zero.
Matrix probabilities(const MatrixView& q, const MatrixView& k, bool causal) {
  Matrix scores = q * k.transpose() / std::sqrt(static_cast<float>(q.cols()));
  for (Eigen::Index row = 0; row < scores.rows(); ++row) {
    const Eigen::Index seen = causal ? row + 1 : scores.cols();
    auto line = scores.row(row).head(seen);
    line = (line.array() - line.maxCoeff()).exp();
    line /= line.sum();
    scores.row(row).tail(scores.cols() - seen).setZero();
  }
  return scores;
}

}  // namespace

void parallel_slices(int threads, std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t parts = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(count, 1));
  std::vector<std::jthread> workers;  // last, so that they have ended before what they read goes
  for (std::int64_t part = 1; part < parts; ++part) {
    workers.emplace_back([&, part] { body(count * part / parts, count * (part + 1) / parts); });
  }
  body(0, count / parts);
}

float widened(Bf16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U); }

Bf16 rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<Bf16>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);  // to nearest, ties to even
}

void host_gemm(const WorkRequest& work, std::span<const Bf16> a, std::span<const Bf16> b, std::span<Bf16> c,
               int threads) {
  const bool a_transposed = work.layout == Layout::tn, b_transposed = work.layout == Layout::nt;
  const Matrix wide_b = b_transposed ? widened_matrix(b, work.n, work.k) : widened_matrix(b, work.k, work.n);
  const Matrix wide_a = a_transposed ? widened_matrix(a, work.k, work.m) : widened_matrix(a, work.m, work.k);
  parallel_slices(threads, work.m, [&](std::int64_t first, std::int64_t last) {
    if (first == last) return;
    Matrix rows(last - first, work.n);
    if (a_transposed) {
      rows.noalias() = wide_a.middleCols(first, last - first).transpose() * wide_b;
    } else if (b_transposed) {
      rows.noalias() = wide_a.middleRows(first, last - first) * wide_b.transpose();
    } else {
      rows.noalias() = wide_a.middleRows(first, last - first) * wide_b;
    }
    std::transform(rows.data(), rows.data() + rows.size(), c.begin() + first * work.n, rounded);
  });
}

double host_memory(MemoryKernel kernel, std::span<float> a, std::span<const float> b, std::span<const float> c,
                   int threads) {
  std::atomic<double> total = 0;
  const auto count = static_cast<std::int64_t>(a.size());
  parallel_slices(threads, count, [&](std::int64_t first, std::int64_t last) {
    const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(last - first);
    const std::span<float> to = a.subspan(from, size);
    const Eigen::Map<const Eigen::ArrayXf> x(b.data() + from, last - first), y(c.data() + from, last - first);
    Eigen::Map<Eigen::ArrayXf> z(to.data(), last - first);
    switch (kernel) {
      case MemoryKernel::copy:
        z = x;
        break;
      case MemoryKernel::read:
        total += static_cast<double>(x.sum());
        break;
      case MemoryKernel::write:
        z.setConstant(1);
        break;
      case MemoryKernel::add:
        z = x + y;
        break;
      case MemoryKernel::triad:
        z = x + 3 * y;
        break;
    }
  });
  return total;
}

void host_attention(const WorkRequest& work, std::span<const float> q, std::span<const float> k,
                    std::span<const float> v, std::span<float> out, std::span<float> grads, int threads) {
  const Eigen::Index s = work.sequence, d = work.head_dim;
  const std::int64_t heads = work.batch * work.heads;
  parallel_slices(threads, heads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t head = first; head < last; ++head) {
      const std::int64_t at = head * s * d;
      const MatrixView query(q.data() + at, s, d), key(k.data() + at, s, d), value(v.data() + at, s, d);
      const Matrix p = probabilities(query, key, work.causal != 0);
      Eigen::Map<Matrix> result(out.data() + at, s, d);
      if (work.backward == 0) {
        result.noalias() = p * value;
        continue;
      }
      // dV = P^T dO; dP = dO V^T; dS = P o (dP - rowsum(P o dP)) / sqrt(d); dQ = dS K; dK = dS^T Q.
      const auto all = heads * s * d;
      Eigen::Map<Matrix>(grads.data() + 2 * all + at, s, d).noalias() = p.transpose() * result;
      Matrix ds = result * value.transpose();
      const Eigen::VectorXf sums = (p.array() * ds.array()).rowwise().sum();
      ds = (p.array() * (ds.colwise() - sums).array() / std::sqrt(static_cast<float>(d))).matrix();
      Eigen::Map<Matrix>(grads.data() + at, s, d).noalias() = ds * key;
      Eigen::Map<Matrix>(grads.data() + all + at, s, d).noalias() = ds.transpose() * query;
    }
  });
}

}  // namespace railyard::device
