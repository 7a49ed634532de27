// SPDX-License-Identifier: Apache-2.0
// Pipelines of equal stages, whose step can be derived by hand.
#include <numeric>

#include "sim/engine/bound.h"
#include "sim/engine/step.h"
#include "tests/catch.h"
#include "tests/engine/fakes.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

double part(const StepResult& result, Part which) {
  return result.breakdown[static_cast<std::size_t>(which)].in(second);
}

struct Pipeline {
  Model model = llama3_70b();
  // Memory so fast that optimizer and gradient norm take no time worth mentioning.
  Laws laws{fake_profile({}, Seconds(), 1e30 * byte / second), Speed::typical};
  Strategy strategy;
  StepCosts costs;

  Pipeline(int pp, int vpp, int micro_batches, double forward, double backward)
      : strategy(parse_strategy("seq=8192")), costs(model, with(pp, vpp, micro_batches), laws, FreeCommunication(), 1) {
    // A layer's share of a stage that takes `forward` and `backward`.
    const double share = static_cast<double>(pp) / model.layers;
    costs = uniform_costs(model, strategy, laws, forward * share, backward * share);
  }
  const Strategy& with(int pp, int vpp, int micro_batches) {
    strategy.pp = pp;
    strategy.vpp = vpp;
    strategy.global_batch = {micro_batches};
    return strategy;
  }
  [[nodiscard]] StepResult run(const Communication& communication = FreeCommunication()) const {
    return simulate_step(model, strategy, laws, communication, costs, strategy.pp);
  }
};

}  // namespace

TEST_CASE("pipeline: 1F1B takes (p - 1)(f + b) + m (f + b)", "[engine]") {
  // Narayanan et al. (SC21), section 2.2.1: fill and drain of p - 1 stages around m micro-batches.
  const auto [pp, micro_batches] = GENERATE(table<int, int>({{1, 1}, {1, 5}, {2, 7}, {4, 4}, {8, 2}, {8, 32}}));
  const Pipeline pipeline(pp, 1, micro_batches, 1.0, 2.0);
  const StepResult result = pipeline.run();
  CHECK_THAT(result.step_time.in(second), WithinRel(3.0 * (pp - 1) + 3.0 * micro_batches, 1e-9));
  CHECK_THAT(part(result, Part::pp_bubble), WithinAbs(3.0 * (pp - 1), 1e-9));
  CHECK_THAT(part(result, Part::compute), WithinRel(3.0 * micro_batches, 1e-9));
  const FreeCommunication free;
  CHECK_THAT(lower_bound(pipeline.costs, pipeline.model, pipeline.strategy, pipeline.laws, free, pp).in(second),
             WithinRel(result.step_time.in(second), 1e-9));
}

TEST_CASE("pipeline: v chunks a stage divide the bubble by v", "[engine]") {
  // SC21, section 2.2.2: bubble (p - 1)(f + b) / v.
  const auto [pp, vpp, micro_batches] =
      GENERATE(table<int, int, int>({{2, 2, 2}, {4, 2, 8}, {4, 5, 16}, {8, 10, 8}, {8, 2, 64}}));
  const StepResult result = Pipeline(pp, vpp, micro_batches, 1.0, 2.0).run();
  CHECK_THAT(part(result, Part::pp_bubble), WithinRel(3.0 * (pp - 1) / vpp, 1e-9));
  CHECK_THAT(result.step_time.in(second), WithinRel(3.0 * micro_batches + 3.0 * (pp - 1) / vpp, 1e-9));
}

TEST_CASE("pipeline: one stage has no bubble and sends nothing", "[engine]") {
  const StepResult result = Pipeline(1, 1, 8, 1.0, 2.0).run(FakeCommunication(1e6 * byte / second, 1 * second));
  CHECK(part(result, Part::pp_bubble) == 0);
  CHECK(part(result, Part::pp_send) == 0);
}

