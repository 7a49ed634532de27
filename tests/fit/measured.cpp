// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace railyard::fit {
namespace {

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

nlohmann::json rows_of(const std::string& file) { return nlohmann::json::parse(std::ifstream(file)).at("rows"); }

double operand_bytes(const std::string& type) {
  if (type == "bf16" || type == "fp16") return 2;
  return type == "nvfp4" ? 0.5 : 1;
}

/// SMs, and bytes per second of a copy (interference.csv; Blackwell: assumed as H200's share of the data sheet).
std::pair<double, double> hardware(const std::string& gpu) {
  if (gpu.starts_with("A100")) return {108, 1.61e12};
  if (gpu.starts_with("H100")) return {132, 2.90e12};
  if (gpu.starts_with("H200")) return {132, 4.01e12};
  if (gpu.starts_with("MI300X")) return {304, 4.11e12};
  return {148, 6.7e12};
}

GemmSeries empty_series(const std::string& gpu, const std::string& type) {
  const auto [units, memory] = hardware(gpu);
  return {.name = gpu + " " + type,
          .operand_bytes = operand_bytes(type),
          .compute_units = units,
          .memory_bytes_per_s = memory,
          .quantises = operand_bytes(type) < 2};
}

GemmSample sample_of(std::int64_t m, std::int64_t n, std::int64_t k, double teraflops) {
  const double flop = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return {{m, n, k}, flop / (1e12 * teraflops)};
}

}  // namespace

Csv::Csv(const std::string& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (columns_.empty()) {
      columns_ = split_csv(line);
    } else if (std::vector<std::string> fields = split_csv(line); fields.size() >= columns_.size()) {
      rows_.push_back(std::move(fields));
    }
  }
}

const std::string& Csv::text(const Row& row, const std::string& column) const {
  const auto at = std::find(columns_.begin(), columns_.end(), column);
  return row.at(static_cast<std::size_t>(at - columns_.begin()));
}

std::vector<GemmSet> gemm_sets() {
  std::vector<GemmSet> sets{{"A100-SXM-80GB", {"bf16"}}};
  for (const char* gpu : {"H100-SXM", "H200-SXM", "B200-SXM", "B300-SXM", "GB200", "GB300"}) {
    sets.push_back({gpu, {"bf16", "fp8 (per-tensor)"}});
    sets.push_back({gpu, {"fp8 (block 128)"}});
    if (std::string(gpu).find('H') == std::string::npos) sets.push_back({gpu, {"nvfp4"}});
  }
  return sets;
}

std::vector<BenchmarkSet> benchmark_sets() {
  return {{"samuel-bohman", "MI300X", "fp8"},
          {"Azure", "H100-SXM", "fp8"},
          {"Azure", "H200-SXM", "fp8"},
          {"samuel-bohman", "GB200", "fp8"},
          {"Azure", "A100-SXM-80GB", "fp16"}};
}

std::vector<GemmSeries> gemm_series(const Csv& csv, const GemmSet& set) {
  std::vector<GemmSeries> result;
  for (const std::string& type : set.types) {
    result.push_back(gemm_series(csv, "ai-dynamo/aiconfigurator", set.gpu, type));
  }
  return result;
}

GemmSeries gemm_series(const Csv& csv, const std::string& source, const std::string& gpu, const std::string& type) {
  GemmSeries series = empty_series(gpu, type);
  if (source.find("aiconfigurator") == std::string::npos) {  // a vendor's benchmark: FP8 operands made before, a loop
    series.quantises = false;
    series.in_loop = true;
    if (gpu.starts_with("MI300X")) {  // CDNA 3 white paper: eight XCDs of 38 CUs share 256 MB of Infinity Cache
      series.cache_bytes = 256 * 1048576.0;
      series.dies = 8;
    }
  }
  for (const Csv::Row& row : csv.rows()) {
    if (!csv.text(row, "source").starts_with(source) || csv.text(row, "gpu") != gpu || csv.text(row, "dtype") != type) {
      continue;
    }
    if (csv.text(row, "m").empty()) continue;
    series.samples.push_back(sample_of(std::stoll(csv.text(row, "m")), std::stoll(csv.text(row, "n")),
                                       std::stoll(csv.text(row, "k")), std::stod(csv.text(row, "tflops"))));
  }
  return series;
}

