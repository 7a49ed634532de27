// SPDX-License-Identifier: Apache-2.0
// Fits collectives over one fabric: a quick protocol for small messages and one of full bandwidth for large ones, each
// base + steps x hop + bytes / bandwidth; the faster is taken, as the library does. Six parameters in all.
#pragma once

#include <span>
#include <string>

#include "calibrate/fit/fit_report.h"

namespace railyard::fit {

/// `bytes` of the larger buffer, as nccl-tests reports them; all ranks in one domain (or all on one network).
struct CollectiveSample {
  Collective collective = Collective::all_reduce;
  int ranks = 2;
  double bytes = 0;
  double seconds = 0;
};

/// One protocol of a ring.
struct RingProtocol {
  double base_s = 0, hop_s = 0;
  double bytes_per_s = 0;  // bus bandwidth of large messages
};

struct CollectiveCurve {
  RingProtocol quick, bulk;

  /// Seconds of the faster protocol: 2 (n - 1) steps for an all-reduce, n - 1 for the others, 1 for send_receive.
  [[nodiscard]] double seconds(Collective collective, int ranks, double bytes) const;
};

/// Steps of a ring, which each cost a hop.
[[nodiscard]] int ring_steps(Collective collective, int ranks);

/// Needs one sample with at least two ranks and one byte. With one rank count only, bases and hops cannot be told
/// apart: `hop_s` is then held at none. Fewer than four sizes tell one protocol, which is then both; sizes that do not
/// span tell the bandwidth alone.
[[nodiscard]] CollectiveCurve fit_collective(std::span<const CollectiveSample> samples);
/// The same, each message size (in all collectives) predicted by a fit to the others.
[[nodiscard]] FitReport report_collective(const std::string& subject, std::span<const CollectiveSample> samples);

}  // namespace railyard::fit
