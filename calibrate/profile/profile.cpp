// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/profile.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

constexpr std::array<Precision, 2> precisions = {Precision::bf16, Precision::fp8};

GemmParameters read_gemm(YamlMap map, const Sources& sources) {
  GemmParameters result;
  result.sustained = map.figure("sustained", units::flop_rate, sources, Bound::positive);
  result.k_overhead = map.number_figure("k_overhead", sources, 0, 4096);
  result.wave_sharing = map.number_figure("wave_sharing", sources, 0, 1);
  result.tile_edge = map.number_figure("tile_edge", sources, 0, 1024);
  map.finish();
  return result;
}

AttentionParameters read_attention(YamlMap map, const Sources& sources) {
  AttentionParameters result;
  result.forward = map.figure("forward", units::flop_rate, sources, Bound::positive);
  result.backward = map.figure("backward", units::flop_rate, sources, Bound::positive);
  result.half_sequence = map.number_figure("half_sequence", sources, 0, 1e6);
  result.backward_half_sequence = map.number_figure("backward_half_sequence", sources, 0, 1e6);
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
  map.finish();
  return result;
}

void read_gemms(Profile& profile, YamlMap map, const Sources& sources) {
  for (const Precision precision : precisions) {
    const std::string_view key = to_string(precision);
    if (map.has(key)) profile.gemm[precision] = read_gemm(map.map(key), sources);
  }
  if (profile.gemm.empty()) map.fail("bf16", "no precision has figures", "expected bf16 or fp8, or both");
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

std::string_view to_string(Precision precision) { return precision == Precision::bf16 ? "bf16" : "fp8"; }

Bytes element_size(Precision precision) { return (precision == Precision::bf16 ? 2.0 : 1.0) * byte; }

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

Profile read_profile(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  Profile profile;
  profile.id = root.text("profile");
  profile.gpu = root.text("gpu");
  profile.software = root.text("software");
  profile.date = root.text("date");
  profile.description = root.text("description");
  const Sources sources = root.sources();
  profile.compute_units = static_cast<int>(root.integer("compute_units", 1, 100000));
  read_gemms(profile, root.map("gemm"), sources);
  read_attentions(profile, root.map("attention"), sources);
  profile.memory = root.figure("memory", units::bandwidth, sources, Bound::positive);
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