GemmSeries h200_gemm(const std::string& folder, const std::string& type) {
  GemmSeries series = empty_series("H200-SXM", type);
  series.name = "H200 sustained " + type;
  series.quantises = false;
  for (const auto& row : rows_of(folder + "/gemm.json")) {
    if (row.at("dtype") != type || row.at("dist") != "normal" || row.at("flush") != true) continue;
    series.samples.push_back({{row.at("m"), row.at("n"), row.at("k")}, row.at("ms").get<double>() * 1e-3});
  }
  return series;
}

std::vector<CurveSample> h200_memory(const std::string& folder, const std::string& kernel) {
  std::vector<CurveSample> samples;
  const double buffers = kernel == "copy" ? 2 : 3;  // the unit counts bytes read and written
  for (const auto& row : rows_of(folder + "/hbm.json")) {
    const double bytes = buffers * row.at("mib").get<double>() * 1048576;
    samples.push_back({bytes, bytes / (1e9 * row.at(kernel + "_GBps").get<double>())});
  }
  return samples;
}

std::vector<AttentionSample> h200_attention(const std::string& folder, const std::string& backend, int head_dim,
                                            bool causal, bool forward) {
  std::vector<AttentionSample> samples;
  for (const auto& row : rows_of(folder + "/attention.json")) {
    if (row.at("backend") != backend || row.at("head_dim") != head_dim || row.at("causal") != causal) continue;
    samples.push_back({row.at("seq"), 1e12 * row.at(forward ? "fwd_tflops" : "bwd_tflops").get<double>()});
  }
  return samples;
}

std::vector<AttentionSample> attention_samples(const Csv& csv, const std::string& gpu, const std::string& library,
                                               const std::string& version, int head_dim, bool causal,
                                               const std::string& direction) {
  std::map<std::int64_t, double> best;
  for (const Csv::Row& row : csv.rows()) {
    if (csv.text(row, "gpu") != gpu || csv.text(row, "library") != library || csv.text(row, "version") != version ||
        csv.text(row, "head_dim") != std::to_string(head_dim) || csv.text(row, "causal") != (causal ? "1" : "0") ||
        csv.text(row, "direction") != direction || csv.text(row, "dtype").find("fp8") != std::string::npos ||
        csv.text(row, "seq").empty()) {
      continue;
    }
    double& rate = best[std::stoll(csv.text(row, "seq"))];
    rate = std::max(rate, 1e12 * std::stod(csv.text(row, "tflops")));
  }
  std::vector<AttentionSample> samples;
  for (const auto& [sequence, rate] : best) samples.push_back({sequence, rate});
  return samples;
}

std::vector<CollectiveSample> collective_samples(const Csv& csv, const std::string& source, Collective collective,
                                                 double smallest) {
  std::vector<CollectiveSample> samples;
  const std::string name = collective == Collective::all_to_all     ? "alltoall"
                           : collective == Collective::send_receive ? "sendrecv"
                                                                    : std::string(to_string(collective));
  for (const Csv::Row& row : csv.rows()) {
    const std::string& bytes = csv.text(row, "message_bytes");
    const std::string& time = csv.text(row, "time_us");
    if (!csv.text(row, "source").starts_with(source) || csv.text(row, "collective") != name || bytes.empty() ||
        time.empty() || std::stod(bytes) < smallest || std::stod(time) <= 0) {
      continue;
    }
    samples.push_back({collective, std::stoi(csv.text(row, "gpus")), std::stod(bytes), 1e-6 * std::stod(time)});
  }
  return samples;
}

}  // namespace railyard::fit
