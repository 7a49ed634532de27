// SPDX-License-Identifier: Apache-2.0
// How long it takes to wire a fabric, port by port, to plan its racks and cables, to count it and to find its
// bisection. Run by scripts/bench.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "topologies/bill_of_materials.h"
#include "topologies/cable_schedule.h"
#include "topologies/design.h"
#include "topologies/fabric.h"
#include "topologies/parts.h"

namespace railyard {
namespace {

struct Subject {
  Parts parts;
  Design design;
  const ServerPart& server;

  Subject(const char* design_name, const char* gpu)
      : parts(load_parts(data() / "parts")),
        design(load_design(data() / "designs", design_name)),
        server(server_for(design, parts, gpu)) {}
  static std::filesystem::path data() { return std::filesystem::path(RAILYARD_SOURCE_DIR) / "topologies"; }
  [[nodiscard]] Fabric wire(int gpus) const { return build_fabric(design, parts, server, gpus); }
};

void wire(benchmark::State& state, const char* design, const char* gpu) {
  const Subject subject(design, gpu);
  std::size_t links = 0;
  for (auto _ : state) {
    const Fabric fabric = subject.wire(static_cast<int>(state.range(0)));
    links = fabric.links().size();
    benchmark::DoNotOptimize(links);
  }
  using benchmark::Counter;
  state.counters["links"] = static_cast<double>(links);
  // Seconds a port (two to a link): the same at every size when the time is linear in ports.
  state.counters["per_port"] =
      Counter(2 * static_cast<double>(links), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void count(benchmark::State& state) {
  const Subject subject("ndr-rail", "h100");
  const Fabric fabric = subject.wire(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(count_network(fabric, subject.design, subject.parts, subject.server));
  }
}

void bisection(benchmark::State& state) {
  const Subject subject("ndr-rail", "h100");
  const Fabric fabric = subject.wire(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(bisection_bandwidth(fabric));
}

/// Racks for a wired fabric, then its cables at prices that let media compete.
void plan(benchmark::State& state, const char* design, const char* gpu) {
  const Subject subject(design, gpu);
  const Site site = load_site(Subject::data() / "sites", "air-40kw");
  const Fabric fabric = subject.wire(static_cast<int>(state.range(0)));
  const PartCost cost = [](std::string_view part, std::optional<Metres> length) {
    return std::optional(length ? 50 + 3 * length->in(metre) : part.starts_with("osfp-rhs") ? 700.0 : 1000.0);
  };
  for (auto _ : state) {
    const FloorPlan floor = plan_floor(fabric, subject.design, subject.parts, subject.server, site);
    const CableSchedule cables = schedule_cables(fabric, subject.design, subject.parts, subject.server, floor, cost);
    benchmark::DoNotOptimize(cables.cables().size());
  }
  using benchmark::Counter;
  state.counters["per_link"] =
      Counter(static_cast<double>(fabric.links().size()), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

// 131 072 GPUs need switches of 128 ports: three tiers of 64 hold 65 536.
BENCHMARK_CAPTURE(wire, ndr_rail, "ndr-rail", "h100")
    ->RangeMultiplier(4)
    ->Range(1024, 65536)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wire, roce_51t_rail, "roce-51t-rail", "mi300x")
    ->Arg(16384)
    ->Arg(131072)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, ndr_rail, "ndr-rail", "h100")
    ->RangeMultiplier(4)
    ->Range(1024, 65536)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, roce_51t_rail, "roce-51t-rail", "mi300x")
    ->Arg(16384)
    ->Arg(131072)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(count)->Arg(16384)->Unit(benchmark::kMillisecond);
BENCHMARK(bisection)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace railyard
