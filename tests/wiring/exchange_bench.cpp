// SPDX-License-Identifier: Apache-2.0
// How long it takes to write a wired fabric for others, and to read it back. Run by scripts/bench.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <optional>

#include "topologies/exchange/cable_lists.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/validation_files.h"

namespace railyard {
namespace {

/// A planned cluster, made once a size.
struct Subject {
  Parts parts = load_parts(data() / "parts");
  Design design = load_design(data() / "designs", "ndr-rail");
  const ServerPart& server = server_for(design, parts, "h100");
  Fabric fabric;
  FabricNames names;
  FloorPlan floor;
  CableSchedule cables;

  explicit Subject(int gpus)
      : fabric(build_fabric(design, parts, server, gpus)),
        names(fabric, design, parts, server),
        floor(plan_floor(fabric, design, parts, server, load_site(data() / "sites", "air-40kw"))),
        cables(schedule_cables(fabric, design, parts, server, floor,
                               [](std::string_view, std::optional<Metres>) { return std::optional<double>(); })) {}
  static std::filesystem::path data() { return std::filesystem::path(RAILYARD_SOURCE_DIR) / "topologies"; }
  [[nodiscard]] Wiring wiring() const { return {design, parts, server, fabric, names, &floor, &cables}; }
};

/// Counts what is written and forgets it, as a pipe would.
void write(benchmark::State& state, TextSource (*form)(const Wiring&)) {
  const Subject subject(static_cast<int>(state.range(0)));
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    TextSink sink([&](std::string_view piece) { bytes += piece.size(); });
    form(subject.wiring())(sink);
    sink.flush();
  }
  using benchmark::Counter;
  state.counters["bytes"] = static_cast<double>(bytes);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  // Seconds a link: the same at every size when the time is linear.
  state.counters["per_link"] = Counter(static_cast<double>(subject.fabric.links().size()),
                                       Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void read(benchmark::State& state) {
  const Subject subject(static_cast<int>(state.range(0)));
  const std::string text = text_of(graphml_of(subject.wiring()));
  for (auto _ : state) benchmark::DoNotOptimize(read_graphml(text, "bench.graphml").fabric.links().size());
  using benchmark::Counter;
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
  state.counters["per_link"] = Counter(static_cast<double>(subject.fabric.links().size()),
                                       Counter::kIsIterationInvariantRate | Counter::kInvert);
}

BENCHMARK_CAPTURE(write, cut_sheet, cut_sheet_of)
    ->RangeMultiplier(4)
    ->Range(1024, 16384)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, graphml, graphml_of)->Arg(16384)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, point_to_point, point_to_point_of)->Arg(16384)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, dot, dot_of)->Arg(16384)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, topo, topo_of)->Arg(16384)->Unit(benchmark::kMillisecond);
BENCHMARK(read)->RangeMultiplier(4)->Range(1024, 16384)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace railyard
