// SPDX-License-Identifier: Apache-2.0
// How long a collective takes on a wired cluster, by size: where its ranks stand, what the library takes, which link
// bounds it, and what hashed routing or failed devices cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/profile/collective_library.h"
#include "sim/study/catalogue.h"

namespace railyard {

/// Where the ranks of a job stand among the GPUs of the cluster.
enum class RankPlacement { contiguous, strided, spread, by_domain };

struct CollectiveQuestion {
  std::string design, gpu, profile;  // gpu and profile may be empty: the design's first, and the first of that GPU
  Collective collective = Collective::all_reduce;
  std::vector<Bytes> sizes;  // of the larger buffer
  int gpus = 2;              // ranks
  RankPlacement placement = RankPlacement::contiguous;
  int stride = 1;   // strided: from rank to rank; by_domain: ranks in each scale-up domain, from its first GPU on
  int cluster = 0;  // GPUs that are wired; 0: as few as hold the ranks
  AlgorithmSet enabled;
  std::vector<std::string> failures;  // as parse_failure reads them
  int seeds = 0;                      // of hashed routing; 0: packets are sprayed
};

struct CollectiveRow {
  Collective collective = Collective::all_reduce;
  Bytes bytes;
  int gpus = 0, nodes = 0;  // nodes that hold a rank
  Seconds time;
  std::string algorithm, protocol, limit;

  [[nodiscard]] Bandwidth algorithm_bandwidth() const { return bytes / time; }
  [[nodiscard]] Bandwidth bus_bandwidth() const {
    return bus_bandwidth_factor(collective, gpus) * algorithm_bandwidth();
  }
};

/// What the rows of an answer put on links whose routes are hashed.
enum class HashedTraffic { neighbours, pairs, pipeline, rings, trees };
[[nodiscard]] std::string_view to_string(HashedTraffic traffic);

/// Of hashed routing over its seeds: how many times as long as on a fabric that is never in the way.
struct HashedSlowdown {
  HashedTraffic traffic = HashedTraffic::rings;  // what was sent
  double least = 1, median = 1, p90 = 1, most = 1;
};

struct CollectiveAnswer {
  std::string design, gpu, profile, library;
  int cluster = 0;  // GPUs wired
  std::vector<CollectiveRow> rows;
  std::vector<HashedSlowdown> slowdowns;  // of each traffic that some row's algorithm sends; rows take the median
};

/// Powers of two from 1 KiB to 16 GiB.
[[nodiscard]] std::vector<Bytes> usual_sizes();
/// Throws InputError with the remedy for what cannot be wired, placed or routed.
[[nodiscard]] CollectiveAnswer time_collective(const CollectiveQuestion& question, const Catalogue& catalogue);
/// The first profile, by name, of a GPU that knows a fabric. Throws InputError.
[[nodiscard]] Profile profile_for(std::string_view gpu, std::string_view fabric, const Catalogue& catalogue);

}  // namespace railyard
