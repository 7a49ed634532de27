// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/costs.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/engine/fakes.h"
#include "tests/workload/models.h"

using namespace railyard;

TEST_CASE("costs: the slowest of n GPUs is the expected maximum of n normals", "[engine]") {
  // Harter (1961), Expected values of normal order statistics: 1.1630 of 5, 2.5076 of 100, 3.2414 of 1000. Blom's
  // approximation is within 0.6 %.
  const Laws laws(fake_profile({1, 1, 0.01}), Speed::typical);
  CHECK(straggler_factor(laws, 1) == 1);
  CHECK_THAT(straggler_factor(laws, 5) - 1, WithinRel(0.011630, 0.02));
  CHECK_THAT(straggler_factor(laws, 100) - 1, WithinRel(0.025076, 0.006));
  CHECK_THAT(straggler_factor(laws, 1000) - 1, WithinRel(0.032414, 0.006));
}

TEST_CASE("costs: without overlap the parts are kernels, gaps and traffic added up", "[engine]") {
  const Model model = gpt3_175b();
  const Strategy strategy = parse_strategy("tp=4 sp=1 gbs=1 seq=2048");
  const Laws laws(fake_profile({}, 2 * microsecond), Speed::typical);
  const FakeCommunication network(300e9 * byte / second, 10 * microsecond);
  const StepCosts costs(model, strategy, laws, network, 1);
  double kernels = 0;
  double traffic = 0;
  for (const Operator& op : layer_forward(model, strategy)) {
    if (op.kind == OperatorKind::collective) {
      traffic += network.collective(op.collective, op.message, {4, 1}).time.in(second);
    } else {
      ++kernels;
    }
  }
  CHECK(kernels == 10);
  CHECK_THAT(costs.layer_forward.cost.host, WithinRel(kernels * 2e-6, 1e-12));
  // No collective of the forward pass is hidden without tp_overlap.
  CHECK_THAT(costs.layer_forward.cost.tp, WithinRel(traffic, 1e-12));
  CHECK(costs.layer_forward.cost.paired == 0);
  CHECK(costs.layer_forward.cost.straggler == 0);
}

TEST_CASE("costs: what overlap leaves exposed", "[engine]") {
  // Traffic far shorter than any GEMM, no slowdown: gathers vanish; of a scatter the last of 4 parts stays. With
  // traffic far longer than any GEMM: a gather leaves all but 3/4 of its GEMM, a scatter all but 3/4 of its GEMM.
  const Model model = gpt3_175b();
  const Strategy hidden = parse_strategy("tp=4 sp=1 gbs=1 seq=2048 tp_overlap=1");
  const Laws laws(fake_profile(), Speed::typical);
  const double message = 2.0 * 2048 * 12288;
  const auto tp = [&](double bandwidth) {
    const FakeCommunication network(bandwidth * byte / second, Seconds());
    return StepCosts(model, hidden, laws, network, 1).layer_forward.cost.tp;
  };
  CHECK_THAT(tp(1e13), WithinRel(2 * message / 1e13 / 4, 1e-9));
  double gemms = 0;
  for (const Operator& op : layer_forward(model, hidden)) {
    if (op.kind != OperatorKind::gemm) continue;
    // Shards of the tensor group and parts of a scatter are four each, and a quarter of the rows fills the GPU less
    // well.
    GemmShape quarter = op.gemm;
    quarter.m /= 4;
    gemms += 4 * laws.gemm(quarter, op.precision, op.output_size).in(second);
  }
  CHECK_THAT(tp(1e9), WithinRel(4 * message / 1e9 - 0.75 * gemms, 1e-9));
}

TEST_CASE("costs: overlap with slowdown is never better than without, nor worse than in turn where it matters",
          "[engine]") {
  // At 3 TB/s there is so little to hide that cutting the GEMMs costs more: up to 3e11 here.
  const Model model = gpt3_175b();
  const double bandwidth = GENERATE(3e10, 1e11, 3e11);
  const FakeCommunication network(bandwidth * byte / second, 5 * microsecond);
  const Laws plain(fake_profile(), Speed::typical);
  const Laws slowed(fake_profile({1.2, 1.4}), Speed::typical);
  const Strategy hidden = parse_strategy("tp=4 sp=1 gbs=1 seq=2048 tp_overlap=1");
  const Strategy turns = parse_strategy("tp=4 sp=1 gbs=1 seq=2048");
  const double best = StepCosts(model, hidden, plain, network, 1).layer_forward.cost.total();
  const double real = StepCosts(model, hidden, slowed, network, 1).layer_forward.cost.total();
  const double worst = StepCosts(model, turns, plain, network, 1).layer_forward.cost.total();
  CHECK(best <= real);
  CHECK(real <= worst);
}

