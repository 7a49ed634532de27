// SPDX-License-Identifier: Apache-2.0
// How long it takes to route traffic flow by flow over the wired fabric and to find every flow's rate; wiring is left
// out, reading the fabric is not. Bounds at 16 384 GPUs (three tiers): a ring all-reduce of 1 GiB 100 ms and 200 MB, a
// random permutation 300 ms. `of_bound` is the share of that time which the machine needs to go once over the links,
// the messages, the flows' uses and their rates, at the bandwidth it has for copies. Run by scripts/bench.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>

#include "sim/network/fabric_map.h"
#include "sim/network/flow/fluid.h"
#include "sim/network/flow/paths.h"
#include "sim/network/flow/slowdown.h"
#include "sim/network/flow/solver.h"
#include "sim/network/flow/traffic.h"
#include "topologies/design.h"
#include "topologies/fabric.h"

namespace railyard {
namespace {

const std::filesystem::path source(RAILYARD_SOURCE_DIR);

/// Three tiers of 64 ports hold 65 536 GPUs; above, switches of 128 ports.
struct Cluster {
  explicit Cluster(int gpus)
      : parts(load_parts(source / "topologies" / "parts")),
        design(load_design(source / "topologies" / "designs", gpus > 65536 ? "roce-51t-rail" : "ndr-rail")),
        fabric(build_fabric(design, parts, server_for(design, parts, gpus > 65536 ? "mi300x" : "h100"), gpus)) {}
  Parts parts;
  Design design;
  Fabric fabric;
};

const Fabric& fabric_of(int gpus) {
  static std::map<int, std::unique_ptr<Cluster>> known;
  std::unique_ptr<Cluster>& cluster = known[gpus];
  if (!cluster) cluster = std::make_unique<Cluster>(gpus);
  return cluster->fabric;
}

using Clock = std::chrono::steady_clock;

const EndLimits ends{.scale_up_gpus = 8, .scale_up_port = 370e9, .efficiency = 0.97};

Traffic ring(int gpus) {
  const FabricMap map(fabric_of(gpus), 1);
  const Placement placement(map, ends.scale_up_gpus);
  const double bytes = 2 * 1073741824.0 * (gpus - 1) / gpus;
  return ring_traffic(placement.groups({.size = gpus, .stride = 1}), bytes, ScaleUpKind::switched);
}

Traffic permutation(int gpus) { return permutation_traffic(gpus, 1e9, 7); }

/// Bytes per second of a copy far above all caches.
double copy_rate() {
  static const double rate = [] {
    std::vector<char> from(std::size_t{1} << 28U, 1), to(from.size());
    double best = 0;
    for (int i = 0; i < 3; ++i) {
      const auto start = Clock::now();
      std::memcpy(to.data(), from.data(), from.size());
      benchmark::DoNotOptimize(to.data());
      const std::chrono::duration<double> took = Clock::now() - start;
      best = std::max(best, 2 * static_cast<double>(from.size()) / took.count());
    }
    return best;
  }();
  return rate;
}

/// Resident megabytes now.
double resident() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long total = 0, pages = 0;
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  std::fclose(file);
  return static_cast<double>(pages) * 4096e-6;
}

using MakeTraffic = Traffic (*)(int gpus);

/// Every flow on its own NIC: what crosses rails crosses them in the fabric.
void route_and_solve(benchmark::State& state, MakeTraffic make, Spreading spreading) {
  const auto gpus = static_cast<int>(state.range(0));
  const Fabric& fabric = fabric_of(gpus);
  const Traffic traffic = make(gpus);
  const double rate = copy_rate(), before = resident();
  double uses = 0, memory = 0, slowest = 0, messages = 0;
  std::chrono::duration<double> took{};
  for (auto _ : state) {
    const auto start = Clock::now();
    const FlowNetwork network(fabric, ends, {.spreading = spreading, .change_rails = false});
    const RoutedMessages routed = network.route(traffic);
    const MaxMinRates rates = max_min_rates(routed.flows, network.capacities());
    for (std::size_t i = 0; i < traffic.size(); ++i) slowest = std::max(slowest, traffic[i].bytes / rates.rates[i]);
    benchmark::DoNotOptimize(slowest);
    took += Clock::now() - start;
    state.PauseTiming();
    memory = std::max(memory, resident() - before);
    messages = static_cast<double>(traffic.size());
    uses = 0;
    for (int flow = 0; flow < routed.flows.size(); ++flow) {
      routed.flows.for_each_use(flow, [&](ResourceId, double) { uses += 1; });
    }
    state.ResumeTiming();
  }
  // What must be read and written once: links, messages, uses, and a rate and a reason for every flow.
  const double bytes = static_cast<double>(fabric.links().size()) * sizeof(Link) + uses * sizeof(Use) +
                       messages * (sizeof(Message) + sizeof(double) + sizeof(ResourceId));
  using benchmark::Counter;
  state.counters["flows"] = messages;
  state.counters["uses"] = uses;
  state.counters["MB"] = memory;
  state.counters["seconds"] = slowest;
  // The same at every size when the time is linear in flows.
  state.counters["per_flow"] = Counter(messages, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["of_bound"] = bytes / rate / (took.count() / static_cast<double>(state.iterations()));
}

void read_fabric(benchmark::State& state) {
  const Fabric& fabric = fabric_of(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(FlowNetwork(fabric, ends).capacities().size());
}

/// Until the last flow of a permutation is through, rates changing whenever one ends.
void simulate(benchmark::State& state, Spreading spreading) {
  const auto gpus = static_cast<int>(state.range(0));
  Traffic traffic = permutation(gpus);
  // Different sizes, so that every flow ends at its own time.
  for (std::size_t i = 0; i < traffic.size(); ++i) traffic[i].bytes *= 1 + static_cast<double>(i % 1021) / 1021;
  const FlowNetwork network(fabric_of(gpus), ends, {.spreading = spreading, .change_rails = false});
  const RoutedMessages routed = network.route(traffic);
  std::vector<Transfer> transfers;
  for (const Message& message : traffic) transfers.push_back({.bytes = message.bytes});
  int solves = 0;
  for (auto _ : state) {
    const FluidResult result = simulate_flows(routed.flows, network.capacities(), transfers);
    benchmark::DoNotOptimize(result.end);
    solves = result.solves;
  }
  state.counters["solves"] = solves;
}

/// Slowdown by hash collisions over 32 seeds, and how long one takes.
void ecmp(benchmark::State& state, MakeTraffic make, int connections) {
  const auto gpus = static_cast<int>(state.range(0));
  const Traffic traffic = make(gpus);
  std::vector<std::uint64_t> seeds(32);
  std::iota(seeds.begin(), seeds.end(), 1);
  Spread spread;
  for (auto _ : state) {
    spread = spread_of(
        ecmp_slowdowns(fabric_of(gpus), ends, {.connections = connections, .change_rails = false}, traffic, seeds));
  }
  state.counters["least"] = spread.least;
  state.counters["median"] = spread.median;
  state.counters["p90"] = spread.p90;
  state.counters["most"] = spread.most;
}

Traffic to_next_pod(int gpus) { return shift_traffic(gpus, fabric_of(gpus).shape().nodes_per_pod * 8, 1e9); }

void sizes(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(4)->Range(1024, 65536)->Arg(131072)->Unit(benchmark::kMillisecond);
}
void middle(benchmark::internal::Benchmark* bench) { bench->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond); }

BENCHMARK(read_fabric)->Apply(sizes);
BENCHMARK_CAPTURE(route_and_solve, ring, ring, Spreading::sprayed)->Apply(sizes);
BENCHMARK_CAPTURE(route_and_solve, ring_hashed, ring, Spreading::hashed)->Apply(sizes);
BENCHMARK_CAPTURE(route_and_solve, permutation, permutation, Spreading::sprayed)->Apply(sizes);
BENCHMARK_CAPTURE(route_and_solve, permutation_hashed, permutation, Spreading::hashed)->Apply(sizes);
BENCHMARK_CAPTURE(simulate, sprayed, Spreading::sprayed)->Apply(middle);
BENCHMARK_CAPTURE(simulate, hashed, Spreading::hashed)->Apply(middle);
BENCHMARK_CAPTURE(ecmp, ring, ring, 1)->Arg(16384)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(ecmp, permutation, permutation, 1)->Arg(16384)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(ecmp, next_pod, to_next_pod, 1)->Arg(16384)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(ecmp, next_pod_8_connections, to_next_pod, 8)
    ->Arg(16384)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace railyard
