// SPDX-License-Identifier: Apache-2.0
#include "sim/report/what_if_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/report/fields.h"
#include "topologies/design.h"

namespace railyard {
namespace {

using Figures = std::vector<WhatIfFigure>;

void add_field(Figures& figures, const WhatIfRow& row, std::string_view key, bool of_the_step) {
  const Field& field = result_field(key);
  WhatIfFigure figure{.key = std::string(key),
                      .label = std::string(field.label) + (field.unit.empty() ? "" : fmt::format(", {}", field.unit)),
                      .per_unit = field.per_unit,
                      .ranged = field.ranged,
                      .whole = false,
                      .base = field.value(row.base),
                      .changed = {}};
  if (row.runs || !of_the_step) figure.changed = field.value(row.changed);
  figures.push_back(std::move(figure));
}

/// Counts that are zero before and after are left out.
void add_count(Figures& figures, std::string key, std::string label, std::int64_t base, std::int64_t changed) {
  if (base == 0 && changed == 0) return;
  const auto exact = [](std::int64_t count) { return Range<double>::exactly(static_cast<double>(count)); };
  figures.push_back({std::move(key), std::move(label), 1, false, true, exact(base), exact(changed)});
}

void add_counts(Figures& figures, const NetworkCounts& base, const NetworkCounts& changed) {
  for (const char* layer : {"leaf", "spine", "core"}) {
    add_count(figures, fmt::format("switches_{}", layer), fmt::format("{} switches", layer), switches_of(base, layer),
              switches_of(changed, layer));
  }
  add_count(figures, "switches", "switches", base.switches, changed.switches);
  const auto modules = [](const NetworkCounts& counts) {
    return counts.node_modules + counts.leaf_modules + counts.spine_modules + counts.core_modules +
           counts.manager_modules;
  };
  add_count(figures, "modules_node", "modules at nodes", base.node_modules, changed.node_modules);
  add_count(figures, "modules_leaf", "modules at leaves", base.leaf_modules, changed.leaf_modules);
  add_count(figures, "modules_spine", "modules at spines", base.spine_modules, changed.spine_modules);
  add_count(figures, "modules_core", "modules at cores", base.core_modules, changed.core_modules);
  add_count(figures, "modules", "modules", modules(base), modules(changed));
  for (const Layer layer : all_layers) {
    std::string key = fmt::format("links_{}", to_string(layer));
    std::replace(key.begin(), key.end(), '-', '_');
    add_count(figures, std::move(key), fmt::format("{} links", to_string(layer)), base.links[index_of(layer)],
              changed.links[index_of(layer)]);
  }
  add_count(figures, "cables", "cables", base.cables, changed.cables);
}

}  // namespace

std::vector<WhatIfFigure> what_if_figures(const WhatIfRow& row) {
  Figures figures;
  for (const char* key : {"usd_per_effective_pflop_hour", "effective_pflops", "step_time_s", "mfu"}) {
    add_field(figures, row, key, true);
  }
  for (const char* key : {"owner_usd_per_gpu_hour", "capex_usd", "capex_network_usd", "power_w"}) {
    add_field(figures, row, key, false);
  }
  if (row.base.gpus != row.changed.gpus) add_count(figures, "gpus", "GPUs", row.base.gpus, row.changed.gpus);
  add_count(figures, "nodes", "nodes, spare ones too", row.base.nodes + row.base.spare_nodes,
            row.changed.nodes + row.changed.spare_nodes);
  add_counts(figures, row.base.bill.counts, row.changed.bill.counts);
  const auto bandwidth = [](const NetworkState& state) {
    return Range<double>::exactly(state.bisection.in(byte / second));
  };
  const double terabit = (1e12 * bit / second).in(byte / second);
  figures.push_back({"bisection_bytes_per_s", "bisection, Tb/s", terabit, false, false, bandwidth(row.base_network),
                     bandwidth(row.changed_network)});
  add_count(figures, "failed_parts", "failed parts", 0, static_cast<std::int64_t>(row.changed_network.failed.size()));
  add_count(figures, "gpus_cut_off", "GPUs cut off", 0,
            static_cast<std::int64_t>(row.changed_network.reach.cut_off.size()));
  add_count(figures, "gpus_degraded", "GPUs on fewer planes", 0, row.changed_network.reach.degraded);
  return figures;
}

std::vector<std::pair<std::string, Range<Dollars>>> capex_changes(const WhatIfRow& row) {
  std::vector<std::pair<std::string, Range<Dollars>>> changes;
  for (const CategoryDifference& category : row.capex.categories) {
    const Range<Dollars>& change = category.difference;
    if (change.low != Dollars() || change.high != Dollars()) changes.emplace_back(category.category, change);
  }
  const auto size = [](const auto& change) { return std::fabs(change.second.typical.in(dollar)); };
  std::stable_sort(changes.begin(), changes.end(), [&](const auto& a, const auto& b) { return size(a) > size(b); });
  return changes;
}

}  // namespace railyard