TEST_CASE("costs: FP8 gradients are slower by the profile's factor, and nothing else is", "[engine]") {
  // Against the same products without the flag, one by one.
  const Model model = llama3_70b();
  const Strategy strategy = parse_strategy("gbs=1 seq=8192 precision=fp8 grad=bf16");
  Profile profile = fake_profile();
  profile.gemm.at(Precision::fp8).backward_slowdown = Figure<double>{.value = {1.01, 1.06, 1.12}, .evidence = {}};
  const Laws laws(profile, Speed::typical);
  const FreeCommunication free;
  const StepCosts costs(model, strategy, laws, free, 1);
  const auto added = [&](const Operators& list, double slowed) {
    double sum = 0;
    for (const Operator& op : list) {
      if (op.kind == OperatorKind::gemm) {
        sum += (laws.gemm(op.gemm, op.precision, op.output_size) * (op.split_accumulator ? slowed : 1)).in(second);
      } else if (op.kind == OperatorKind::memory) {
        sum += laws.memory(op.traffic).in(second);
      } else if (op.kind == OperatorKind::attention_forward) {
        sum += laws.attention_forward(op.flops, 8192, 128).in(second);
      } else {
        sum += laws.attention_backward(op.flops, 8192, 128).in(second);
      }
    }
    return sum;
  };
  CHECK_THAT(costs.layer_forward.cost.compute, WithinRel(added(layer_forward(model, strategy), 1), 1e-12));
  CHECK_THAT(costs.layer_backward.cost.compute, WithinRel(added(layer_backward(model, strategy), 1.06), 1e-12));
}

TEST_CASE("costs: ring attention hides what fits under its turns", "[engine]") {
  // Three passes forward beside turns that each take a quarter of the attention. Traffic far shorter vanishes; far
  // longer, each leaves all but its turn.
  const Model model = llama3_70b();
  const Strategy strategy = parse_strategy("tp=8 sp=1 cp=4 gbs=1 seq=32768");
  const Laws laws(fake_profile(), Speed::typical);
  const double message = 2 * 8192.0 * 128 * 2;
  double turn = 0;
  for (const Operator& op : layer_forward(model, strategy)) {
    if (op.kind == OperatorKind::attention_forward) turn = laws.attention_forward(op.flops, 8192, 128).in(second);
  }
  const auto cp = [&](double bandwidth) {
    const FakeCommunication network(bandwidth * byte / second, Seconds());
    return StepCosts(model, strategy, laws, network, 32).layer_forward.cost.cp;
  };
  CHECK_THAT(cp(1e15), WithinAbs(0, 1e-12));
  CHECK_THAT(cp(1e6), WithinRel(3 * (message / 1e6 - turn), 1e-9));
}

TEST_CASE("costs: an exchange by node takes as long as its slower way", "[engine]") {
  // DeepSeek-V3 on 8 nodes of 8: 8 copies of a token within a node, 4 between nodes. The fake network has one bandwidth
  // for both, so that the way within a node is the slower one and the exchange takes what the plain one does.
  const Model model = shipped("deepseek-v3");
  const Laws laws(fake_profile(), Speed::typical);
  const FakeCommunication network(40e9 * byte / second, Seconds());
  const auto ep = [&](const std::string& text) {
    return StepCosts(model, parse_strategy("gbs=1 seq=4096 ep=64 " + text), laws, network, 64).layer_forward.cost.ep;
  };
  const double within = 2 * 2 * 4096.0 * 8 * 7168 / 40e9;
  CHECK_THAT(ep(""), WithinRel(within, 1e-9));
  CHECK_THAT(ep("ep_local=8"), WithinRel(within, 1e-9));
}
