// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/profile.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <sstream>
#include <utility>

#include "base/dates.h"
#include "base/files.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

/// fit: {samples: 179, median_error: 4 %, left_out_error: 5 %, m: [128, 32768], ...}, one range for each of `sizes`.
std::optional<FitQuality> read_fit(std::optional<YamlMap> map, std::span<const std::string_view> sizes) {
  if (!map) return {};
  FitQuality fit;
  fit.samples = static_cast<int>(map->integer("samples", 1, 1'000'000'000));
  fit.median_error = map->share("median_error", 10);
  fit.left_out_error = map->share("left_out_error", 10);
  for (const std::string_view size : sizes) {
    const std::vector<std::int64_t> ends = map->integers(size, 1, std::int64_t{1} << 40);
    if (ends.size() == 2 && ends[0] <= ends[1]) {
      fit.ranges[std::string(size)] = {ends[0], ends[1]};
    } else {
      map->fail(size, "a range is two numbers", "expected the smallest and the largest sample, such as [128, 32768]");
    }
  }
  map->finish();
  return fit;
}

/// nearby: ["128 1024 8192 -3.1 %", ...]: m, n, k, and by how much the sample takes longer than the law says.
NearbySamples read_nearby(YamlMap& map) {
  NearbySamples result;
  if (!map.has("nearby")) return result;
  for (const std::string& text : map.texts("nearby")) {
    std::istringstream in(text);
    GemmShape shape;
    double percent = 0;
    std::string unit;
    if (in >> shape.m >> shape.n >> shape.k >> percent >> unit && unit == "%" && in.eof() && shape.m >= 1 &&
        shape.n >= 1 && shape.k >= 1 && percent > -100 && percent < 1000) {
      result.add(shape, 1 + percent / 100);
    } else {
      map.fail("nearby", "'" + text + "' is no sample",
               "expected m, n, k and a difference, such as '128 1024 8192 -3.1 %'");
    }
  }
  return result;
}

GemmParameters read_gemm(YamlMap map, Precision precision, const Sources& sources) {
  GemmParameters result;
  result.sustained = map.figure("sustained", units::flop_rate, sources, Bound::positive);
  result.k_overhead = map.number_figure("k_overhead", sources, 0, 4096);
  result.wave_sharing = map.number_figure("wave_sharing", sources, 0, 1);
  result.tile_edge = map.number_figure("tile_edge", sources, 0, 1024);
  result.start = map.figure("start", units::time, sources);
  if (map.has("refetch")) result.refetch = map.number_figure("refetch", sources, 0, 1);
  if (precision == Precision::fp8 && map.has("backward_slowdown")) {
    result.backward_slowdown = map.number_figure("backward_slowdown", sources, 1, 100);
  }
  constexpr std::array<std::string_view, 3> sizes = {"m", "n", "k"};
  result.fit = read_fit(map.optional_map("fit"), sizes);
  result.nearby = read_nearby(map);
  map.finish();
  return result;
}

AttentionParameters read_attention(YamlMap map, const Sources& sources) {
  AttentionParameters result;
  result.forward = map.figure("forward", units::flop_rate, sources, Bound::positive);
  result.backward = map.figure("backward", units::flop_rate, sources, Bound::positive);
  result.half_sequence = map.number_figure("half_sequence", sources, 0, 1e6);
  result.backward_half_sequence = map.number_figure("backward_half_sequence", sources, 0, 1e6);
  constexpr std::array<std::string_view, 1> sizes = {"sequence"};
  result.fit = read_fit(map.optional_map("fit"), sizes);
  map.finish();
  return result;
}

CollectiveParameters read_collective(YamlMap map, const Sources& sources) {
  CollectiveParameters result;
  result.scale_up_ring = map.figure("scale_up_ring", units::bandwidth, sources, Bound::positive);
  result.scale_up_link = map.figure("scale_up_link", units::bandwidth, sources, Bound::positive);
  result.base_latency = map.figure("base_latency", units::time, sources);
  result.scale_up_hop = map.figure("scale_up_hop", units::time, sources);
  result.scale_out_efficiency = map.number_figure("scale_out_efficiency", sources, 0.01, 1);
  result.scale_out_hop = map.figure("scale_out_hop", units::time, sources);
  result.switch_latency = map.figure("switch_latency", units::time, sources);
  if (map.has("library")) {
    const std::vector<std::string> names = collective_library_names();
    result.library = &collective_library(names[map.choice("library", names)]);
  }
  if (map.has("scale_up_reduction"))
    result.scale_up_reduction = map.figure("scale_up_reduction", units::bandwidth, sources, Bound::positive);
  if (map.has("pipelining")) result.pipelining = map.figure("pipelining", units::time, sources);
  if (map.has("message_gap")) result.message_gap = map.figure("message_gap", units::time, sources);
  if (map.has("network_step")) result.network_step = map.figure("network_step", units::time, sources);
  if (map.has("channel")) result.channel = map.figure("channel", units::bandwidth, sources, Bound::positive);
  if (map.has("tree_share")) result.tree_share = map.number_figure("tree_share", sources, 0.01, 1);
  if (map.has("all_to_all_share")) result.all_to_all_share = map.number_figure("all_to_all_share", sources, 0.01, 1);
  map.finish();
  return result;
}

void read_gemms(Profile& profile, YamlMap map, const Sources& sources) {
  for (const Precision precision : all_precisions) {
    const std::string_view key = to_string(precision);
    if (map.has(key)) profile.gemm[precision] = read_gemm(map.map(key), precision, sources);
  }
  for (const auto& [precision, parameters] : profile.gemm) {
    if (parameters.refetch && !profile.last_level_cache) {
      map.fail(to_string(precision), "'refetch' says what lies beyond a cache of unknown size",
               "expected 'last_level_cache' beside 'compute_units'");
    }
  }
  if (profile.gemm.empty()) map.fail("bf16", "no precision has figures", "expected bf16, fp8 or fp16, or some of them");
  map.finish();
}

/// Keys are head dimensions: d64, d128.
void read_attentions(Profile& profile, YamlMap map, const Sources& sources) {
  for (const std::string& key : map.keys()) {
    const QuantityText number = parse_number(key.starts_with("d") ? std::string_view(key).substr(1) : "");
    const bool whole = number.ok() && number.base >= 1 && number.base <= 1024 &&
                       number.base == static_cast<double>(static_cast<int>(number.base));
    YamlMap entry = map.map(key);
    if (!whole) {
      entry.fail("", "'" + key + "' is no head dimension",
                 "expected d and a whole number from 1 to 1024, such as d128");
      continue;
    }
    profile.attention[static_cast<int>(number.base)] = read_attention(std::move(entry), sources);
  }
  if (profile.attention.empty()) map.fail("", "no head dimension has figures", "expected one such as d128");
  map.finish();
}

}  // namespace

std::string_view to_string(Precision precision) {
  constexpr std::array<std::string_view, all_precisions.size()> names = {"bf16", "fp8", "fp16"};
  return names[static_cast<std::size_t>(precision)];
}

Bytes element_size(Precision precision) { return (precision == Precision::fp8 ? 1.0 : 2.0) * byte; }

const CollectiveParameters& Profile::collective(std::string_view fabric) const {
  const auto found = collectives.find(std::string(fabric));
  if (found != collectives.end()) return found->second;
  std::vector<std::string> names;
  names.reserve(collectives.size());
  for (const auto& [name, parameters] : collectives) names.push_back(name);
  throw InputError("profile '" + id + "' does not know collectives over '" + std::string(fabric) + "'",
                   expected_names(fabric, names));
}

bool Profile::speed_assumed() const {
  const auto gemm_assumed = [](const auto& entry) { return entry.second.sustained.evidence.assumed(); };
  const auto attention_assumed = [](const auto& entry) {
    return entry.second.forward.evidence.assumed() || entry.second.backward.evidence.assumed();
  };
  return memory.evidence.assumed() || std::any_of(gemm.begin(), gemm.end(), gemm_assumed) ||
         std::any_of(attention.begin(), attention.end(), attention_assumed);
}

namespace {

/// "m 64 (128 to 32768), ..." for each size outside its range.
std::string outside(const FitQuality& fit, std::initializer_list<std::pair<const char*, std::int64_t>> sizes) {
  std::string text;
  for (const auto& [name, size] : sizes) {
    const auto range = fit.ranges.find(name);
    if (range == fit.ranges.end() || range->second.holds(size)) continue;
    if (!text.empty()) text += ", ";
    text += std::string(name) + " " + std::to_string(size) + " (" + std::to_string(range->second.low) + " to " +
            std::to_string(range->second.high) + ")";
  }
  return text;
}

}  // namespace

std::string Profile::outside_samples(Precision precision, const GemmShape& shape) const {
  const auto found = gemm.find(precision);
  if (found == gemm.end() || !found->second.fit) return {};
  const std::string text = outside(*found->second.fit, {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}});
  return text.empty() ? text
                      : "the " + std::string(to_string(precision)) + " GEMM law of '" + id +
                            "' is used outside its samples: " + text;
}

