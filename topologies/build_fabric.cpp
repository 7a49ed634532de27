// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/advice.h"
#include "topologies/fat_tree_plan.h"
#include "topologies/words.h"

namespace railyard {

namespace {

/// GPUs come in whole nodes, and in no more than can be wired.
void check_count(const ServerPart& server, int gpus) {
  if (gpus > most_wired_gpus) {
    throw InputError(fmt::format("{} GPUs are too many to wire: the limit is {}, {} too many", gpus, most_wired_gpus,
                                 gpus - most_wired_gpus));
  }
  if (gpus <= 0 || gpus % server.gpus != 0) {
    const std::string excess = gpus > 0 ? fmt::format("{} too many", gpus % server.gpus)
                                        : fmt::format("{} too few", std::int64_t{server.gpus} - gpus);
    throw InputError(fmt::format("{} {} no whole number of nodes: server '{}' has {}, {}", counted(gpus, "GPU"),
                                 gpus == 1 ? "is" : "are", server.id, server.gpus, excess));
  }
}

/// "8 GPUs do not fit 3 tiers of qm9700 with 64 ports: the limit is 0 GPUs, 8 too many".
InputError refusal(const FabricOrder& order, const Misfit& misfit) {
  const std::string gpus = counted(order.gpus, "GPU"), why = misfit.why.empty() ? "" : ": " + misfit.why;
  const std::int64_t excess = order.gpus - misfit.limit;
  if (!misfit.room_of.empty()) {
    return InputError(
        fmt::format("design '{}': {} and the {} UFM ends do not fit {}: there is room for {}, {} too many",
                    order.design.id, gpus, ufm_ends, misfit.what, counted(misfit.limit, "GPU"), excess));
  }
  return InputError(fmt::format("design '{}': {} {} not fit {}: the limit is {}, {} too many{}", order.design.id, gpus,
                                order.gpus == 1 ? "does" : "do", misfit.what, counted(misfit.limit, "GPU"), excess,
                                why));
}

}  // namespace

FabricOrder fabric_order(const Design& design, const Cabling& cabling, const ServerPart& server, int gpus) {
  return {design,
          cabling.switch_part(DeviceKind::leaf),
          cabling.switch_part(DeviceKind::spine),
          cabling.switch_part(DeviceKind::core),
          server,
          gpus};
}

std::optional<Misfit> misfit_of(const Design& design, const Parts& parts, const ServerPart& server, int gpus) {
  const Cabling cabling(design, parts, server);
  check_count(server, gpus);
  return topology(design.topology).misfit(fabric_order(design, cabling, server, gpus));
}

Fabric wire_fabric(const Design& design, const Parts& parts, const ServerPart& server, int gpus) {
  const Cabling cabling(design, parts, server);
  check_count(server, gpus);
  const TopologyEntry& entry = topology(design.topology);
  const FabricOrder order = fabric_order(design, cabling, server, gpus);
  if (const std::optional<Misfit> misfit = entry.misfit(order)) throw refusal(order, *misfit);
  Fabric fabric = entry.build(order);
  cabling.check_cages(fabric);
  return fabric;
}

Fabric build_fabric(const Design& design, const Parts& parts, const ServerPart& server, int gpus) {
  try {
    return wire_fabric(design, parts, server, gpus);
  } catch (const InputError& error) {
    throw advised(error, {design, server, gpus}, parts, {}, [&](const WiringCase& changed) {
      static_cast<void>(wire_fabric(changed.design, parts, changed.server, changed.gpus));
    });
  }
}

}  // namespace railyard
