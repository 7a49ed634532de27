// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/step.h"

#include <numeric>

#include "sim/engine/bound.h"
#include "sim/engine/step_graph.h"
#include "tests/catch.h"
#include "tests/engine/fakes.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

struct Case {
  const char* text;
  int gpus;
  const char* model = "llama3-70b";
};

// Few and many GPUs, with every feature on and off.
Case some_case() {
  return GENERATE(values<Case>({
      {"tp=8 sp=1 pp=8 vpp=5 gbs=128 seq=8192", 256},
      {"tp=8 sp=1 pp=4 vpp=1 mbs=2 gbs=64 seq=8192 recompute=full zero=0", 128},
      {"tp=4 sp=1 pp=8 vpp=10 gbs=32 seq=4096 precision=fp8 tp_overlap=1 grad=bf16", 128},
      {"tp=2 pp=4 gbs=16 seq=2048 recompute=selective dp_overlap=0", 16},
      {"tp=1 pp=1 gbs=16 seq=2048 dp_overlap=0", 8},
      {"tp=8 sp=1 pp=1 gbs=64 seq=8192 tp_overlap=1", 64},
      {"tp=8 sp=1 pp=2 vpp=4 gbs=4 seq=8192", 16},
      {"tp=8 sp=1 cp=4 pp=2 vpp=4 gbs=8 seq=32768", 128},
      {"zero=3 gbs=128 mbs=2 seq=4096", 32, "llama3-8b"},
      {"tp=2 zero=2 gbs=32 seq=4096 dp_overlap=0", 8, "llama3-8b"},
      {"zero=3 gbs=32 seq=4096 dp_overlap=0 precision=fp8", 16, "llama3-8b"},
      {"tp=2 sp=1 ep=4 pp=4 vpp=2 gbs=32 seq=4096 tp_overlap=1", 32, "mixtral-8x7b"},
      {"ep=8 zero=3 gbs=32 seq=4096", 16, "mixtral-8x7b"},
      {"ep=64 pp=4 vpp=4 gbs=256 seq=4096 precision=fp8", 256, "deepseek-v3"},
      {"tp=2 sp=1 ep=16 pp=8 vpp=4 gbs=64 seq=4096", 128, "deepseek-v3"},
      {"tp=8 sp=1 pp=8 vpp=8 cp=2 gbs=16 seq=8192 split_sends=1", 256, "llama3-405b"},
      {"tp=8 pp=5 vpp=3 gbs=10 seq=2048 attention=unfused dropout=1 precision=fp16 recompute=full split_sends=1 zero=0",
       40, "megatron-530b"},
  }));
}

struct Setting {
  explicit Setting(const char* id = "llama3-70b") : model(shipped(id)) {}

  Model model;
  Laws laws{fake_profile({1.19, 1.43, 0.012}, 1.5 * microsecond), Speed::typical};

  [[nodiscard]] StepResult run(const Strategy& strategy, int gpus, double bandwidth,
                               Resolution resolution = Resolution::chunks) const {
    const FakeCommunication network(bandwidth * byte / second, 10 * microsecond);
    const StepCosts costs(model, strategy, laws, network, gpus);
    return simulate_step(model, strategy, laws, network, costs, gpus, resolution);
  }
};

}  // namespace

TEST_CASE("step: the breakdown sums to the step time", "[engine]") {
  const Case each = some_case();
  INFO(each.model << " " << each.text);
  const Setting setting(each.model);
  const Strategy strategy = parse_strategy(each.text);
  REQUIRE(strategy_faults(strategy, setting.model, each.gpus, 8).empty());
  for (const Resolution resolution : {Resolution::chunks, Resolution::operators}) {
    const StepResult result = setting.run(strategy, each.gpus, 40e9, resolution);
    Seconds sum;
    for (const Seconds seconds : result.breakdown) {
      CHECK(seconds >= Seconds());
      sum += seconds;
    }
    // Rounding of up to a hundred thousand additions.
    CHECK_THAT(sum.in(second), WithinRel(result.step_time.in(second), 1e-10));
  }
}

TEST_CASE("step: chunks and operators give the same step within 0.1 %", "[engine]") {
  const Case each = some_case();
  INFO(each.model << " " << each.text);
  const Setting setting(each.model);
  const Strategy strategy = parse_strategy(each.text);
  const StepResult chunks = setting.run(strategy, each.gpus, 40e9);
  const StepResult operators = setting.run(strategy, each.gpus, 40e9, Resolution::operators);
  CHECK(operators.tasks > chunks.tasks);
  CHECK_THAT(operators.step_time.in(second), WithinRel(chunks.step_time.in(second), 1e-3));
}

