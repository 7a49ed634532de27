// SPDX-License-Identifier: Apache-2.0
// Small clusters, one fixed and random ones of every shape, with their names.
#pragma once

#include <cmath>
#include <optional>
#include <random>

#include "tests/topologies/fixture.h"
#include "topologies/exchange/wiring.h"

namespace railyard::test {

/// A fabric, what it is made of, and its names.
struct NamedCluster {
  TinyCluster tiny;
  Fabric fabric;
  FabricNames names;

  NamedCluster(TinyCluster cluster, int gpus)
      : tiny(std::move(cluster)), fabric(tiny.build(gpus)), names(fabric, tiny.design, tiny.parts, tiny.server) {}
  [[nodiscard]] Wiring wiring() const { return {tiny.design, tiny.parts, tiny.server, fabric, names}; }
};

/// 16 GPUs in nodes of two, on two rails of switches with 8 ports.
inline const NamedCluster& small_cluster() {
  static const NamedCluster small(TinyCluster(8, 2, 2), 16);
  return small;
}

/// A cluster of random radix, rails, ratio and size; nothing when the design cannot hold it.
inline std::optional<NamedCluster> random_cluster(std::mt19937& random) {
  const auto one_of = [&](auto... values) {
    const std::array list{values...};
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
  };
  const int radix = one_of(4, 8, 12, 16, 32), rails = one_of(1, 2, 4);
  TinyCluster tiny(radix, rails, rails * one_of(1, 2));
  tiny.design.planes = rails > 1 ? one_of(1, 1, 2) : 1;
  tiny.design.tiers = one_of(0, 0, 2, 3);
  tiny.design.oversubscription = one_of(1.0, 1.0, 1.5, 2.0);
  tiny.design.spine_group_by_rail = one_of(0, 1) == 1;
  tiny.design.ufm = tiny.design.planes == 1 && one_of(0, 0, 1) == 1;
  const int largest = std::min(radix * radix * radix / 4, 1024) / rails;
  const int nodes =
      1 + static_cast<int>(std::exp(std::uniform_real_distribution(0.0, std::log(largest + 1.0))(random)));
  try {
    const int gpus = nodes * tiny.server.gpus;
    return NamedCluster(std::move(tiny), gpus);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace railyard::test
