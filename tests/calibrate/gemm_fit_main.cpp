// SPDX-License-Identifier: Apache-2.0
// Prints the fit behind the GEMM figures of the shipped profiles: gemm_fit FILE [v], v for one line a sample.
#include <cstdio>
#include <cstring>

#include "gemm_fit.h"

namespace {

using namespace railyard::fit;

void report(const char* title, const std::vector<Series>& all, bool rows) {
  std::printf("%s\n", title);
  const std::vector<Model> models = fit(all);
  const bool enough = all.front().samples.size() > 20;
  const auto unseen = enough ? leave_one_out(all) : std::vector<std::vector<double>>(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Model& model = models[i];
    const auto seen = errors(model, all[i]);
    std::printf(
        "  %zu samples, %.0f B operands: short-kernel %.1f TFLOP/s, k_overhead %.1f, wave_sharing %.3f, "
        "tile_edge %.1f; harness %.2f us + %.3f ps an element of A\n",
        all[i].samples.size(), all[i].operand_bytes, model.law.flop_per_s / 1e12, model.law.k_overhead,
        model.law.wave_sharing, model.law.tile_edge, model.start * 1e6, model.quantise * 1e12);
    std::printf("    error: median %.1f %%, 90th percentile %.1f %%\n", 100 * at_share(seen, 0.5),
                100 * at_share(seen, 0.9));
    if (enough) {
      std::printf("    leaving out each (n, k): median %.1f %%, 90th percentile %.1f %%\n",
                  100 * at_share(unseen[i], 0.5), 100 * at_share(unseen[i], 0.9));
    }
    for (const Sample& sample : rows ? all[i].samples : std::vector<Sample>{}) {
      std::printf("  %6lld %6lld %6lld  %10.2f us  %+6.1f %%\n", static_cast<long long>(sample.shape.m),
                  static_cast<long long>(sample.shape.n), static_cast<long long>(sample.shape.k), sample.seconds * 1e6,
                  100 * (predict(model, all[i], sample.shape) / sample.seconds - 1));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: gemm_fit gemm-measured.csv [v]\n", stderr);
    return 2;
  }
  const bool rows = argc > 2 && std::strcmp(argv[2], "v") == 0;
  const char* database = "ai-dynamo/aiconfigurator";
  const auto read = [&](const char* source, const char* gpu, const char* type) {
    return read_samples(argv[1], source, gpu, type);
  };
  const auto hopper = [&](const char* gpu, double memory) {
    return std::vector<Series>{{read(database, gpu, "bf16"), 2, 2, memory, 132, false},
                               {read(database, gpu, "fp8 (per-tensor)"), 1, 2, memory, 132, true}};
  };
  if (hopper("H100-SXM", 1).front().samples.empty()) {
    std::fputs("no samples\n", stderr);
    return 2;
  }
  report("H100-SXM", hopper("H100-SXM", 2.90e12), rows);
  report("H200-SXM", hopper("H200-SXM", 4.01e12), rows);
  report("MI300X",
         {{read("samuel-bohman/AI-benchmarking-guide ND_MI300X_v5", "MI300X", "fp8"), 1, 2, 4.11e12, 304, false}},
         rows);
  return 0;
}
