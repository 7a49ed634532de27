// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/host_kernels.h"

#include <array>
#include <cmath>

#include "calibrate/device/host_device.h"
#include "tests/catch.h"

namespace railyard::device {
namespace {

TEST_CASE("bfloat16: rounds to nearest, ties to even, and widens exactly", "[device]") {
  CHECK(widened(rounded(1.0F)) == 1.0F);
  // Eight bits of mantissa with the hidden one: 1 + 2^-8 is a tie between 1 and 1 + 2^-7, 1 + 3 x 2^-8 one upwards.
  CHECK(widened(rounded(1.00390625F)) == 1.0F);
  CHECK(widened(rounded(1.01171875F)) == 1.015625F);
  CHECK(widened(rounded(-2.5F)) == -2.5F);
}

TEST_CASE("host product: a hand-made product in all three layouts", "[device]") {
  // [1 2; 3 4] [5 6; 7 8] = [19 22; 43 50]
  const auto bits = [](std::array<float, 4> values) {
    std::array<Bf16, 4> result{};
    for (std::size_t i = 0; i < 4; ++i) result[i] = rounded(values[i]);
    return result;
  };
  const std::array<Bf16, 4> expected = bits({19, 22, 43, 50});
  const std::array<Bf16, 4> a = bits({1, 2, 3, 4}), a_turned = bits({1, 3, 2, 4});
  const std::array<Bf16, 4> b = bits({5, 6, 7, 8}), b_turned = bits({5, 7, 6, 8});
  WorkRequest work{.kind = WorkKind::gemm};
  work.m = work.n = work.k = 2;
  for (const int threads : {1, 2, 5}) {
    std::array<Bf16, 4> c{};
    work.layout = Layout::nn;
    host_gemm(work, a, b, c, threads);
    CHECK(c == expected);
    work.layout = Layout::nt;
    host_gemm(work, a, b_turned, c, threads);
    CHECK(c == expected);
    work.layout = Layout::tn;
    host_gemm(work, a_turned, b, c, threads);
    CHECK(c == expected);
  }
}

TEST_CASE("host memory: each kernel does what its name says on every element", "[device]") {
  const std::vector<float> b(1000, 2), c(1000, 5);
  std::vector<float> a(1000, 0);
  for (const auto& [kernel, value] : {std::pair{MemoryKernel::copy, 2.0F}, std::pair{MemoryKernel::write, 1.0F},
                                      std::pair{MemoryKernel::add, 7.0F}, std::pair{MemoryKernel::triad, 17.0F}}) {
    host_memory(kernel, a, b, c, 3);
    CHECK(a == std::vector<float>(1000, value));
  }
  CHECK(host_memory(MemoryKernel::read, a, b, c, 3) == 2000);
}

/// Softmax attention of one head by plain loops in double.
double attention_entry(const WorkRequest& work, const std::vector<float>& q, const std::vector<float>& k,
                       const std::vector<float>& v, std::size_t row, std::size_t column) {
  const auto s = static_cast<std::size_t>(work.sequence), d = static_cast<std::size_t>(work.head_dim);
  double sum = 0, weighted = 0;
  for (std::size_t other = 0; other < s; ++other) {
    if (work.causal != 0 && other > row) continue;
    double score = 0;
    for (std::size_t i = 0; i < d; ++i) score += double{q[row * d + i]} * double{k[other * d + i]};
    const double weight = std::exp(score / std::sqrt(static_cast<double>(d)));
    sum += weight;
    weighted += weight * double{v[other * d + column]};
  }
  return weighted / sum;
}

TEST_CASE("host attention: forward is the softmax by plain loops, backward its difference quotient", "[device]") {
  WorkRequest work{.kind = WorkKind::attention};
  work.heads = 1;
  work.head_dim = 4;
  work.sequence = 5;
  std::vector<float> q, k, v;
  for (int i = 0; i < 20; ++i) {
    q.push_back(std::sin(1.0F + static_cast<float>(i)));
    k.push_back(std::cos(2.0F * static_cast<float>(i)));
    v.push_back(std::sin(3.0F * static_cast<float>(i)));
  }
  for (const int causal : {0, 1}) {
    work.causal = causal;
    work.backward = 0;
    std::vector<float> out(20), grads(60);
    host_attention(work, q, k, v, out, grads, 2);
    for (std::size_t i = 0; i < 20; ++i) {
      CHECK_THAT(static_cast<double>(out[i]), WithinAbs(attention_entry(work, q, k, v, i / 4, i % 4), 1e-5));
    }
    // The gradient of sum(out) needs all ones coming back.
    work.backward = 1;
    std::vector<float> ones(20, 1);
    host_attention(work, q, k, v, ones, grads, 2);
    const auto total = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < 20; ++i) sum += attention_entry(work, q, k, v, i / 4, i % 4);
      return sum;
    };
    std::vector<float>* const inputs[] = {&q, &k, &v};
    for (std::size_t which = 0; which < 3; ++which) {
      for (const std::size_t at : {std::size_t{0}, std::size_t{7}, std::size_t{18}}) {
        const float before = (*inputs[which])[at];
        (*inputs[which])[at] = before + 1e-2F;
        const double above = total();
        (*inputs[which])[at] = before - 1e-2F;
        const double below = total();
        (*inputs[which])[at] = before;
        // Central difference: its own error is of order 1e-4.
        CHECK_THAT(static_cast<double>(grads[which * 20 + at]), WithinAbs((above - below) / 2e-2, 2e-3));
      }
    }
  }
}

TEST_CASE("host device: its products verify, and what it has not is waived", "[device]") {
  const std::unique_ptr<Device> host = open_host();
  WorkRequest work{.kind = WorkKind::gemm};
  work.m = 65;
  work.n = 33;
  work.k = 129;
  for (const Layout layout : {Layout::nt, Layout::nn, Layout::tn}) {
    work.layout = layout;
    const PreparedWork prepared(*host, work);
    const std::optional<Verification> result = host->verify(prepared.id());
    REQUIRE(result);
    CHECK(result->passed());
    CHECK(result->error > 0);  // bfloat16 does round
  }
  work.type = ElementType::fp8;
  CHECK_THROWS_AS(host->prepare(work), Waived);
  CHECK_THROWS_AS(host->prepare({.kind = WorkKind::collective}), Waived);
}

}  // namespace
}  // namespace railyard::device
