// SPDX-License-Identifier: Apache-2.0
#include "sim/goodput/goodput.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace railyard {

int spares_for(double mean_out_of_service, double shortage) {
  assert(mean_out_of_service >= 0 && shortage > 0);
  // Logarithms, because exp(-mean) vanishes for a mean above 745.
  double log_term = -mean_out_of_service;  // of P(X = spares)
  double covered = std::exp(log_term);
  int spares = 0;
  // Above the mean the terms fall fast; a thousand standard deviations end a sum that rounding keeps below 1.
  const double enough = mean_out_of_service + 1000 * std::sqrt(mean_out_of_service + 1);
  while (1 - covered >= shortage && spares < enough) {
    ++spares;
    log_term += std::log(mean_out_of_service / spares);
    covered += std::exp(log_term);
  }
  return spares;
}

Frequency failure_rate(const Reliability& reliability, int nodes, Scenario scenario) {
  assert(nodes > 0 && reliability.job_nodes > 0);
  const double size = std::min(1.0, static_cast<double>(nodes) / reliability.job_nodes);
  return pick(reliability.node_failure_rate.value, scenario) * nodes +
         pick(reliability.job_failure_rate.value, scenario) * size;
}

Goodput goodput_of(const Reliability& reliability, int nodes, Scenario scenario) {
  const Frequency rate = failure_rate(reliability, nodes, scenario);
  const Seconds blocking = pick(reliability.checkpoint_blocking.value, scenario);
  const Seconds restart = pick(reliability.restart.value, scenario);
  Goodput goodput;
  goodput.mean_time_to_failure = rate > Frequency{} ? 1.0 / rate : std::numeric_limits<double>::infinity() * second;
  goodput.interval = std::max(optimal_interval(blocking, goodput.mean_time_to_failure),
                              pick(reliability.checkpoint_write.value, scenario));
  goodput.share = checkpoint_efficiency(goodput.interval, blocking, restart, goodput.mean_time_to_failure);
  const double out_of_service = pick(reliability.node_failure_rate.value, scenario) * nodes *
                                pick(reliability.hard_share.value, scenario) * pick(reliability.repair.value, scenario);
  goodput.spare_nodes = spares_for(out_of_service, reliability.spare_shortage);
  return goodput;
}

}  // namespace railyard
