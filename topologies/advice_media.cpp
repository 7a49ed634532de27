// SPDX-License-Identifier: Apache-2.0
// Cables and modules with which the ends of a refused design fit each other.
#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "topologies/advice_search.h"
#include "topologies/media_sets.h"

namespace railyard {

namespace {

bool ends_fit(const WiringCase& refused, const Parts& parts) {
  try {
    static_cast<void>(Cabling(refused.design, parts, refused.server));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The module at the nodes' end as it is now; other layers have one for each end.
std::string own_lower(const Design& design, Layer layer) {
  const LayerMedia& media = design.media[index_of(layer)];
  if (layer != Layer::node_leaf) return media.lower_module;
  return design.node_modules.empty() ? std::string() : design.node_modules.front();
}

std::string words_of(const WiringCase& refused, Layer layer, const MediaSet& set) {
  const LayerMedia& own = refused.design.media[index_of(layer)];
  const bool nodes = layer == Layer::node_leaf;
  std::string changes;
  const auto note = [&](std::string_view key, const std::string& value, const std::string& present) {
    if (value == present) return;
    const std::string shown = value.empty() ? "none" : nodes && key == "node_modules" ? "[" + value + "]" : value;
    changes += fmt::format("{}{}: {}", changes.empty() ? "" : ", ", key, shown);
  };
  note("cable", set.cable, own.cable);
  note(nodes ? "node_modules" : "lower_module", set.lower, own_lower(refused.design, layer));
  note("upper_module", set.upper, own.upper_module);
  return fmt::format("media.{}: {{{}}}", media_key(layer), changes);
}

}  // namespace

std::string_view media_key(Layer layer) {
  constexpr std::array<std::string_view, layer_count> keys{"node_leaf", "leaf_spine", "spine_core", "spine_spine"};
  return keys[index_of(layer)];
}

std::vector<MediaSet> media_sets(const WiringCase& refused, const Parts& parts, Layer layer) {
  const LayerMedia& own = refused.design.media[index_of(layer)];
  const std::string lower_now = own_lower(refused.design, layer);
  std::vector<MediaSet> sets;
  const auto add = [&](const CablePart& cable, const ModulePart* lower, const ModulePart* upper) {
    MediaSet set{cable.id, lower ? lower->id : "", upper ? upper->id : "", 0, cable.reach};
    for (const ModulePart* module : {lower, upper}) {
      if (module != nullptr) set.reach = std::min(set.reach, module->reach);
    }
    set.changes = (set.cable != own.cable) + (set.lower != lower_now) + (set.upper != own.upper_module);
    if (set.changes > 0) sets.push_back(std::move(set));
  };
  for (const auto& [cable_id, cable] : parts.cables) {
    if (!cable.needs_modules) add(cable, nullptr, nullptr);
    for (const auto& [lower_id, lower] : parts.modules) {
      if (!cable.needs_modules || lower.medium != cable.medium) continue;
      for (const auto& [upper_id, upper] : parts.modules) {
        if (upper.medium == cable.medium && upper.optical_lane_rate == lower.optical_lane_rate) {
          add(cable, &lower, &upper);
        }
      }
    }
  }
  std::stable_sort(sets.begin(), sets.end(), [](const MediaSet& a, const MediaSet& b) {
    return std::tuple(a.changes, a.reach) < std::tuple(b.changes, b.reach);
  });
  return sets;
}

void set_media(Design& design, Layer layer, const MediaSet& set) {
  LayerMedia& media = design.media[index_of(layer)];
  media.cable = set.cable;
  media.lower_module = set.lower;
  media.upper_module = set.upper;
  if (layer != Layer::node_leaf) return;
  design.node_modules.clear();
  if (!set.lower.empty()) design.node_modules.push_back(set.lower);
}

void advise_media(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  if (ends_fit(refused, trials.parts())) return;
  for (const Layer layer : all_layers) {
    if (refused.design.media[index_of(layer)].cable.empty()) continue;
    for (const MediaSet& set : media_sets(refused, trials.parts(), layer)) {
      WiringCase changed = refused;
      set_media(changed.design, layer, set);
      if (!trials.works(changed)) continue;
      remedies.push_back({RemedyKind::option, words_of(refused, layer, set), std::move(changed)});
      return;  // one layer is at fault when the change of one mends it
    }
  }
}

}  // namespace railyard
