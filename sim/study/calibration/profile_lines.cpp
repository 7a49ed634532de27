// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_lines.h"

namespace railyard {
namespace {

class ProfileLines {
 public:
  template <class Q>
  void add(std::string key, const Figure<Q>& figure, Q base, std::string unit) {
    const auto& [low, typical, high] = figure.value;
    lines_.push_back(
        {std::move(key), {low.in(base), typical.in(base), high.in(base)}, std::move(unit), figure.evidence});
  }
  void add(std::string key, const Figure<double>& figure) {
    lines_.push_back({std::move(key), figure.value, {}, figure.evidence});
  }
  std::vector<ProfileLine> take() { return std::move(lines_); }

 private:
  std::vector<ProfileLine> lines_;
};

}  // namespace

std::vector<ProfileLine> profile_lines(const Profile& profile) {
  ProfileLines lines;
  for (const auto& [precision, gemm] : profile.gemm) {
    const std::string head = "gemm." + std::string(to_string(precision)) + ".";
    lines.add(head + "sustained", gemm.sustained, teraflop_per_second, "TFLOP/s");
    lines.add(head + "k_overhead", gemm.k_overhead);
    lines.add(head + "wave_sharing", gemm.wave_sharing);
    lines.add(head + "tile_edge", gemm.tile_edge);
    lines.add(head + "start", gemm.start, microsecond, "us");
    if (gemm.refetch) lines.add(head + "refetch", *gemm.refetch);
    if (gemm.backward_slowdown) lines.add(head + "backward_slowdown", *gemm.backward_slowdown);
  }
  for (const auto& [dim, attention] : profile.attention) {
    const std::string head = "attention.d" + std::to_string(dim) + ".";
    lines.add(head + "forward", attention.forward, teraflop_per_second, "TFLOP/s");
    lines.add(head + "half_sequence", attention.half_sequence);
    lines.add(head + "backward", attention.backward, teraflop_per_second, "TFLOP/s");
    lines.add(head + "backward_half_sequence", attention.backward_half_sequence);
  }
  if (profile.last_level_cache) lines.add("last_level_cache", *profile.last_level_cache, mebibyte, "MiB");
  lines.add("memory", profile.memory, 1000.0 * gigabyte_per_second, "TB/s");
  lines.add("memory_start", profile.memory_start, microsecond, "us");
  lines.add("kernel_gap", profile.kernel_gap, microsecond, "us");
  lines.add("compute_slowdown", profile.compute_slowdown);
  lines.add("collective_slowdown", profile.collective_slowdown);
  lines.add("speed_spread", profile.speed_spread);
  for (const auto& [fabric, known] : profile.collectives) {
    const std::string head = "collectives." + fabric + ".";
    lines.add(head + "scale_up_ring", known.scale_up_ring, gigabyte_per_second, "GB/s");
    lines.add(head + "scale_up_link", known.scale_up_link, gigabyte_per_second, "GB/s");
    lines.add(head + "base_latency", known.base_latency, microsecond, "us");
    lines.add(head + "scale_up_hop", known.scale_up_hop, microsecond, "us");
    lines.add(head + "scale_out_efficiency", known.scale_out_efficiency);
    lines.add(head + "scale_out_hop", known.scale_out_hop, microsecond, "us");
    lines.add(head + "switch_latency", known.switch_latency, microsecond, "us");
    if (known.scale_up_reduction)
      lines.add(head + "scale_up_reduction", *known.scale_up_reduction, gigabyte_per_second, "GB/s");
    if (known.pipelining) lines.add(head + "pipelining", *known.pipelining, microsecond, "us");
    if (known.message_gap) lines.add(head + "message_gap", *known.message_gap, microsecond, "us");
    if (known.network_step) lines.add(head + "network_step", *known.network_step, microsecond, "us");
    if (known.channel) lines.add(head + "channel", *known.channel, gigabyte_per_second, "GB/s");
    if (known.tree_share) lines.add(head + "tree_share", *known.tree_share);
    if (known.all_to_all_share) lines.add(head + "all_to_all_share", *known.all_to_all_share);
  }
  return lines.take();
}

std::vector<ProfileFit> profile_fits(const Profile& profile) {
  std::vector<ProfileFit> fits;
  for (const auto& [precision, gemm] : profile.gemm) {
    if (gemm.fit) fits.push_back({"gemm." + std::string(to_string(precision)), *gemm.fit});
  }
  for (const auto& [dim, attention] : profile.attention) {
    if (attention.fit) fits.push_back({"attention.d" + std::to_string(dim), *attention.fit});
  }
  return fits;
}

}  // namespace railyard
