// SPDX-License-Identifier: Apache-2.0
#include "topologies/refusal.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/fat_tree_plan.h"
#include "topologies/words.h"

namespace railyard {

namespace {

/// Whether the family can build a changed order; parts and options that do not suit it are no answer either.
bool fits(const FabricOrder& order, const TopologyEntry& entry) {
  try {
    return !entry.misfit(order);
  } catch (const InputError&) {
    return false;
  }
}

FabricOrder at_size(const FabricOrder& order, std::int64_t gpus) {
  FabricOrder changed = order;
  changed.gpus = static_cast<int>(gpus);
  return changed;
}

/// The largest count that fits at or below `from`, 0 when none does. Below a limit only the last nodes of a pod can be
/// in the way, so few steps are enough; a family that fits nothing is found out by its smallest count.
std::int64_t nearest_below(const FabricOrder& order, const TopologyEntry& entry, std::int64_t from) {
  const int node = order.server.gpus;
  if (!fits(at_size(order, node), entry)) return 0;
  std::int64_t gpus = from / node * node;
  while (gpus > 0 && !fits(at_size(order, gpus), entry)) gpus -= node;
  return gpus;
}

std::int64_t nearest_above(const FabricOrder& order, const TopologyEntry& entry) {
  const int node = order.server.gpus;
  for (int step = 1; step <= order.leaf_switch.ports(); ++step) {
    const std::int64_t gpus = order.gpus + std::int64_t{step} * node;
    if (fits(at_size(order, gpus), entry)) return gpus;
  }
  return 0;
}

/// What to write into the design so that it holds this count.
std::vector<std::string> option_remedies(const FabricOrder& order, const TopologyEntry& entry) {
  std::vector<std::string> remedies;
  const auto try_design = [&](const Design& changed, std::string words) {
    const FabricOrder other{changed,           order.leaf_switch, order.spine_switch,
                            order.core_switch, order.server,      order.gpus};
    if (!fits(other, entry)) return false;
    remedies.push_back(std::move(words));
    return true;
  };
  Design changed = order.design;
  for (int tiers = order.design.tiers + 1; order.design.tiers > 0 && tiers <= 3; ++tiers) {
    const Layer above = tiers == 2 ? Layer::leaf_spine : Layer::spine_core;
    if (order.design.media[index_of(above)].cable.empty()) break;
    changed.tiers = tiers;
    if (try_design(changed, fmt::format("tiers: {}", tiers))) break;
  }
  changed = order.design;
  while (changed.reserved_ports > 0) {
    --changed.reserved_ports;
    if (try_design(changed, fmt::format("at most {} reserved_ports", changed.reserved_ports))) break;
  }
  changed = order.design;
  changed.oversubscribed_by = OversubscribedBy::more_downlinks;
  for (const double ratio : {1.0, 1.5, 2.0, 3.0, 4.0, 7.0}) {
    if (ratio <= order.design.oversubscription || order.design.leaf_ports) continue;
    changed.oversubscription = ratio;
    if (try_design(changed, fmt::format("oversubscription: {:g} with oversubscribed_by: more-downlinks", ratio))) break;
  }
  return remedies;
}

/// "248 GPUs, or 264, which takes another pod".
std::string counts_remedy(std::int64_t below, std::int64_t above, const std::string& beyond) {
  if (below == 0 && above == 0) return {};
  const std::string after = beyond.empty() ? "" : ", " + beyond;
  if (above == 0) return counted(below, "GPU");
  if (below == 0) return counted(above, "GPU") + after;
  return fmt::format("{}, or {}{}", counted(below, "GPU"), above, after);
}

}  // namespace

void refuse_order(const FabricOrder& order, const TopologyEntry& entry, const Misfit& misfit) {
  const Design& design = order.design;
  const std::string gpus = counted(order.gpus, "GPU");
  const std::int64_t excess = order.gpus - misfit.limit;
  const std::int64_t below = nearest_below(order, entry, std::min<std::int64_t>(misfit.limit, order.gpus));
  const std::int64_t above = nearest_above(order, entry);
  std::string remedy = counts_remedy(below, above, misfit.room_of);
  if (above == 0) {  // else a few nodes more will do, and nothing need change
    for (const std::string& option : option_remedies(order, entry)) remedy += (remedy.empty() ? "" : "; or ") + option;
  }
  remedy = remedy.empty() ? "use a switch with more ports or a server with fewer NIC ports" : "use " + remedy;
  if (!misfit.room_of.empty()) {
    throw InputError(fmt::format("design '{}': {} and the {} UFM ends do not fit {}: there is room for {}, {} too many",
                                 design.id, gpus, ufm_ends, misfit.what, counted(misfit.limit, "GPU"), excess),
                     remedy);
  }
  throw InputError(fmt::format("design '{}': {} {} not fit {}: the limit is {}, {} too many", design.id, gpus,
                               order.gpus == 1 ? "does" : "do", misfit.what, counted(misfit.limit, "GPU"), excess),
                   remedy);
}

}  // namespace railyard
