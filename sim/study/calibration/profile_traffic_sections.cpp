// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "calibrate/fit/profile_text.h"
#include "sim/study/calibration/profile_sections.h"

namespace railyard {
namespace {

constexpr double small_size = 16.0 * 1048576;  // bytes that show the start of a memory kernel

std::string memory_lines(ProfileDraft& draft, const FittedLaw& law, double sheet) {
  const double value = law.memory->bytes_per_s, start = law.memory->start_s;
  const std::string source = draft.source(law), how = law.operation + ", " + quality_text(law.report);
  const Range<double> rate = fitted_range(value, parameter_error(law.report, "bandwidth B/s", value), sheet);
  std::string text = draft.measured("", "memory", rate, gigabyte_unit, source, how);
  if (static_cast<double>(law.report.ranges.at("bytes").low) > small_size) {
    return text + draft.as_like("", "memory_start", draft.like().memory_start);
  }
  return text + draft.measured("", "memory_start", {0, std::max(start - fit::graph_gap_s, 0.0), start},
                               microsecond_unit, source,
                               "high: fit; typical: less the gap of a graph, 0.95 us; low: hidden");
}

/// A figure the device told, else that of the other profile.
template <class Q>
std::string direct_line(ProfileDraft& draft, const ProfileRequest& request, const std::string& key,
                        const Figure<Q>& like, const FigureUnit& unit) {
  for (const DirectFigure& each : request.direct) {
    if (each.key == key) return draft.measured("", key, each.value, unit, "device", each.how);
  }
  return draft.as_like("", key, like);
}

std::string scale_up_as_like(ProfileDraft& draft, const std::string& path, const CollectiveParameters& known) {
  std::string text = draft.as_like(section_indent, path + "scale_up_ring", known.scale_up_ring);
  text += draft.as_like(section_indent, path + "scale_up_link", known.scale_up_link);
  text += draft.as_like(section_indent, path + "base_latency", known.base_latency);
  return text + draft.as_like(section_indent, path + "scale_up_hop", known.scale_up_hop);
}

std::string scale_up_lines(ProfileDraft& draft, const std::string& path, const FittedLaw& law,
                           const CollectiveParameters& known, double sheet) {
  const std::string source = draft.source(law), how = law.operation + ", " + quality_text(law.report);
  const auto& [quick, bulk] = *law.collective;
  const Range<double> ring =
      fitted_range(bulk.bytes_per_s, parameter_error(law.report, "bandwidth B/s", bulk.bytes_per_s), sheet);
  std::string text = draft.measured(section_indent, path + "scale_up_ring", ring, gigabyte_unit, source, how);
  if (known.scale_up_link.value.typical == known.scale_up_ring.value.typical) {
    text += draft.measured(section_indent, path + "scale_up_link", ring, gigabyte_unit, source,
                           "a switch joins all: any pair at the speed of the ring");
  } else {
    text += draft.as_like(section_indent, path + "scale_up_link", known.scale_up_link);
  }
  if (!tells_latency(law)) {
    text += draft.as_like(section_indent, path + "base_latency", known.base_latency);
    return text + draft.as_like(section_indent, path + "scale_up_hop", known.scale_up_hop);
  }
  const std::string ends = "the quick and the bulk protocol; typical: bulk. " + how;
  const auto between = [](double a, double typical) {
    return Range<double>{std::min(a, typical), typical, std::max(a, typical)};
  };
  text += draft.measured(section_indent, path + "base_latency", between(quick.base_s, bulk.base_s), microsecond_unit,
                         source, ends);
  return text + draft.measured(section_indent, path + "scale_up_hop", between(quick.hop_s, bulk.hop_s),
                               microsecond_unit, source, ends);
}

std::string efficiency_line(ProfileDraft& draft, const std::string& path, const FittedLaw& law, Bandwidth nic) {
  const double line_rate = law.node_size * nic.in(byte / second);
  const double value = law.collective->bulk.bytes_per_s / line_rate;
  if (value > 1) {
    throw InputError(fmt::format("{} reach {:.1f} GB/s, more than {} ports of --nic carry", law.operation,
                                 law.collective->bulk.bytes_per_s * 1e-9, law.node_size),
                     "give the line rate of one GPU's port, as --nic '400 Gb/s'");
  }
  const double error = parameter_error(law.report, "bandwidth B/s", value * line_rate) / line_rate;
  return draft.measured(section_indent, path + "scale_out_efficiency", fitted_range(value, error, 1), no_unit,
                        draft.source(law), law.operation + " over the line rate, " + quality_text(law.report));
}

/// The keys that not every profile has, as the other one has them.
std::string optional_lines(ProfileDraft& draft, const std::string& path, const CollectiveParameters& known) {
  std::string text;
  if (known.library != nullptr) text += fmt::format("{}library: {}\n", section_indent, known.library->name);
  const auto add = [&](const char* key, const auto& figure) {
    if (figure) text += draft.as_like(section_indent, path + key, *figure);
  };
  add("scale_up_reduction", known.scale_up_reduction);
  add("pipelining", known.pipelining);
  add("message_gap", known.message_gap);
  add("network_step", known.network_step);
  add("channel", known.channel);
  add("tree_share", known.tree_share);
  add("all_to_all_share", known.all_to_all_share);
  return text;
}

}  // namespace

std::string kernel_section(ProfileDraft& draft, const MeasuredLaws& measured, const ProfileRequest& request,
                           const GpuPart* gpu) {
  const Profile& like = draft.like();
  std::string text;
  if (measured.memory != nullptr) {
    text += memory_lines(draft, *measured.memory,
                         gpu == nullptr ? unbounded : gpu->memory_bandwidth.value.typical.in(byte / second));
  } else {
    text += draft.as_like("", "memory", like.memory);
    text += draft.as_like("", "memory_start", like.memory_start);
  }
  text += direct_line(draft, request, "kernel_gap", like.kernel_gap, microsecond_unit);
  text += direct_line(draft, request, "compute_slowdown", like.compute_slowdown, no_unit);
  text += direct_line(draft, request, "collective_slowdown", like.collective_slowdown, no_unit);
  return text + direct_line(draft, request, "speed_spread", like.speed_spread, no_unit) + "\n";
}

std::string collective_section(ProfileDraft& draft, const MeasuredLaws& measured, const ProfileRequest& request,
                               const GpuPart* gpu) {
  const double sheet = gpu == nullptr ? unbounded : gpu->scale_up_bandwidth.value.typical.in(byte / second);
  std::string text = "collectives:\n";
  for (const auto& [fabric, known] : draft.like().collectives) {
    const std::string path = "collectives." + fabric + ".";
    text += fmt::format("  {}:\n", fabric);
    text += measured.ring == nullptr ? scale_up_as_like(draft, path, known)
                                     : scale_up_lines(draft, path, *measured.ring, known, sheet);
    text += measured.network != nullptr && fabric == request.fabric
                ? efficiency_line(draft, path, *measured.network, *request.nic)
                : draft.as_like(section_indent, path + "scale_out_efficiency", known.scale_out_efficiency);
    text += draft.as_like(section_indent, path + "scale_out_hop", known.scale_out_hop);
    text += draft.as_like(section_indent, path + "switch_latency", known.switch_latency);
    text += optional_lines(draft, path, known);
  }
  return text;
}

}  // namespace railyard
