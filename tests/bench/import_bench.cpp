// SPDX-License-Identifier: Apache-2.0
// How long it takes to import a log of one megabyte (bound: 50 ms), as people have them: tables between the library's
// lines, and a training log that mentions no benchmark, which every importer must look through.
#include <benchmark/benchmark.h>

#include <string>

#include "calibrate/import/import.h"

namespace railyard {
namespace {

constexpr std::size_t megabyte = 1'000'000;

const std::string head =
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 "
    "validation: 1 graph: 0\n#\n# Using devices\n"
    "#  Rank  0 Group  0 Pid 1001 on node01 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid 1002 on node01 device  1 [0000:43:00] NVIDIA H100 80GB HBM3\n#\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n";
const std::string row =
    "    33554432       8388608     float     sum      -1   1000.0   33.55   33.55      0   1000.0   33.55   33.55     "
    " 0\n";
const std::string foot = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 33.55 \n#\n";
const std::string library = "node01:3442:3442 [0] NCCL INFO Channel 00/24 : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";
const std::string training =
    "[2026-05-01 10:00:00] step 1200/90000 loss 2.4123 grad_norm 0.41 tokens/s 11234 mfu 0.41\n";

std::string repeated(const std::string& piece) {
  std::string text;
  while (text.size() < megabyte) text += piece;
  return text;
}

void import_text(benchmark::State& state, const std::string& piece) {
  const std::string text = repeated(piece);
  std::size_t runs = 0;
  for (auto _ : state) {
    runs = import_log(text, "bench.log").runs.size();
    benchmark::DoNotOptimize(runs);
  }
  state.counters["runs"] = static_cast<double>(runs);
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

BENCHMARK_CAPTURE(import_text, tables, head + row + foot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(import_text, tables_between_library_lines, head + library + library + row + library + foot)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(import_text, library_lines, head + repeated(library) + row + foot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(import_text, training_log, training)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace railyard
