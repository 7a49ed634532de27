// SPDX-License-Identifier: Apache-2.0
#include <cassert>

#include "calibrate/profile/profile.h"

namespace railyard {

std::string_view to_string(Collective collective) {
  switch (collective) {
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::all_gather:
      return "all_gather";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    case Collective::all_to_all:
      return "all_to_all";
    case Collective::broadcast:
      return "broadcast";
    case Collective::send_receive:
      return "send_receive";
  }
  assert(false);
  return {};
}

// nccl-tests, doc/PERFORMANCE.md: what each link of a ring carries per byte of the larger buffer.
double bus_bandwidth_factor(Collective collective, int ranks) {
  assert(ranks >= 1);
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (collective) {
    case Collective::all_reduce:
      return 2 * others;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      return others;
    case Collective::broadcast:
    case Collective::send_receive:
      return 1;
  }
  assert(false);
  return 1;
}

}  // namespace railyard
