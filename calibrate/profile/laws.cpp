// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "calibrate/profile/profile.h"

namespace railyard {
namespace {

/// The end of a range whose high value is quick (a rate).
template <class T>
T rate_at(const Figure<T>& figure, Speed speed) {
  return pick(figure.value, speed == Speed::slow   ? Scenario::low
                            : speed == Speed::fast ? Scenario::high
                                                   : Scenario::typical);
}

/// The end of a range whose low value is quick (a time, an overhead).
template <class T>
T cost_at(const Figure<T>& figure, Speed speed) {
  return pick(figure.value, speed == Speed::slow   ? Scenario::high
                            : speed == Speed::fast ? Scenario::low
                                                   : Scenario::typical);
}

}  // namespace

std::optional<GemmLaw> gemm_law(const Profile& profile, Precision precision, Speed speed) {
  const auto found = profile.gemm.find(precision);
  if (found == profile.gemm.end()) return {};
  const GemmParameters& parameters = found->second;
  GemmLaw law{.flop_per_s = rate_at(parameters.sustained, speed).in(flop / second),
              .memory_bytes_per_s = rate_at(profile.memory, speed).in(byte / second),
              .compute_units = static_cast<double>(profile.compute_units),
              .k_overhead = cost_at(parameters.k_overhead, speed),
              .wave_sharing = rate_at(parameters.wave_sharing, speed),
              .tile_edge = cost_at(parameters.tile_edge, speed),
              .dies = static_cast<double>(profile.compute_dies),
              .start_s = cost_at(parameters.start, speed).in(second)};
  if (parameters.refetch && profile.last_level_cache) {
    law.cache_bytes = rate_at(*profile.last_level_cache, speed).in(byte);
    law.refetch_s_per_byte = cost_at(*parameters.refetch, speed) / law.memory_bytes_per_s;
  }
  return law;
}

Laws::Laws(const Profile& profile, Speed speed)
    : id_(profile.id),
      memory_(rate_at(profile.memory, speed)),
      memory_start_(cost_at(profile.memory_start, speed)),
      kernel_gap_(cost_at(profile.kernel_gap, speed)),
      compute_slowdown_(cost_at(profile.compute_slowdown, speed)),
      collective_slowdown_(cost_at(profile.collective_slowdown, speed)),
      speed_spread_(cost_at(profile.speed_spread, speed)) {
  backward_slowdown_.fill(1);
  for (const auto& [precision, parameters] : profile.gemm) {
    gemm_.at(static_cast<std::size_t>(precision)) = *gemm_law(profile, precision, speed);
    nearby_.at(static_cast<std::size_t>(precision)) = parameters.nearby;
    if (parameters.backward_slowdown) {
      backward_slowdown_.at(static_cast<std::size_t>(precision)) = cost_at(*parameters.backward_slowdown, speed);
    }
  }
  for (const auto& [head_dim, parameters] : profile.attention) {
    forward_.push_back({head_dim, rate_at(parameters.forward, speed), cost_at(parameters.half_sequence, speed)});
    backward_.push_back(
        {head_dim, rate_at(parameters.backward, speed), cost_at(parameters.backward_half_sequence, speed)});
  }
}

Seconds Laws::gemm(const GemmShape& shape, Precision precision, Bytes output_size) const {
  const auto index = static_cast<std::size_t>(precision);
  const GemmLaw& law = gemm_[index];
  if (law.flop_per_s <= 0) {
    throw InputError("profile '" + id_ + "' has no GEMM figures for " + std::string(to_string(precision)),
                     "expected another precision, or 'gemm." + std::string(to_string(precision)) + "' in the profile");
  }
  const Seconds time = gemm_time(law, shape, element_size(precision), output_size);
  return nearby_[index].empty() ? time : time * nearby_[index].factor(shape);
}

Seconds Laws::attention(const std::vector<Saturating>& known, Flops flops, std::int64_t sequence, int head_dim) const {
  assert(sequence >= 1 && head_dim >= 1);
  if (known.empty()) throw InputError("profile '" + id_ + "' has no attention figures", "expected 'attention' in it");
  const auto time_at = [&](const Saturating& law) {
    return flops / law.rate * (1 + law.half_sequence / static_cast<double>(sequence));
  };
  const auto above =
      std::find_if(known.begin(), known.end(), [&](const auto& law) { return law.head_dim >= head_dim; });
  if (above == known.end()) return time_at(known.back());
  if (above->head_dim == head_dim) return time_at(*above);
  // A score costs arithmetic in proportion to the head dimension and an exponential that does not depend on it: its
  // time is linear in the dimension. `flops` are in proportion to it too, so times per score compare as times x
  // dimension.
  if (above == known.begin()) return time_at(*above) * (static_cast<double>(above->head_dim) / head_dim);
  const auto below = std::prev(above);
  const double share = static_cast<double>(head_dim - below->head_dim) / (above->head_dim - below->head_dim);
  const Seconds score = time_at(*below) * ((1 - share) * below->head_dim) + time_at(*above) * (share * above->head_dim);
  return score / head_dim;
}

Seconds Laws::attention_forward(Flops flops, std::int64_t sequence, int head_dim) const {
  return attention(forward_, flops, sequence, head_dim);
}

Seconds Laws::attention_backward(Flops flops, std::int64_t sequence, int head_dim) const {
  return attention(backward_, flops, sequence, head_dim);
}

Seconds Laws::memory(Bytes traffic) const { return traffic > Bytes{} ? memory_start_ + traffic / memory_ : Seconds{}; }

}  // namespace railyard
