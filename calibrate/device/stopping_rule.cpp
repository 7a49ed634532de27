// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/stopping_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace railyard::device {
namespace {

constexpr std::size_t settling_window = 64;  // samples

}  // namespace

std::string_view to_string(Ended ended) {
  constexpr std::array<std::string_view, 5> names{"not yet", "quiet", "settled", "enough", "time limit"};
  return names.at(static_cast<std::size_t>(ended));
}

void StoppingRule::add(double seconds, int runs) {
  samples_.push_back(seconds);
  runs_.push_back(runs);
  measured_s_ += seconds * runs;
  // Around the first sample, so that nearly equal times keep their digits.
  const double off = seconds - samples_.front();
  sum_ += off;
  squares_ += off * off;
  const double count = static_cast<double>(samples_.size());
  const double variance = count > 1 ? std::max(0.0, (squares_ - sum_ * sum_ / count) / (count - 1)) : 0;
  const double mean = samples_.front() + sum_ / count;
  noise_.push_back(mean > 0 ? std::sqrt(variance) / mean : 0);
}

void StoppingRule::drop(int count) {
  const std::size_t kept = samples_.size() - std::min(static_cast<std::size_t>(count), samples_.size());
  const StoppingRule before = *this;
  *this = StoppingRule(options_);
  for (std::size_t i = 0; i < kept; ++i) add(before.samples_[i], before.runs_[i]);
}

bool StoppingRule::noise_settled() const {
  if (noise_.size() < settling_window) return false;
  const SampleStatistics trailing = statistics(std::span(noise_).last(settling_window));
  return trailing.noise() < options_.settled;
}

Ended StoppingRule::ended(double wall_s) const {
  const bool sampled = std::ssize(samples_) >= options_.fewest_samples && measured_s_ >= options_.least_measured_s;
  if (sampled && noise_.back() < options_.noise) return Ended::quiet;
  if (sampled && noise_settled()) return Ended::settled;
  if (std::ssize(samples_) >= options_.enough_samples) return Ended::enough;
  return wall_s >= options_.longest_s ? Ended::time_limit : Ended::not_yet;
}

}  // namespace railyard::device
