// SPDX-License-Identifier: Apache-2.0
// How long it takes to wire a fabric of each family, port by port, list its parts and price them; to plan its racks and
// cables, to find its bisection and to check it. Linear in ports: BigO is the fit. Run by scripts/bench.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "pricing/capex.h"
#include "pricing/price_book.h"
#include "topologies/bill_of_materials.h"
#include "topologies/cable_schedule.h"
#include "topologies/design.h"
#include "topologies/design_check.h"
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

/// Wires, lists the parts and prices them.
void wire(benchmark::State& state, const char* design, const char* gpu) {
  const Subject subject(design, gpu);
  const int gpus = static_cast<int>(state.range(0)), nodes = gpus / subject.server.gpus;
  const PriceBook book = load_price_book(std::filesystem::path(RAILYARD_SOURCE_DIR) / "pricing" / "books", "2026-09");
  std::size_t links = 0;
  for (auto _ : state) {
    const Fabric fabric = subject.wire(gpus);
    links = fabric.links().size();
    const BillOfMaterials bill = list_parts(fabric, subject.design, subject.parts, subject.server, nodes);
    benchmark::DoNotOptimize(price_bill(bill, book, subject.parts, gpus, nodes).total());
  }
  state.SetComplexityN(static_cast<std::int64_t>(2 * links));
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

void check(benchmark::State& state) {
  const Subject subject("ndr-rail", "h100");
  const int gpus = static_cast<int>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(check_design({subject.design, subject.server, gpus}, subject.parts, {}));
  }
}

void up_to_131072(benchmark::internal::Benchmark* bench) {
  for (const int gpus : {1024, 16384, 131072}) bench->Arg(gpus);
  bench->Unit(benchmark::kMillisecond)->Complexity(benchmark::oN);
}

// Three tiers of 64 ports end at 65 536 GPUs, two of a scheduled fabric at 9 216.
BENCHMARK_CAPTURE(wire, ndr_rail, "ndr-rail", "h100")
    ->RangeMultiplier(4)
    ->Range(1024, 65536)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(wire, roce_51t_rail, "roce-51t-rail", "mi300x")->Apply(up_to_131072);
BENCHMARK_CAPTURE(wire, rail_only, "rail-only-51t", "mi300x")->Apply(up_to_131072);
BENCHMARK_CAPTURE(wire, tor_chassis, "roce-tor-chassis", "h100")->Apply(up_to_131072);
BENCHMARK_CAPTURE(wire, dual_tor, "dual-tor-200g", "h800")->Apply(up_to_131072);
BENCHMARK_CAPTURE(wire, dragonfly, "ndr-dragonfly", "h100")->Apply(up_to_131072);
BENCHMARK_CAPTURE(wire, split_ports, "roce-25t-200g", "a100")->Apply(up_to_131072);
BENCHMARK_CAPTURE(wire, scheduled, "scheduled-jericho3", "mi300x")
    ->RangeMultiplier(2)
    ->Range(1024, 8192)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);
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
BENCHMARK(check)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace railyard
