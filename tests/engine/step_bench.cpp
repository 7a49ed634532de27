// SPDX-License-Identifier: Apache-2.0
// How long one step takes to simulate, by chunks and by operators, and how fast strategies are screened. Run by
// scripts/bench.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "calibrate/profile/profile.h"
#include "sim/engine/bound.h"
#include "sim/engine/communication.h"
#include "sim/engine/costs.h"
#include "sim/engine/step.h"
#include "sim/network/network.h"
#include "sim/workload/model.h"
#include "sim/workload/strategy.h"
#include "topologies/design.h"
#include "topologies/fabric.h"
#include "topologies/parts.h"

namespace railyard {
namespace {

const std::filesystem::path source(RAILYARD_SOURCE_DIR);

struct Job {
  Job(const char* model_name, const char* text, int job_gpus)
      : gpus(job_gpus),
        model(load_model(source / "sim" / "workload" / "models", model_name)),
        strategy(parse_strategy(text)),
        profile(load_profile(source / "calibrate" / "profiles", "h100-cuda")),
        laws(profile, Speed::typical),
        parts(load_parts(source / "topologies" / "parts")),
        design(load_design(source / "topologies" / "designs", "ndr-rail")),
        network(build_fabric(design, parts, server_for(design, parts, "h100"), gpus), profile, Speed::typical,
                design.fabric, 8, ScaleUpKind::switched),
        communication(network),
        costs(model, strategy, laws, communication, gpus) {}

  int gpus;
  Model model;
  Strategy strategy;
  Profile profile;
  Laws laws;
  Parts parts;
  Design design;
  Network network;
  NetworkCommunication communication;
  StepCosts costs;
};

void simulate(benchmark::State& state, const char* model, const char* text, int gpus, Resolution resolution) {
  const Job job(model, text, gpus);
  std::size_t tasks = 0;
  for (auto _ : state) {
    const StepResult step =
        simulate_step(job.model, job.strategy, job.laws, job.communication, job.costs, gpus, resolution);
    tasks += step.tasks;
    benchmark::DoNotOptimize(step);
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["tasks"] = static_cast<double>(tasks) / runs;
  state.counters["tasks/s"] = benchmark::Counter(static_cast<double>(tasks), benchmark::Counter::kIsRate);
  state.counters["steps/s"] = benchmark::Counter(runs, benchmark::Counter::kIsRate);
}

void screen(benchmark::State& state, const char* model, const char* text, int gpus) {
  const Job job(model, text, gpus);
  for (auto _ : state) {
    benchmark::DoNotOptimize(lower_bound(job.costs, job.model, job.strategy, job.laws, job.communication, gpus));
  }
  state.counters["bounds/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

constexpr auto llama = "tp=8 sp=1 pp=4 vpp=5 gbs=1024 seq=8192";
constexpr auto gpt = "tp=8 sp=1 pp=8 vpp=12 gbs=4096 seq=2048 mbs=1 precision=fp8 tp_overlap=1";

BENCHMARK_CAPTURE(simulate, chunks_llama_1024, "llama3-70b", llama, 1024, Resolution::chunks)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(simulate, chunks_gpt3_16384, "gpt3-175b", gpt, 16384, Resolution::chunks)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(simulate, operators_gpt3_16384, "gpt3-175b", gpt, 16384, Resolution::operators)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(screen, llama_1024, "llama3-70b", llama, 1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(screen, gpt3_16384, "gpt3-175b", gpt, 16384)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace railyard
