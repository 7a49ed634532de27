// SPDX-License-Identifier: Apache-2.0
// Prints the fits behind the shipped profiles: fit_report SHARED [v], v for one line a sample.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "measured.h"

namespace {

using namespace railyard;
using namespace railyard::fit;

void print(const FitReport& report, bool rows) { std::fputs(to_text(report, rows).c_str(), stdout); }

/// The products: the kernel database, then the speed of long runs with the law's shape.
void print_gemm(const std::string& shared, bool rows) {
  const Csv csv(shared + "/validation/gemm-measured.csv");
  for (const GemmSet& set : gemm_sets()) {
    for (const FitReport& report : report_gemm(gemm_series(csv, set))) print(report, rows);
  }
  const auto hopper = fit_gemm(gemm_series(csv, {"H200-SXM", {"bf16", "fp8 (per-tensor)"}}));
  for (const char* type : {"bf16", "fp16", "fp8"}) {
    const GemmLaw& law = hopper[std::strcmp(type, "fp8") == 0 ? 1 : 0].law;
    print(report_gemm_speed(law, h200_gemm(shared + "/validation/h200", type)), rows);
  }
  for (const BenchmarkSet& set : benchmark_sets()) {
    const GemmSeries nine = gemm_series(csv, set.source, set.gpu, set.type);
    for (const FitReport& report : report_gemm(std::span(&nine, 1))) print(report, rows);
  }
  const GemmLaw ampere = fit_gemm(gemm_series(csv, {"A100-SXM-80GB", {"bf16"}}))[0].law;
  print(report_gemm_speed(ampere, gemm_series(csv, "Azure", "A100-SXM-80GB", "fp16")), rows);
}

struct AttentionSet {
  const char *gpu, *library, *version;
  int head_dim;
  const char* direction;
};

void print_attention(const std::string& shared, bool rows) {
  for (const int head_dim : {64, 128}) {
    for (const bool forward : {true, false}) {
      const auto samples = h200_attention(shared + "/validation/h200", "CUDNN_ATTENTION", head_dim, true, forward);
      print(report_attention(fmt::format("H200 d{} {}", head_dim, forward ? "fwd" : "bwd"), samples), rows);
    }
  }
  const Csv csv(shared + "/facts/attention-measured.csv");
  const AttentionSet sets[] = {{"A100-SXM4-80GB", "FA2", "2.0", 64, "fwd+bwd"},
                               {"A100-SXM4-80GB", "FA2", "2.0", 128, "fwd+bwd"},
                               {"A100-SXM4-80GB", "FA2", "sglang 0.5.10 flash_attention (flash_attention)", 128, "fwd"},
                               {"H100-SXM5-80GB", "cuDNN", "9 (paper)", 64, "fwd"},
                               {"H100-SXM5-80GB", "cuDNN", "9 (paper)", 128, "fwd"},
                               {"H200", "cuDNN", "9.19.1", 128, "fwd"},
                               {"H200", "cuDNN", "9.19.1", 128, "bwd"},
                               {"B200", "FA4", "main 2026-06", 64, "fwd"},
                               {"B200", "FA4", "main 2026-06", 128, "fwd"},
                               {"B200", "TRT-LLM FMHA", "1.3.0rc20 (torch_flow)", 128, "fwd"},
                               {"B300/GB300 (inferred)", "FA4", "main 2026-06", 64, "fwd"},
                               {"B300/GB300 (inferred)", "FA4", "main 2026-06", 128, "fwd"},
                               {"B300", "TRT-LLM FMHA", "1.3.0rc20 (torch_flow)", 128, "fwd"},
                               {"GB200", "cuDNN", "9.22.0", 128, "fwd"},
                               {"GB200", "cuDNN", "9.22.0", 128, "bwd"},
                               {"GB200", "TRT-LLM FMHA", "1.3.0rc20 (torch_flow)", 128, "fwd"},
                               {"GB300", "cuDNN", "9.22.0", 128, "fwd"},
                               {"GB300", "cuDNN", "9.22.0", 128, "bwd"},
                               {"MI300X", "SDPA", "ROCm 7.2.2, torch 2.10", 64, "fwd"},
                               {"MI300X", "SDPA", "ROCm 7.2.2, torch 2.10", 128, "fwd"},
                               {"MI300X", "AITER", "ROCm 7.2.2, torch 2.10", 64, "fwd"},
                               {"MI300X", "AITER", "asm v3", 128, "fwd"},
                               {"MI300X", "AITER", "asm v3 dq fp32 atomics", 128, "bwd"},
                               {"MI355X", "AITER", "2025-11", 64, "fwd"},
                               {"MI355X", "HipKittens", "2025-11", 64, "fwd"},
                               {"MI355X", "AITER", "2025-11", 128, "fwd"},
                               {"MI355X", "AITER", "2025-11", 128, "bwd"},
                               {"MI355X", "AITER", "asm v3", 128, "fwd"},
                               {"MI355X", "AITER", "asm v3 dq fp32 atomics", 128, "bwd"},
                               {"MI355X", "CK", "2025-10/11", 128, "fwd"},
                               {"MI355X", "CK", "2025-10/11", 128, "bwd"}};
  for (const AttentionSet& set : sets) {
    const auto samples = attention_samples(csv, set.gpu, set.library, set.version, set.head_dim, true, set.direction);
    if (samples.empty()) continue;
    print(report_attention(
              fmt::format("{} {} {} d{} {}", set.gpu, set.library, set.version, set.head_dim, set.direction), samples),
          rows);
  }
}

void print_traffic(const std::string& shared, bool rows) {
  for (const char* kernel : {"copy", "add"}) {
    print(report_curve(std::string("H200 HBM ") + kernel, h200_memory(shared + "/validation/h200", kernel)), rows);
  }
  const Csv csv(shared + "/validation/collectives-measured.csv");
  for (const char* source :
       {"001-a100x8", "022-h100x8", "089-mi300x8", "Azure/AI-benchmarking-guide ND_H200",
        "stas00/ml-engineering network README (all_reduce", "samuel-bohman/AI-benchmarking-guide ND_GB200"}) {
    for (const Collective collective : {Collective::all_reduce, Collective::all_gather}) {
      const auto samples = collective_samples(csv, source, collective, 1024);
      if (samples.size() < 4) continue;
      print(report_collective(std::string(source) + " " + std::string(to_string(collective)), samples), rows);
    }
  }
  std::vector<CollectiveSample> ampere;
  for (const char* source : {"001-a100x8", "002-a100x8", "003-a100x8"}) {
    for (const Collective collective : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter}) {
      const auto part = collective_samples(csv, source, collective, 1024);
      ampere.insert(ampere.end(), part.begin(), part.end());
    }
  }
  print(report_collective("A100 x 8, three collectives", ampere), rows);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: fit_report SHARED [v]\n", stderr);
    return 2;
  }
  const bool rows = argc > 2 && std::strcmp(argv[2], "v") == 0;
  print_gemm(argv[1], rows);
  print_attention(argv[1], rows);
  print_traffic(argv[1], rows);
  return 0;
}
