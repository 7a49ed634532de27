// SPDX-License-Identifier: Apache-2.0
// Fits the collective law to runs of one kind of GPU: six figures of its scale-up domain, then six of the network
// between domains. What the runs do not touch stays at the library's constants.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "calibrate/fit/least_squares.h"
#include "calibrate/profile/collective_law.h"

namespace railyard::fit {

/// One size of one collective on a cluster of which only this is known.
struct CollectiveRun {
  Collective collective = Collective::all_reduce;
  int ranks = 2, domains = 1;
  int ports = 1;    // NICs of a domain
  double port = 0;  // line rate of one, bytes per second
  double bytes = 0;
  AlgorithmSet enabled;
  double seconds = 0;
};

struct CollectivePrediction {
  double seconds = 0;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  CollectiveProtocol protocol = CollectiveProtocol::simple;
};
[[nodiscard]] CollectivePrediction predict(const CollectiveRun& run, const CollectiveSpeeds& speeds);

/// The library's own figures: hops and starts of its constants, links and NICs at what its topology search counts on.
/// `ceiling`: bytes per second of a ring over `domain` GPUs (a mesh has domain - 1 links of it).
[[nodiscard]] CollectiveSpeeds library_speeds(const CollectiveLibrary& library, double ceiling, int domain, bool mesh);

/// Fewer runs than there are figures tell too little: the library's constants stay.
inline constexpr std::size_t fewest_runs = 6;

struct FittedSpeeds {
  CollectiveSpeeds speeds;
  std::vector<FittedParameter> parameters;  // those that some run touches
};
/// base, hop, ring (with a mesh's link), reduction, pipelining, channel, from runs of one domain.
[[nodiscard]] FittedSpeeds fit_scale_up(std::span<const CollectiveRun> runs, const CollectiveSpeeds& start, int domain);
/// hop, efficiency, network step, message gap, shares of trees and of all_to_all, from runs over several.
[[nodiscard]] FittedSpeeds fit_scale_out(std::span<const CollectiveRun> runs, const CollectiveSpeeds& start);

}  // namespace railyard::fit
