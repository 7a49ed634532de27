// SPDX-License-Identifier: Apache-2.0
// How long traffic takes on a wired fabric: collectives over a placement, and sends between pipeline stages, with the
// links they really share. Bytes are those of the larger buffer (nccl-tests).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "calibrate/profile/collective_library.h"
#include "calibrate/profile/profile.h"
#include "topologies/fabric.h"

namespace railyard {

/// A family of equal groups that tile the job's GPUs and all run the same collective at the same time: rank i of the
/// group that starts at GPU s is GPU s + i * stride.
struct GroupLayout {
  int size = 1;
  int stride = 1;
  bool operator==(const GroupLayout&) const = default;
  auto operator<=>(const GroupLayout&) const = default;
};

struct TrafficTime {
  Seconds time;                // whole
  Seconds latency;             // the part that does not grow with bytes
  std::string_view algorithm;  // ring, tree, nvls, ...: to_string(CollectiveAlgorithm); none for groups of one
  std::string limit;  // what bounds it, for people: scale-up, channels (of the library), NIC, leaf-spine uplinks,
                      // spine-core uplinks, latency
  std::string_view protocol;  // LL, LL128, Simple
};

/// What the collective library may choose from. The default is what NCCL and RCCL of 2024 have: no hierarchical
/// all_gather or reduce_scatter over nodes with several ranks (measured runs of 80 GPUs agree: they take ring's time).
using Algorithms = AlgorithmSet;

/// Immutable after construction, except for a cache of routed layouts; not shared between threads.
class Network {
 public:
  /// `fabric_kind` names the profile's collective parameters (infiniband, roce). `scale_up_gpus` GPUs form a domain.
  /// Throws InputError when the profile does not know the kind.
  Network(const Fabric& fabric, const Profile& profile, Speed speed, std::string_view fabric_kind, int scale_up_gpus,
          ScaleUpKind scale_up, Algorithms enabled = {});
  ~Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;

  /// The algorithm that the library takes, for all groups of the layout together; zero for groups of one. The first
  /// query of a layout routes it on the graph, later ones are closed forms. Throws InputError when the groups do not
  /// tile the GPUs or when two of them have no way to each other.
  [[nodiscard]] TrafficTime collective(Collective collective, Bytes bytes, const GroupLayout& groups) const;
  /// One group of these GPUs, in rising order, while all others are silent; routed at every call. Throws InputError
  /// when two of them have no way to each other, or for fewer than two.
  [[nodiscard]] std::vector<TrafficTime> collective(Collective collective, std::span<const Bytes> sizes,
                                                    std::span<const int> gpus) const;
  /// Every GPU g sends to GPU (g + stride) mod gpus at the same time.
  [[nodiscard]] TrafficTime send(Bytes bytes, int stride) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace railyard
