// SPDX-License-Identifier: Apache-2.0
// How long the network room takes to read a wired fabric, to route a layout for the first time, and to answer again.
// Run by scripts/bench.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "calibrate/profile/profile.h"
#include "sim/network/network.h"
#include "topologies/design.h"
#include "topologies/fabric.h"
#include "topologies/parts.h"

namespace railyard {
namespace {

const std::filesystem::path source(RAILYARD_SOURCE_DIR);

struct Cluster {
  explicit Cluster(int gpus, const char* design_name = "ndr-rail", const char* gpu = "h100")
      : parts(load_parts(source / "topologies" / "parts")),
        design(load_design(source / "topologies" / "designs", design_name)),
        profile(load_profile(source / "calibrate" / "profiles", gpu[0] == 'h' ? "h100-cuda" : "mi300x-rocm-stable")),
        fabric(build_fabric(design, parts, server_for(design, parts, gpu), gpus)),
        kind(gpu[0] == 'h' ? ScaleUpKind::switched : ScaleUpKind::mesh) {}
  [[nodiscard]] Network network() const { return {fabric, profile, Speed::typical, design.fabric, 8, kind}; }

  Parts parts;
  Design design;
  Profile profile;
  Fabric fabric;
  ScaleUpKind kind;
};

void construct(benchmark::State& state) {
  const Cluster cluster(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(cluster.network());
}

/// Groups of `size` GPUs (0: as many as there are), `stride` apart.
void first_query(benchmark::State& state, Collective collective, int size, int stride) {
  const auto gpus = static_cast<int>(state.range(0));
  const Cluster cluster(gpus);
  const GroupLayout layout{size > 0 ? size : gpus / stride, stride};
  for (auto _ : state) {
    state.PauseTiming();
    const Network network = cluster.network();
    state.ResumeTiming();
    benchmark::DoNotOptimize(network.collective(collective, gibibyte, layout));
  }
}

void first_send(benchmark::State& state) {
  const Cluster cluster(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    const Network network = cluster.network();
    state.ResumeTiming();
    benchmark::DoNotOptimize(network.send(64 * mebibyte, static_cast<int>(state.range(0)) / 8));
  }
}

void repeated_query(benchmark::State& state) {
  const Cluster cluster(static_cast<int>(state.range(0)));
  const Network network = cluster.network();
  Bytes bytes = mebibyte;
  for (auto _ : state) {
    bytes += byte;
    benchmark::DoNotOptimize(network.collective(Collective::all_reduce, bytes, {64, 8}));
  }
}

void sizes(benchmark::internal::Benchmark* bench) { bench->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond); }

BENCHMARK(construct)->Apply(sizes);
BENCHMARK_CAPTURE(first_query, all_reduce_of_all, Collective::all_reduce, 0, 1)->Apply(sizes);
BENCHMARK_CAPTURE(first_query, all_gather_of_rails, Collective::all_gather, 0, 8)->Apply(sizes);
BENCHMARK_CAPTURE(first_query, all_reduce_of_rails, Collective::all_reduce, 0, 8)->Apply(sizes);
BENCHMARK_CAPTURE(first_query, all_reduce_of_nodes, Collective::all_reduce, 8, 1)->Apply(sizes);
BENCHMARK_CAPTURE(first_query, all_to_all_of_64, Collective::all_to_all, 64, 1)->Apply(sizes);
BENCHMARK(first_send)->Apply(sizes);
BENCHMARK(repeated_query)->Arg(1024)->Arg(16384)->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace railyard
