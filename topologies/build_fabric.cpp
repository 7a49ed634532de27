// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/cabling.h"
#include "topologies/refusal.h"
#include "topologies/words.h"

namespace railyard {

namespace {

constexpr int most_gpus = 1 << 22;  // some GB of graph

/// GPUs come in whole nodes, and in no more than can be wired.
void check_count(const ServerPart& server, int gpus) {
  if (gpus <= 0 || gpus % server.gpus != 0) {
    const int below = std::max(gpus, 0) / server.gpus * server.gpus, above = below + server.gpus;
    throw InputError(fmt::format("{} {} no whole number of nodes: server '{}' has {}", counted(gpus, "GPU"),
                                 gpus == 1 ? "is" : "are", server.id, server.gpus),
                     below > 0 ? fmt::format("the nearest GPU counts that work: {} and {}", below, above)
                               : fmt::format("the nearest GPU count that works: {}", above));
  }
  if (gpus > most_gpus) {
    throw InputError(
        fmt::format("{} GPUs are too many to wire: the limit is {}, {} too many", gpus, most_gpus, gpus - most_gpus));
  }
}

}  // namespace

Fabric build_fabric(const Design& design, const Parts& parts, const ServerPart& server, int gpus) {
  const Cabling cabling(design, parts, server);
  check_count(server, gpus);
  const TopologyEntry& entry = topology(design.topology);
  const FabricOrder order{design,
                          cabling.switch_part(DeviceKind::leaf),
                          cabling.switch_part(DeviceKind::spine),
                          cabling.switch_part(DeviceKind::core),
                          server,
                          gpus};
  if (const std::optional<Misfit> misfit = entry.misfit(order)) refuse_order(order, entry, *misfit);
  Fabric fabric = entry.build(order);
  cabling.check_cages(fabric);
  return fabric;
}

}  // namespace railyard
