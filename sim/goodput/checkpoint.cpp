// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cmath>

#include "sim/goodput/goodput.h"
#include "sim/goodput/lambert.h"

namespace railyard {

double checkpoint_efficiency(Seconds interval, Seconds blocking, Seconds restart, Seconds mean_time_to_failure) {
  const double length = interval.in(second);
  const double block = blocking.in(second);
  const double mean = mean_time_to_failure.in(second);
  assert(mean > 0 && length >= 0 && block >= 0);
  if (length == 0 && block > 0) return 0;
  if (std::isinf(length)) return std::isinf(mean) ? 1 : 0;
  const double lost_to_restarts = std::exp(-restart.in(second) / mean);
  const double segment = (length + block) / mean;
  // tau / (M (e^x - 1)) as tau / (tau + C) times x / (e^x - 1), whose limit for x = 0 is 1.
  const double stepping = length == 0 ? 1 : length / (length + block);
  return lost_to_restarts * stepping * (segment == 0 ? 1 : segment / std::expm1(segment));
}

Seconds optimal_interval(Seconds blocking, Seconds mean_time_to_failure) {
  if (std::isinf(mean_time_to_failure.in(second))) return mean_time_to_failure;
  return mean_time_to_failure * one_plus_lambert(blocking / mean_time_to_failure);
}

Seconds young_interval(Seconds blocking, Seconds mean_time_to_failure) {
  return std::sqrt(2 * blocking.in(second)*mean_time_to_failure.in(second)) * second;
}

Seconds daly_interval(Seconds blocking, Seconds mean_time_to_failure) {
  if (blocking >= 2 * mean_time_to_failure) return mean_time_to_failure;
  const double ratio = blocking / (2 * mean_time_to_failure);
  return young_interval(blocking, mean_time_to_failure) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - blocking;
}

}  // namespace railyard