TEST_CASE("pipeline: sends that take s show in fill, drain and turns of 1F1B", "[engine]") {
  // Two stages, m micro-batches, a send takes s. By hand for m = 1: F, send, F, B, send, B = 2 f + 2 b + 2 s.
  const double send = 0.25;
  const FakeCommunication network(1e30 * byte / second, send * second);
  const StepResult one = Pipeline(2, 1, 1, 1.0, 2.0).run(network);
  // The gradient norm's all-reduce takes the latency of this network too; in the breakdown it is dp.
  CHECK_THAT(one.step_time.in(second), WithinRel(6 + 2 * send + send, 1e-9));
  CHECK_THAT(part(one, Part::pp_send), WithinAbs(2 * send, 1e-9));
  CHECK_THAT(part(one, Part::dp), WithinAbs(send, 1e-9));
  // Sends hide under compute when chunks are interleaved, but for fill and drain: 2 (p - 1) of them at least.
  const StepResult many = Pipeline(2, 2, 16, 1.0, 2.0).run(network);
  const StepResult plain = Pipeline(2, 1, 16, 1.0, 2.0).run(network);
  CHECK(part(many, Part::pp_send) < part(plain, Part::pp_send));
  CHECK(many.step_time < plain.step_time);
}

TEST_CASE("pipeline: layer by layer, gathers hide under the forward and reductions under the backward pass",
          "[engine]") {
  // One stage of 80 layers of 0.1 s and 0.2 s on two data-parallel GPUs; every collective takes s. The first layer
  // waits for its parameters (s), the last reduction ends s after the backward pass, the gradient norm takes s.
  const Model model = llama3_70b();
  const Laws laws(fake_profile({}, Seconds(), 1e30 * byte / second), Speed::typical);
  const Strategy strategy = parse_strategy("gbs=4 seq=8192");
  const StepCosts costs = uniform_costs(model, strategy, laws, 0.1, 0.2);
  const auto time = [&](double s) {
    const FakeCommunication network(1e30 * byte / second, s * second);
    return simulate_step(model, strategy, laws, network, costs, 2).step_time.in(second);
  };
  const double passes = 2 * 80 * 0.3;
  CHECK_THAT(time(0.05), WithinRel(passes + 3 * 0.05, 1e-9));
  // Slower than a layer's forward pass: the first pass ends a layer after the last gather. Still faster than backward.
  CHECK_THAT(time(0.15), WithinRel(passes - 80 * 0.1 + 80 * 0.15 + 0.1 + 2 * 0.15, 1e-9));
}

TEST_CASE("pipeline: sharded parameters travel layer by layer beside the layer before", "[engine]") {
  // One stage of 80 layers of 0.1 s and 0.2 s (or 0.3 s with its own recomputation) on two GPUs, two micro-batches;
  // every collective takes s. A micro-batch gathers what lies outside the layers, then the first layer (2 s); forward,
  // gathers hide under 0.1 s each. Backward a gather and a reduction hide under 0.2 s; the last layer is gathered when
  // the one before it has run, under the forward pass of the last. The last layer's reduction and that outside the
  // layers end each micro-batch (2 s), the gradient norm the step (s).
  const Model model = llama3_70b();
  const Laws laws(fake_profile({}, Seconds(), 1e30 * byte / second), Speed::typical);
  const auto time = [&](const std::string& text, double s) {
    const Strategy strategy = parse_strategy("gbs=4 seq=8192 " + text);
    const StepCosts costs = uniform_costs(model, strategy, laws, 0.1, 0.2);
    const FakeCommunication network(1e30 * byte / second, s * second);
    return simulate_step(model, strategy, laws, network, costs, 2).step_time.in(second);
  };
  const double passes = 2 * 80 * 0.3;
  CHECK_THAT(time("zero=3", 0.01), WithinRel(passes + 2 * 4 * 0.01 + 0.01, 1e-9));
  CHECK_THAT(time("zero=2", 0.01), WithinRel(passes + 2 * 4 * 0.01 + 0.01, 1e-9));
  // In turns: 81 gathers and 81 reductions of ZeRO-2, 80 gathers more of ZeRO-3.
  CHECK_THAT(time("zero=2 dp_overlap=0", 0.01), WithinRel(passes + 2 * 162 * 0.01 + 0.01, 1e-9));
  CHECK_THAT(time("zero=3 dp_overlap=0", 0.01), WithinRel(passes + 2 * 242 * 0.01 + 0.01, 1e-9));
  // Traffic that no pass can hide: the queue is never empty but for the gradient norm.
  CHECK_THAT(time("zero=3", 0.5), WithinRel(2 * 242 * 0.5 + 0.5, 0.01));
}
