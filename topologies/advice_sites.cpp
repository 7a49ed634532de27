// SPDX-License-Identifier: Apache-2.0
// Where a design stands whose racks or cables a site refuses: the shipped sites that do, and the smallest change of the
// site or of the media that does.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "topologies/advice_search.h"
#include "topologies/media_sets.h"
#include "topologies/rack_packing.h"
#include "topologies/words.h"

namespace railyard {

namespace {

/// Every figure of a limit at `least`, rounded up to whole `steps`.
template <class Q>
void raise(Figure<Q>& figure, Q least, Q step) {
  if (least <= figure.value.low) return;
  const Q value = step * std::ceil(least / step - 1e-9);
  figure.value = {value, value, value};
}

/// Boxes of the case at its site; racks as bought stand for their servers. Nothing when the ends do not fit.
std::vector<BoxNeeds> boxes_of(const WiringCase& refused, const Parts& parts) {
  const ServerPart& server = refused.server;
  BoxCatalogue boxes = box_catalogue(refused.design, parts, server, *refused.site);
  if (server.rack) {
    boxes.node.power = boxes.node.power * server.rack->nodes;
    boxes.node.units = server.rack->units - refused.site->rack.reserved_units;
    boxes.node.weight = server.rack->weight.value.high;
  }
  std::vector<BoxNeeds> all{boxes.node, boxes.leaf, boxes.spine, boxes.core};
  if (refused.design.ufm) all.push_back(boxes.manager);
  return all;
}

std::string words_of(const RackLimits& changed, const RackLimits& present) {
  std::string words;
  const auto note = [&](std::string what) { words += (words.empty() ? "" : ", ") + std::move(what); };
  if (changed.power.value.low > present.power.value.low) {
    note(fmt::format("{:g} kW", changed.power.value.low.in(kilowatt)));
  }
  if (changed.weight.value.low > present.weight.value.low) {
    note(fmt::format("{:g} kg", changed.weight.value.low.in(kilogram)));
  }
  if (changed.units > present.units) note(fmt::format("{} U", changed.units));
  return "racks of " + words;
}

/// Racks that hold so many nodes each, and any other box.
RackLimits racks_for(const std::vector<BoxNeeds>& boxes, const RackLimits& present, int nodes) {
  RackLimits limits = present;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int count = i == 0 ? nodes : 1;
    raise(limits.power, boxes[i].power * count, 0.1 * kilowatt);
    raise(limits.weight, boxes[i].weight * count, 1 * kilogram);
    limits.units = std::max(limits.units, boxes[i].units * count + present.reserved_units);
  }
  if (limits.most_nodes > 0) limits.most_nodes = std::max(limits.most_nodes, nodes);
  return limits;
}

/// Racks that hold the hungriest box; where every box fits, racks of more servers, which stand closer together.
void advise_racks(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  const std::vector<BoxNeeds> boxes = boxes_of(refused, trials.parts());
  const RackLimits& present = refused.site->rack;
  constexpr int most_servers = 8;
  const int held = refused.server.rack ? 1 : capacity_for(boxes.front(), present, true).boxes;
  const int most = refused.server.rack ? 1 : most_servers;
  for (int nodes = std::max(1, held); nodes <= most; ++nodes) {
    WiringCase changed = refused;
    changed.site->rack = racks_for(boxes, present, nodes);
    if (words_of(changed.site->rack, present) == "racks of " || !trials.works(changed)) continue;
    const std::string servers = held > 0 && !refused.server.rack ? " for " + counted(nodes, "server") : "";
    remedies.push_back({RemedyKind::site, words_of(changed.site->rack, present) + servers, std::move(changed)});
    return;
  }
}

void advise_trays(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  if (refused.site->hall.cross_trays_every == 1) return;
  WiringCase changed = refused;
  changed.site->hall.cross_trays_every = 1;
  if (!trials.works(changed)) return;
  remedies.push_back({RemedyKind::site, "cross_trays_every: 1 at the site", std::move(changed)});
}

MediaAlternative alternative_of(const MediaSet& set) {
  MediaAlternative alternative{set.cable, {}, set.upper};
  if (!set.lower.empty()) alternative.lower_modules.push_back(set.lower);
  return alternative;
}

/// The set of longest reach whose ends fit.
std::optional<MediaSet> farthest(const WiringCase& refused, const Parts& parts, Layer layer) {
  std::vector<MediaSet> sets = media_sets(refused, parts, layer);
  std::stable_sort(sets.begin(), sets.end(), [](const MediaSet& a, const MediaSet& b) { return a.reach > b.reach; });
  for (const MediaSet& set : sets) {
    Design variant = refused.design;
    for (LayerMedia& media : variant.media) media.length = media.longest = Metres{};
    set_media(variant, layer, set);
    try {
      static_cast<void>(Cabling(variant, parts, refused.server));
      return set;
    } catch (const InputError&) {
      continue;
    }
  }
  return std::nullopt;
}

/// Media of longer reach, in the layers that need one.
void advise_reach(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  WiringCase changed = refused;
  std::array<std::optional<MediaSet>, layer_count> added;
  for (const Layer layer : all_layers) {
    LayerMedia& media = changed.design.media[index_of(layer)];
    if (media.cable.empty()) continue;
    added[index_of(layer)] = farthest(refused, trials.parts(), layer);
    if (const auto& set = added[index_of(layer)]) media.alternatives.push_back(alternative_of(*set));
  }
  if (!trials.works(changed)) return;
  std::string words;
  for (const Layer layer : all_layers) {
    const std::optional<MediaSet>& set = added[index_of(layer)];
    if (!set) continue;
    WiringCase without = changed;
    without.design.media[index_of(layer)].alternatives.pop_back();
    if (trials.works(without)) {
      changed = std::move(without);
      continue;
    }
    std::string modules;
    if (!set->lower.empty()) {
      modules = fmt::format(", lower_modules: [{}], upper_module: {}", set->lower, set->upper);
    }
    words += fmt::format("{}media.{}.alternatives: [{{cable: {}{}}}]", words.empty() ? "" : " and ", media_key(layer),
                         set->cable, modules);
  }
  if (!words.empty()) remedies.push_back({RemedyKind::option, words, std::move(changed)});
}

}  // namespace

void advise_sites(const WiringCase& refused, std::span<const Site> sites, Trials& trials,
                  std::vector<Remedy>& remedies) {
  if (!refused.site || !trials.fits(refused)) return;
  const Watts power = refused.site->rack.power.value.low;
  const auto distance = [&](const Site* site) { return std::abs((site->rack.power.value.low - power).in(watt)); };
  std::vector<const Site*> others;
  for (const Site& site : sites) {
    if (site.id != refused.site->id) others.push_back(&site);
  }
  std::stable_sort(others.begin(), others.end(),
                   [&](const Site* a, const Site* b) { return distance(a) < distance(b); });
  for (const Site* site : others) {
    WiringCase changed = refused;
    changed.site = *site;
    if (!trials.works(changed)) continue;
    remedies.push_back({RemedyKind::site, "site " + site->id, std::move(changed)});
  }
  advise_racks(refused, trials, remedies);
  advise_trays(refused, trials, remedies);
  advise_reach(refused, trials, remedies);
}

}  // namespace railyard
