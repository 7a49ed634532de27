// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "calibrate/fit/profile_text.h"
#include "sim/study/calibration/profile_sections.h"

namespace railyard {
namespace {

constexpr std::size_t most_nearby = 64;  // more corrections cost time and add little

std::string fit_line(const std::optional<FitQuality>& quality) { return quality ? fit::fit_line(*quality) : ""; }

std::string nearby_lines(const NearbySamples& nearby) {
  std::string text = nearby.empty() ? "" : "    nearby:\n";
  for (const auto& [shape, ratio] : nearby.samples()) {
    text += fmt::format("      - \"{} {} {} {:+.1f} %\"\n", shape.m, shape.n, shape.k, 100 * (ratio - 1));
  }
  return text;
}

/// All of the law but its speed, as the other profile has it.
std::string shape_lines(ProfileDraft& draft, const std::string& path, const GemmParameters& shape) {
  std::string text = draft.as_like(section_indent, path + "k_overhead", shape.k_overhead);
  text += draft.as_like(section_indent, path + "wave_sharing", shape.wave_sharing);
  text += draft.as_like(section_indent, path + "tile_edge", shape.tile_edge);
  text += draft.as_like(section_indent, path + "start", shape.start);
  if (shape.refetch) text += draft.as_like(section_indent, path + "refetch", *shape.refetch);
  return text;
}

double peak_of(const GpuPart* gpu, Precision precision) {
  if (gpu == nullptr) return unbounded;
  const bool fp8 = precision == Precision::fp8 && gpu->fp8_dense.has_value();
  return (fp8 ? *gpu->fp8_dense : gpu->bf16_dense).value.typical.in(flop / second);
}

/// Few products: their speed, and the shape of the other profile's law.
std::string speed_lines(ProfileDraft& draft, const std::string& path, const FittedLaw& law, const GemmParameters& shape,
                        double peak) {
  const double value = law.gemm->law.flop_per_s;
  NearbySamples nearby;
  for (const fit::FittedSample& sample : law.report.samples) {
    if (sample.weight > 0 && law.report.samples.size() <= most_nearby)
      nearby.add(sample.shape, sample.measured / sample.predicted);
  }
  FitQuality quality = law.report.quality();
  if (law.report.corrected().samples > 0) quality.left_out_error = law.report.corrected().median;
  const std::string how = "speed of the law of " + draft.like().id + ", " + quality_text(law.report);
  const Range<double> speed = fitted_range(value, parameter_error(law.report, "FLOP/s", value), std::max(peak, value));
  std::string text = draft.measured(section_indent, path + "sustained", speed, teraflop_unit, draft.source(law), how);
  return text + shape_lines(draft, path, shape) + fit::fit_line(quality) + nearby_lines(nearby);
}

/// Of both directions together.
FitQuality joined(FitQuality a, const FitQuality& b) {
  a.samples += b.samples;
  a.median_error = std::max(a.median_error, b.median_error);
  a.left_out_error = std::max(a.left_out_error, b.left_out_error);
  for (const auto& [name, range] : b.ranges) {
    fit::widen(a.ranges, name, range.low);
    fit::widen(a.ranges, name, range.high);
  }
  return a;
}

/// One direction: its keys, the law if it was measured, and where the other profile knows the head dimension its
/// figures.
struct Direction {
  std::string rate, half;
  const FittedLaw* law = nullptr;
  const Figure<FlopRate>* known_rate = nullptr;
  const Figure<double>* known_half = nullptr;
};

std::string direction_lines(ProfileDraft& draft, const std::string& path, const Direction& direction) {
  if (direction.law == nullptr) {
    std::string text = draft.as_like(section_indent, path + direction.rate, *direction.known_rate);
    return text + draft.as_like(section_indent, path + direction.half, *direction.known_half);
  }
  const FittedLaw& law = *direction.law;
  const std::string source = draft.source(law), how = law.operation + ", " + quality_text(law.report);
  const fit::AttentionCurve& curve = *law.attention;
  const double error = parameter_error(law.report, "rate FLOP/s", curve.flop_per_s);
  if (!tells_half(law)) {  // the other profile tells how much faster longer sequences are
    const auto sequence = static_cast<double>(law.report.ranges.at("sequence").high);
    const double longer = 1 + direction.known_half->value.typical / sequence;
    std::string text = draft.measured(section_indent, path + direction.rate,
                                      fitted_range(curve.flop_per_s * longer, error * longer, unbounded), teraflop_unit,
                                      source, fmt::format("{}, at the other profile's {}", how, direction.half));
    return text + draft.as_like(section_indent, path + direction.half, *direction.known_half);
  }
  const Range<double> rate = fitted_range(curve.flop_per_s, error, unbounded);
  const Range<double> half =
      fitted_range(curve.half_sequence, parameter_error(law.report, "half sequence", curve.half_sequence), 1e6);
  std::string text = draft.measured(section_indent, path + direction.rate, rate, teraflop_unit, source, how);
  return text + draft.measured(section_indent, path + direction.half, half, no_unit, source, how);
}

}  // namespace

std::string gemm_section(ProfileDraft& draft, const MeasuredLaws& measured, const GpuPart* gpu) {
  std::string text = "gemm:\n";
  for (const Precision precision : all_precisions) {
    const auto found = measured.products.find(precision);
    const auto known = draft.like().gemm.find(precision);
    const std::string path = "gemm." + std::string(to_string(precision)) + ".";
    const bool in_like = known != draft.like().gemm.end();
    if (found == measured.products.end() && !in_like) continue;
    text += fmt::format("  {}:\n", to_string(precision));
    if (found == measured.products.end()) {
      text += draft.as_like(section_indent, path + "sustained", known->second.sustained);
      text += shape_lines(draft, path, known->second);
      text += fit_line(known->second.fit) + nearby_lines(known->second.nearby);
    } else if (found->second->shape_fitted) {
      const FittedLaw& law = *found->second;
      for (const char* key : {"sustained", "k_overhead", "wave_sharing", "tile_edge", "start"})
        draft.add_measured(path + key);
      if (draft.like().last_level_cache) draft.add_measured(path + "refetch");
      text += fit::gemm_profile_text(*law.gemm, law.report, draft.source(law), fit::graph_gap_s, false);
    } else {
      text += speed_lines(draft, path, *found->second, known->second, peak_of(gpu, precision));
    }
    if (in_like && known->second.backward_slowdown) {
      text += draft.as_like(section_indent, path + "backward_slowdown", *known->second.backward_slowdown);
    }
  }
  return text + "\n";
}

std::string attention_section(ProfileDraft& draft, const MeasuredLaws& measured) {
  std::set<int> dims;
  for (const auto& [dim, parameters] : draft.like().attention) dims.insert(dim);
  for (const auto& [dim, laws] : measured.attention) {
    if (laws.whole()) dims.insert(dim);
  }
  std::string text = "attention:\n";
  for (const int dim : dims) {
    const auto laws = measured.attention.find(dim);
    const auto found = draft.like().attention.find(dim);
    const AttentionLaws chosen = laws == measured.attention.end() ? AttentionLaws{} : laws->second;
    const AttentionParameters* const known = found == draft.like().attention.end() ? nullptr : &found->second;
    const std::string path = fmt::format("attention.d{}.", dim);
    Direction forward{"forward", "half_sequence", chosen.forward};
    Direction backward{"backward", "backward_half_sequence", chosen.backward};
    if (known != nullptr) {
      forward.known_rate = &known->forward, forward.known_half = &known->half_sequence;
      backward.known_rate = &known->backward, backward.known_half = &known->backward_half_sequence;
    }
    text += fmt::format("  d{}:\n", dim) + direction_lines(draft, path, forward);
    text += direction_lines(draft, path, backward);
    if (chosen.whole()) {
      text += fit::fit_line(joined(chosen.forward->report.quality(), chosen.backward->report.quality()));
    } else if (chosen.forward == nullptr && chosen.backward == nullptr && known != nullptr) {
      text += fit_line(known->fit);
    }
  }
  return text + "\n";
}

}  // namespace railyard
