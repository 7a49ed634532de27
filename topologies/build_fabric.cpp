// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/cabling.h"
#include "topologies/catalogue.h"
#include "topologies/words.h"

namespace railyard {

namespace {
constexpr int most_gpus = 1 << 22;  // some GB of graph
}  // namespace

Fabric build_fabric(const Design& design, const Parts& parts, const ServerPart& server, int gpus) {
  const Cabling cabling(design, parts, server);
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
  Fabric fabric = topology(design.topology).build({design, cabling.switch_part(), server, gpus});
  cabling.check_cages(fabric);
  return fabric;
}

}  // namespace railyard
