// SPDX-License-Identifier: Apache-2.0
// How long it takes to route traffic flow by flow over the wired fabric and to find every flow's rate; wiring is left
// out, reading the fabric is not. Bounds at 16 384 GPUs (three tiers): a ring all-reduce of 1 GiB 100 ms and 200 MB, a
// random permutation 300 ms. `of_bound_%` is the share of that time which the machine needs to go once over the links,
// the messages, the flows' uses and their rates, at the bandwidth it has for copies. Run by scripts/bench.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

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

/// Most megabytes that `work` holds at once beyond what was there, seen from a process of its own.
template <class Work>
double peak_megabytes(Work&& work) {
  std::array<int, 2> pipe_ends{};
  malloc_trim(0);  // or the work would be done in memory that is free but still held
  if (pipe(pipe_ends.data()) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    const auto most = [] {
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      return static_cast<double>(usage.ru_maxrss) * 1024e-6;
    };
    const double before = most();
    work();
    const double grown = most() - before;
    _exit(write(pipe_ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  double grown = 0;
  close(pipe_ends[1]);
  if (child < 0 || read(pipe_ends[0], &grown, sizeof grown) != sizeof grown) grown = 0;
  close(pipe_ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return grown;
}

using MakeTraffic = Traffic (*)(int gpus);

/// Every flow on its own NIC: what crosses rails crosses them in the fabric.
RoutingRule straight(Spreading spreading) { return {.spreading = spreading, .change_rails = false}; }

/// Seconds until the slowest is through at its max-min rate, and the uses of all flows.
std::pair<double, double> route_once(const Fabric& fabric, const Traffic& traffic, Spreading spreading) {
  const FlowNetwork network(fabric, ends, straight(spreading));
  const RoutedMessages routed = network.route(traffic);
  const MaxMinRates rates = max_min_rates(routed.flows, network.capacities());
  double slowest = 0, uses = 0;
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    slowest = std::max(slowest, traffic[i].bytes / rates.rates[i]);
    routed.flows.for_each_use(static_cast<int>(i), [&](ResourceId, double) { uses += 1; });
  }
  return {slowest, uses};
}

void route_and_solve(benchmark::State& state, MakeTraffic make, Spreading spreading) {
  const auto gpus = static_cast<int>(state.range(0));
  const Fabric& fabric = fabric_of(gpus);
  const Traffic traffic = make(gpus);
  const double rate = copy_rate();
  const double memory = peak_megabytes([&] { benchmark::DoNotOptimize(route_once(fabric, traffic, spreading)); });
  double uses = 0, slowest = 0;
  const auto start = Clock::now();
  for (auto _ : state) std::tie(slowest, uses) = route_once(fabric, traffic, spreading);
  const std::chrono::duration<double> took = (Clock::now() - start) / static_cast<double>(state.iterations());
  // What must be read and written once: links, messages, uses, and a rate and a reason for every flow.
  const auto messages = static_cast<double>(traffic.size());
  const double bytes = static_cast<double>(fabric.links().size()) * sizeof(Link) + uses * sizeof(Use) +
                       messages * (sizeof(Message) + sizeof(double) + sizeof(ResourceId));
  using benchmark::Counter;
  state.counters["flows"] = messages;
  state.counters["peak_MB"] = memory;
  state.counters["traffic_s"] = slowest;
  // The same at every size when the time is linear in flows.
  state.counters["per_flow"] = Counter(messages, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["of_bound_%"] = 100 * bytes / rate / took.count();
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
  const FlowNetwork network(fabric_of(gpus), ends, straight(spreading));
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
