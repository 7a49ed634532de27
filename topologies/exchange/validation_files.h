// SPDX-License-Identifier: Apache-2.0
// The two plain files that NVIDIA's tools compare a live fabric with: DOT for Ethernet (UFM Cable Validation Tool,
// also the form of the Prescriptive Topology Manager), .topo for InfiniBand (ibdiagnet, UFM Topology Compare).
#pragma once

#include "topologies/exchange/wiring.h"

namespace railyard {

/// graph network { "leaf" [ label= role= ] ... "leaf":"swp1s0" -- "node":"mlx5_0" }; roles as the tool has them: leaf,
/// spine, super_spine, host.
[[nodiscard]] TextSource dot_of(const Wiring& wiring);

/// Each switch with a line for each of its links: P2 -4x-100G-> model system port. Throws InputError for a fabric that
/// is not InfiniBand.
[[nodiscard]] TextSource topo_of(const Wiring& wiring);

}  // namespace railyard
