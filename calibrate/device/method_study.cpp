// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/method_study.h"

#include <fmt/format.h>

#include <array>

namespace railyard::device {
namespace {

struct Triple {
  std::int64_t m = 0, n = 0, k = 0;
};

// SemiAnalysis, "MI300X vs H100 vs H200 benchmark", December 2024: the products of Llama 70B it shows.
constexpr std::array<Triple, 5> published{
    {{16384, 8192, 1280}, {16384, 1024, 8192}, {16384, 8192, 7168}, {16384, 3584, 8192}, {8192, 8192, 8192}}};

WorkRequest product(const Triple& triple) {
  WorkRequest work{.kind = WorkKind::gemm};
  work.m = triple.m;
  work.n = triple.n;
  work.k = triple.k;
  return work;
}

void add_inputs(PlanBuilder& plan, const WorkRequest& work) {
  for (const Inputs inputs : {Inputs::uniform, Inputs::integers, Inputs::zeros}) {
    WorkRequest other = work;
    other.inputs = inputs;
    plan.add("gemm", "gemm bf16", fmt::format("inputs {}", to_string(inputs)), other, compatible_loop());
  }
}

void add_loops(PlanBuilder& plan, const WorkRequest& work) {
  plan.add("gemm", "gemm bf16", "cold, blocked", work, trusted_loop(1.0));
  plan.add("gemm", "gemm bf16", "back to back", work, hot_loop(0.2));
  LoopOptions loop = compatible_loop();
  loop.warm_up_s = 0;
  plan.add("gemm", "gemm bf16", "no warm-up", work, loop);
  loop = compatible_loop();
  loop.warm_up_s = 1;
  plan.add("gemm", "gemm bf16", "warm-up 1 s", work, loop);
  loop = compatible_loop();
  loop.rest_s = 1;
  plan.add("gemm", "gemm bf16", "after 1 s of rest", work, loop);
  loop = compatible_loop();
  loop.repeat_s = 1;
  plan.add("gemm", "gemm bf16", "repeat 1 s", work, loop);
  loop = compatible_loop();
  loop.flush = false;
  plan.add("gemm", "gemm bf16", "no flush", work, loop);
}

}  // namespace

void add_published(PlanBuilder& plan, bool quick) {
  for (const Triple& triple : published) {
    plan.add("gemm", "gemm bf16", "published, trusted", product(triple), trusted_loop(quick ? 0.4 : 2.0));
    plan.add("gemm", "gemm bf16", "published, compatible", product(triple), compatible_loop());
    if (triple.n == triple.k) continue;
    const Triple layer{triple.m, triple.k, triple.n};
    plan.add("gemm", "gemm bf16", "published as layer, trusted", product(layer), trusted_loop(quick ? 0.4 : 2.0));
    plan.add("gemm", "gemm bf16", "published as layer, compatible", product(layer), compatible_loop());
  }
}

void add_method_study(PlanBuilder& plan) {
  plan.preheat(product(published.back()), 4);
  for (const Triple& triple : published) {
    const WorkRequest work = product(triple);
    plan.add("gemm", "gemm bf16", "compatible", work, compatible_loop());
    add_loops(plan, work);
    add_inputs(plan, work);
    WorkRequest other = work;
    other.type = other.output = ElementType::fp16;
    plan.add("gemm", "gemm fp16", "compatible", other, compatible_loop());
    for (int choice = 1; choice < studied_choices; ++choice) {
      other = work;
      other.algorithm = choice;
      plan.add("gemm", "gemm bf16", fmt::format("choice {}", choice + 1), other, compatible_loop());
    }
    plan.add("gemm", "gemm bf16", "window", work, window_loop());
    plan.add("gemm", "gemm bf16", "compatible again", work, compatible_loop());
  }
}

}  // namespace railyard::device
