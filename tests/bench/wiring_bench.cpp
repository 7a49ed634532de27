// SPDX-License-Identifier: Apache-2.0
// How long it takes to wire a fabric, port by port. Run by scripts/bench.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "topologies/design.h"
#include "topologies/fabric.h"
#include "topologies/parts.h"

namespace railyard {
namespace {

const std::filesystem::path data = std::filesystem::path(RAILYARD_SOURCE_DIR) / "topologies";

void wire(benchmark::State& state, const char* design_name, const char* gpu) {
  const Parts parts = load_parts(data / "parts");
  const Design design = load_design(data / "designs", design_name);
  const ServerPart& server = server_for(design, parts, gpu);
  const auto gpus = static_cast<int>(state.range(0));
  std::size_t links = 0;
  for (auto _ : state) {
    const Fabric fabric = build_fabric(design, parts, server, gpus);
    links = fabric.links().size();
    benchmark::DoNotOptimize(links);
  }
  state.counters["links"] = static_cast<double>(links);
}

// 131 072 GPUs need switches of 128 ports: three tiers of 64 hold 65 536.
BENCHMARK_CAPTURE(wire, ndr_rail, "ndr-rail", "h100")->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wire, roce_51t_rail, "roce-51t-rail", "mi300x")->Arg(16384)->Arg(131072)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace railyard
