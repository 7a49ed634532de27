// SPDX-License-Identifier: Apache-2.0
// The families of fabrics, one source file each: whether an order fits, and the wired fabric. catalogue.cpp names them.
#pragma once

#include "topologies/catalogue.h"

namespace railyard {

[[nodiscard]] std::optional<Misfit> rail_fat_tree_misfit(const FabricOrder& order);
[[nodiscard]] Fabric build_rail_fat_tree(const FabricOrder& order);

[[nodiscard]] std::optional<Misfit> rail_only_misfit(const FabricOrder& order);
[[nodiscard]] Fabric build_rail_only(const FabricOrder& order);

[[nodiscard]] std::optional<Misfit> tor_fat_tree_misfit(const FabricOrder& order);
[[nodiscard]] Fabric build_tor_fat_tree(const FabricOrder& order);

[[nodiscard]] std::optional<Misfit> dual_tor_misfit(const FabricOrder& order);
[[nodiscard]] Fabric build_dual_tor(const FabricOrder& order);

[[nodiscard]] std::optional<Misfit> scheduled_fabric_misfit(const FabricOrder& order);
[[nodiscard]] Fabric build_scheduled_fabric(const FabricOrder& order);

[[nodiscard]] std::optional<Misfit> dragonfly_plus_misfit(const FabricOrder& order);
[[nodiscard]] Fabric build_dragonfly_plus(const FabricOrder& order);

}  // namespace railyard
