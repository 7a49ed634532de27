// SPDX-License-Identifier: Apache-2.0
#include "topologies/alternatives.h"

#include "base/diagnostic.h"
#include "topologies/cabling.h"
#include "topologies/catalogue.h"

namespace railyard {

bool holds(const Design& design, const Parts& parts, const ServerPart& server, int gpus) {
  if (gpus <= 0 || gpus % server.gpus != 0) return false;
  try {
    const Cabling cabling(design, parts, server);
    const FabricOrder order{design,
                            cabling.switch_part(DeviceKind::leaf),
                            cabling.switch_part(DeviceKind::spine),
                            cabling.switch_part(DeviceKind::core),
                            server,
                            gpus};
    return !topology(design.topology).misfit(order);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace railyard