TEST_CASE("step: more bandwidth never slows", "[engine]") {
  const Case each = some_case();
  INFO(each.model << " " << each.text);
  const Setting setting(each.model);
  const Strategy strategy = parse_strategy(each.text);
  Seconds before = 1e9 * second;
  for (const double bandwidth : {5e9, 1e10, 2e10, 4e10, 8e10, 1.6e11, 3.2e11, 1e12}) {
    const Seconds step = setting.run(strategy, each.gpus, bandwidth).step_time;
    CHECK(step <= before);
    before = step;
  }
}

TEST_CASE("step: no step beats its bounds, and the one that knows the network is the tighter", "[engine]") {
  const Case each = some_case();
  INFO(each.model << " " << each.text);
  const Setting setting(each.model);
  const Strategy strategy = parse_strategy(each.text);
  for (const double bandwidth : {1e10, 4e10, 1e12}) {
    const FakeCommunication network(bandwidth * byte / second, 10 * microsecond);
    const StepCosts costs(setting.model, strategy, setting.laws, network, each.gpus);
    const Seconds step = simulate_step(setting.model, strategy, setting.laws, network, costs, each.gpus).step_time;
    const Seconds bound = lower_bound(costs, setting.model, strategy, setting.laws, network, each.gpus);
    // A billionth for the order of additions.
    CHECK(bound <= step * (1 + 1e-9));
    CHECK(step_lower_bound(setting.model, strategy, setting.laws, each.gpus) <= bound * (1 + 1e-9));
  }
}

TEST_CASE("step: with rates frozen a delayed operator moves the step by what its slack does not cover", "[engine]") {
  const Setting setting;
  const Strategy strategy = parse_strategy("tp=8 sp=1 pp=4 vpp=2 gbs=8 seq=8192 tp_overlap=1");
  const int gpus = 64;
  const FakeCommunication network(40e9 * byte / second, 10 * microsecond);
  const StepCosts costs(setting.model, strategy, setting.laws, network, gpus);
  const StepGraph step = build_step(setting.model, strategy, setting.laws, costs, network, schedule_of(strategy, gpus),
                                    gpus, Resolution::operators);
  const Timeline before = run(step.graph, Rates{});
  const std::vector<double> free = slack(step.graph, before);
  const std::vector<TaskId> critical = critical_path(before);
  CHECK(critical.size() > 100);
  const double delay = 1e-3;
  const auto moved = [&](TaskId task) {
    TaskGraph graph = step.graph;
    graph.delay(task, delay);
    return run(graph, Rates{}).makespan - before.makespan;
  };
  for (std::size_t i = 0; i < critical.size(); i += 97) CHECK_THAT(moved(critical[i]), WithinAbs(delay, 1e-12));
  int untouched = 0;
  for (std::size_t i = 0; i < free.size(); i += 101) {
    const double expected = std::max(0.0, delay - free[i]);
    untouched += expected > 0 ? 0 : 1;
    CHECK_THAT(moved(static_cast<TaskId>(i)), WithinAbs(expected, 1e-12));
  }
  CHECK(untouched > 0);
}

TEST_CASE("step: hiding traffic helps, and costs nothing when there is none", "[engine]") {
  const Setting setting;
  const auto time = [&](const std::string& options) {
    return setting.run(parse_strategy("tp=8 sp=1 pp=4 vpp=2 gbs=64 seq=8192 " + options), 256, 40e9).step_time;
  };
  CHECK(time("dp_overlap=1") < time("dp_overlap=0"));
  CHECK(time("tp_overlap=1") < time("tp_overlap=0"));
  CHECK(time("grad=bf16") < time("grad=fp32"));
  CHECK(time("recompute=none") < time("recompute=selective"));
  CHECK(time("recompute=selective") < time("recompute=full"));
}

TEST_CASE("step: a single GPU computes and nothing else", "[engine]") {
  const Setting setting;
  const StepResult result = setting.run(parse_strategy("gbs=4 seq=2048"), 1, 40e9);
  for (const Part part : {Part::tp, Part::pp_bubble, Part::pp_send, Part::dp, Part::straggler}) {
    INFO(to_string(part));
    CHECK(result.breakdown[static_cast<std::size_t>(part)].in(second) == 0);
  }
}

TEST_CASE("step: traffic of experts and of context shows in its own part", "[engine]") {
  const auto part = [](const StepResult& result, Part which) {
    return result.breakdown[static_cast<std::size_t>(which)].in(second);
  };
  const StepResult experts =
      Setting("mixtral-8x7b").run(parse_strategy("ep=8 gbs=32 seq=4096"), 16, 40e9, Resolution::operators);
  CHECK(part(experts, Part::ep) > 0);
  CHECK(part(experts, Part::cp) == 0);
  CHECK(part(experts, Part::tp) == 0);
  const StepResult context =
      Setting().run(parse_strategy("tp=8 sp=1 pp=4 cp=2 gbs=8 seq=8192"), 128, 1e9, Resolution::operators);
  CHECK(part(context, Part::cp) > 0);
  CHECK(part(context, Part::ep) == 0);
}
