// SPDX-License-Identifier: Apache-2.0
// How much wall-clock is useful: failures, checkpoints, restarts, spares. Formulas: NOTICE and FORMAT name the sources;
// exponential failures, which may strike during a restart.
#pragma once

#include <filesystem>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

/// Efficiency E = tau / { M e^(R/M) [ e^((tau+C)/M) - 1 ] } of checkpointing every `interval` of useful time.
[[nodiscard]] double checkpoint_efficiency(Seconds interval, Seconds blocking, Seconds restart, Seconds mean_time_to_failure);
/// The exact optimum tau = M [1 + W0(-exp(-1 - C/M))].
[[nodiscard]] Seconds optimal_interval(Seconds blocking, Seconds mean_time_to_failure);
[[nodiscard]] Seconds young_interval(Seconds blocking, Seconds mean_time_to_failure);
[[nodiscard]] Seconds daly_interval(Seconds blocking, Seconds mean_time_to_failure);

/// What goodput rests on, with evidence. Data: sim/goodput/reliability/*.yaml, by GPU.
struct Reliability {
  Figure<Frequency> node_failure_rate;  // job-stopping failures per node
  Figure<Seconds> checkpoint_blocking;
  Figure<Seconds> restart;              // detect, replace, reload
  Figure<double> hard_share;            // failures that take a node out for repair
  Figure<Seconds> repair;
  double spare_shortage = 0.01;         // accepted probability of too few spares
};

[[nodiscard]] Reliability load_reliability(const std::filesystem::path& folder, std::string_view gpu);

struct Goodput {
  double share = 1;      // of wall-clock on steps that count
  Seconds mean_time_to_failure, interval;
  int spare_nodes = 0;   // smallest s with P(Poisson > s) below the accepted shortage
};

/// Goodput of a job on `nodes` nodes; Scenario::high takes the ends that cost most.
[[nodiscard]] Goodput goodput_of(const Reliability& reliability, int nodes, Scenario scenario);

/// Smallest s with P(Poisson(mean) > s) < shortage.
[[nodiscard]] int spares_for(double mean_out_of_service, double shortage);

}  // namespace railyard
