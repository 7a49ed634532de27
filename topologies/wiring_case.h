// SPDX-License-Identifier: Apache-2.0
// What is to be wired, as a value that can be changed and tried again.
#pragma once

#include <optional>

#include "topologies/cabling.h"
#include "topologies/catalogue.h"
#include "topologies/site.h"

namespace railyard {

/// A graph of more GPUs takes too many GB.
inline constexpr int most_wired_gpus = 1 << 22;

/// A design with a server at a size, at a site or without one.
struct WiringCase {
  Design design;
  ServerPart server;
  int gpus = 0;
  std::optional<Site> site = {};
};

/// The order of a design for the builder of its family. Refers to all that is given.
[[nodiscard]] FabricOrder fabric_order(const Design& design, const Cabling& cabling, const ServerPart& server,
                                       int gpus);

/// Why the ports do not suffice, or nothing; without wiring. Throws InputError for GPUs that are no whole nodes, ends
/// that do not fit each other and options that do not suit the family.
[[nodiscard]] std::optional<Misfit> misfit_of(const Design& design, const Parts& parts, const ServerPart& server,
                                              int gpus);

/// build_fabric without its advice: the InputError says the limit and the excess.
[[nodiscard]] Fabric wire_fabric(const Design& design, const Parts& parts, const ServerPart& server, int gpus);

}  // namespace railyard