std::string Profile::outside_samples(int head_dim, std::int64_t sequence) const {
  const auto found = attention.find(head_dim);
  if (found == attention.end()) {
    return "the attention law of '" + id + "' has no samples of head dimension " + std::to_string(head_dim);
  }
  if (!found->second.fit) return {};
  const std::string text = outside(*found->second.fit, {{"sequence", sequence}});
  return text.empty() ? text : "the attention law of '" + id + "' is used outside its samples: " + text;
}

Profile read_profile(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  Profile profile;
  profile.id = root.text("profile");
  profile.gpu = root.text("gpu");
  profile.software = root.text("software");
  profile.date = root.text("date");
  if (!profile.date.empty() && !is_date(profile.date) && profile.date != undated) {
    root.fail("date", "found '" + profile.date + "'", std::string(date_expected));
  }
  profile.description = root.text("description");
  if (std::optional<YamlMap> run = root.optional_map("run")) {
    for (const std::string& key : run->keys()) profile.run.emplace_back(key, run->text(key));
    run->finish();
  }
  const Sources sources = root.sources();
  profile.compute_units = static_cast<int>(root.integer("compute_units", 1, 100000));
  if (root.has("last_level_cache")) {
    profile.last_level_cache = root.figure("last_level_cache", units::data, sources, Bound::positive);
  }
  if (root.has("compute_dies")) profile.compute_dies = static_cast<int>(root.integer("compute_dies", 1, 1000));
  read_gemms(profile, root.map("gemm"), sources);
  read_attentions(profile, root.map("attention"), sources);
  profile.memory = root.figure("memory", units::bandwidth, sources, Bound::positive);
  profile.memory_start = root.figure("memory_start", units::time, sources);
  profile.kernel_gap = root.figure("kernel_gap", units::time, sources);
  profile.compute_slowdown = root.number_figure("compute_slowdown", sources, 1, 100);
  profile.collective_slowdown = root.number_figure("collective_slowdown", sources, 1, 100);
  profile.speed_spread = root.number_figure("speed_spread", sources, 0, 1);
  YamlMap collectives = root.map("collectives");
  for (const std::string& fabric : collectives.keys()) {
    profile.collectives[fabric] = read_collective(collectives.map(fabric), sources);
  }
  collectives.finish();
  root.finish();
  diagnostics.throw_if_any();
  return profile;
}

std::vector<std::string> profile_names(const std::filesystem::path& folder) { return yaml_names(folder); }

Profile load_profile(const std::filesystem::path& folder, std::string_view id) {
  Profile profile = read_profile(YamlDocument::load(yaml_path(folder, "profile", id)));
  if (profile.id != id) {
    throw InputError("profile '" + std::string(id) + "' calls itself '" + profile.id + "'",
                     "expected 'profile: " + std::string(id) + "' in " + std::string(id) + ".yaml");
  }
  return profile;
}

}  // namespace railyard
