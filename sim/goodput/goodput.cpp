// SPDX-License-Identifier: Apache-2.0
#include "sim/goodput/goodput.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace railyard {

int spares_for(double mean_out_of_service, double shortage) {
  assert(mean_out_of_service >= 0 && shortage > 0);
  constexpr double most = 1e8;  // far above any cluster
  if (!(mean_out_of_service <= most)) {
    throw InputError(
        fmt::format("{:g} nodes out of service at a time are more than can be counted", mean_out_of_service),
        "lower the failure rate, the hard share or the time of repair");
  }
  if (mean_out_of_service == 0) return 0;
  // The tail is summed from where it is below 1e-20 downwards, smallest first: nothing cancels, and the number of terms
  // grows with the root of the mean. Logarithms, because exp(-mean) vanishes for a mean above 745.
  constexpr double deviations = 10;
  constexpr double few = 100;  // more terms than that fall below 1e-20 above a small mean
  const double log_mean = std::log(mean_out_of_service);
  int count = static_cast<int>(mean_out_of_service + deviations * std::sqrt(mean_out_of_service) + few);
  double log_term = count * log_mean - mean_out_of_service - std::lgamma(count + 1.0);  // of P(X = count)
  double tail = 0;                                                                      // P(X > count)
  while (count > 0) {
    tail += std::exp(log_term);
    if (tail >= shortage) return count;
    log_term += std::log(static_cast<double>(count)) - log_mean;
    --count;
  }
  return 0;
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
  constexpr double least_share = 1e-6;  // less is no job, and what it costs has no meaning
  if (!(goodput.share >= least_share)) {
    throw InputError(
        fmt::format("a job on {} {} fails every {:.3g} s on average, restarts in {:.3g} s and checkpoints every "
                    "{:.3g} s: it never gets on",
                    nodes, nodes == 1 ? "node" : "nodes", goodput.mean_time_to_failure.in(second), restart.in(second),
                    goodput.interval.in(second)),
        "lower the failure rates, restart or checkpoint times of the reliability data");
  }
  const double out_of_service = pick(reliability.node_failure_rate.value, scenario) * nodes *
                                pick(reliability.hard_share.value, scenario) * pick(reliability.repair.value, scenario);
  goodput.spare_nodes = spares_for(out_of_service, reliability.spare_shortage);
  return goodput;
}

}  // namespace railyard
