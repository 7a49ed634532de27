// SPDX-License-Identifier: Apache-2.0
// How much wall-clock is useful: failures, checkpoints, restarts, spares. Failures are exponential and may strike
// during a restart; silent and shared ones break the independence, so the spare count is a floor. Sources: FORMAT.md.
#pragma once

#include <filesystem>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

/// Efficiency E = tau / { M e^(R/M) [ e^((tau+C)/M) - 1 ] } of checkpointing every `interval` of useful time; M above
/// zero, the rest not negative. Its limits where a time is zero or M is infinite.
[[nodiscard]] double checkpoint_efficiency(Seconds interval, Seconds blocking, Seconds restart,
                                           Seconds mean_time_to_failure);
/// The exact optimum tau = M [1 + W0(-exp(-1 - C/M))]; its limit sqrt(2CM) for an infinite M is infinite.
[[nodiscard]] Seconds optimal_interval(Seconds blocking, Seconds mean_time_to_failure);
/// sqrt(2CM): Young 1974.
[[nodiscard]] Seconds young_interval(Seconds blocking, Seconds mean_time_to_failure);
/// Daly 2006, higher order: sqrt(2CM) [1 + sqrt(C/2M)/3 + (C/2M)/9] - C for C < 2M, else M.
[[nodiscard]] Seconds daly_interval(Seconds blocking, Seconds mean_time_to_failure);

/// What goodput rests on, with evidence. Data: sim/goodput/reliability/*.yaml, by GPU. One rate does not serve every
/// job size: nodes fail each on its own, software and shared services stop a large job whatever its size.
struct Reliability {
  Figure<Frequency> node_failure_rate;  // job-stopping failures of one node and its share of the network
  Figure<Frequency> job_failure_rate;   // of software and shared services, for a job of job_nodes nodes or more
  int job_nodes = 1;                    // a smaller job sees that rate in proportion to its nodes
  Figure<Seconds> checkpoint_blocking;
  Figure<Seconds> checkpoint_write;  // whole write in the background: no shorter interval is possible
  Figure<Seconds> restart;           // detect, replace, reload
  Figure<double> hard_share;         // node failures that take the node out for repair
  Figure<Seconds> repair;
  double spare_shortage = 0.01;  // accepted probability of too few spares
};

/// Reads a reliability file (format: sim/goodput/FORMAT.md). Throws InputError.
[[nodiscard]] Reliability read_reliability(const YamlDocument& document);
/// Reads folder/gpu.yaml, or unmeasured.yaml for a GPU without a file of its own.
[[nodiscard]] Reliability load_reliability(const std::filesystem::path& folder, std::string_view gpu);

struct Goodput {
  double share = 1;  // of wall-clock on steps that count
  Seconds mean_time_to_failure, interval;
  int spare_nodes = 0;  // smallest s with P(Poisson > s) below the accepted shortage
};

/// Rate of job-stopping failures: nodes x node rate + job rate x min(1, nodes / job_nodes).
[[nodiscard]] Frequency failure_rate(const Reliability& reliability, int nodes, Scenario scenario);

/// Goodput of a job on `nodes` nodes, checkpointed at the exact optimum or, where that is shorter, as fast as a
/// checkpoint can be written; Scenario::high takes the ends that cost most. Throws InputError below one millionth: such
/// a job never gets on.
[[nodiscard]] Goodput goodput_of(const Reliability& reliability, int nodes, Scenario scenario);

/// Smallest s with P(Poisson(mean) > s) < shortage; shortage from 1e-9. Throws InputError for a mean above 1e8.
[[nodiscard]] int spares_for(double mean_out_of_service, double shortage);

}  // namespace railyard
