// SPDX-License-Identifier: Apache-2.0
// Options of the design with which a refused case works: one key changed, to the value nearest to its own.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "topologies/advice_search.h"

namespace railyard {

namespace {

/// A value of one key, as it is written into the design.
struct Change {
  std::string words;
  Design design;
};
using Changes = std::vector<Change>;

template <class Set>
void add(Changes& changes, const Design& design, std::string words, const Set& set) {
  changes.push_back({std::move(words), design});
  set(changes.back().design);
}

/// 1 to `most` but for the present value, nearest first, the smaller one of two.
std::vector<int> around(int present, int most) {
  std::vector<int> values;
  for (int value = 1; value <= most; ++value) {
    if (value != present) values.push_back(value);
  }
  std::stable_sort(values.begin(), values.end(),
                   [&](int a, int b) { return std::abs(a - present) < std::abs(b - present); });
  return values;
}

Changes more_tiers(const WiringCase& refused, const Parts&) {
  const Design& design = refused.design;
  Changes changes;
  for (int tiers = design.tiers + 1; design.tiers > 0 && tiers <= 3; ++tiers) {
    const Layer above = tiers == 2 ? Layer::leaf_spine : Layer::spine_core;
    if (design.media[index_of(above)].cable.empty()) break;
    add(changes, design, fmt::format("tiers: {}", tiers), [&](Design& d) { d.tiers = tiers; });
  }
  return changes;
}

Changes fewer_reserved(const WiringCase& refused, const Parts&) {
  Changes changes;
  for (int ports = refused.design.reserved_ports - 1; ports >= 0; --ports) {
    add(changes, refused.design, fmt::format("at most {} reserved_ports", ports),
        [&](Design& d) { d.reserved_ports = ports; });
  }
  return changes;
}

Changes more_downlinks(const WiringCase& refused, const Parts&) {
  Changes changes;
  for (const double ratio : {1.0, 1.5, 2.0, 3.0, 4.0, 7.0}) {
    if (refused.design.leaf_ports || ratio <= refused.design.oversubscription) continue;
    add(changes, refused.design, fmt::format("oversubscription: {:g} with oversubscribed_by: more-downlinks", ratio),
        [&](Design& d) { d.oversubscription = ratio, d.oversubscribed_by = OversubscribedBy::more_downlinks; });
  }
  return changes;
}

/// Ratios of whole uplinks: half of a leaf's ports to each number of uplinks.
Changes other_ratio(const WiringCase& refused, const Parts& parts) {
  const Design& design = refused.design;
  Changes changes;
  if (design.leaf_ports) return changes;
  const int down = std::max(1, (parts.switch_part(design.switch_id).ports() - design.reserved_ports) / 2);
  std::vector<double> ratios;
  for (int up = 1; up <= 2 * down; ++up) {
    const double ratio = std::strtod(fmt::format("{:.6g}", static_cast<double>(down) / up).c_str(), nullptr);
    constexpr double least = 0.1, most = 64;  // that a design may have
    if (ratio != design.oversubscription && ratio >= least && ratio <= most) ratios.push_back(ratio);
  }
  std::stable_sort(ratios.begin(), ratios.end(), [&](double a, double b) {
    return std::abs(std::log(a / design.oversubscription)) < std::abs(std::log(b / design.oversubscription));
  });
  for (const double ratio : ratios) {
    add(changes, design, fmt::format("oversubscription: {:.6g}", ratio),
        [&](Design& d) { d.oversubscription = ratio; });
  }
  return changes;
}

Changes other_planes(const WiringCase& refused, const Parts&) {
  constexpr int most = 16;
  Changes changes;
  for (const int planes : around(refused.design.planes, most)) {
    add(changes, refused.design, fmt::format("planes: {}", planes), [&](Design& d) { d.planes = planes; });
  }
  return changes;
}

Changes without_ufm(const WiringCase& refused, const Parts&) {
  Changes changes;
  if (refused.design.ufm) add(changes, refused.design, "ufm: false", [](Design& d) { d.ufm = false; });
  return changes;
}

Changes other_group_spines(const WiringCase& refused, const Parts& parts) {
  Changes changes;
  if (refused.design.group_spines == 0) return changes;
  for (const int spines : around(refused.design.group_spines, parts.switch_part(refused.design.switch_id).ports())) {
    add(changes, refused.design, fmt::format("group_spines: {}", spines), [&](Design& d) { d.group_spines = spines; });
  }
  return changes;
}

Changes other_group_leaves(const WiringCase& refused, const Parts& parts) {
  Changes changes;
  if (refused.design.group_leaves == 0) return changes;
  const int most = parts.switch_part(refused.design.switch_of(DeviceKind::spine)).ports();
  for (const int leaves : around(refused.design.group_leaves, std::max(most, refused.design.group_leaves))) {
    add(changes, refused.design, fmt::format("group_leaves: {}", leaves), [&](Design& d) { d.group_leaves = leaves; });
  }
  return changes;
}

Changes fewer_global_links(const WiringCase& refused, const Parts&) {
  Changes changes;
  for (int links = refused.design.global_links - 1; links > 0; --links) {
    add(changes, refused.design, fmt::format("global_links: {}", links), [&](Design& d) { d.global_links = links; });
  }
  return changes;
}

/// Fewer node ports, then fewer uplinks too; those of a leaf that has none written down.
Changes other_leaf_ports(const WiringCase& refused, const Parts& parts) {
  const Design& design = refused.design;
  const int half = parts.switch_part(design.switch_id).ports() / 2;
  Changes changes;
  if (!design.leaf_ports && design.topology != "scheduled-fabric") return changes;
  const LeafPorts present = design.leaf_ports.value_or(LeafPorts{half + 1, half});
  for (int less = 0; less < present.down + present.up; ++less) {
    const LeafPorts ports{std::max(1, present.down - less),
                          std::max(1, present.up - std::max(0, less - present.down + 1))};
    add(changes, design, fmt::format("leaf_ports: {{node: {}, up: {}}}", ports.down, ports.up),
        [&](Design& d) { d.leaf_ports = ports, d.oversubscription = 1; });
  }
  return changes;
}

Changes whole_leaves(const WiringCase& refused, const Parts&) {
  Changes changes;
  if (refused.design.nodes_per_leaf > 0) {
    add(changes, refused.design, "the design without nodes_per_leaf", [](Design& d) { d.nodes_per_leaf = 0; });
  }
  return changes;
}

Changes other_spine_group(const WiringCase& refused, const Parts&) {
  Changes changes;
  if (refused.design.topology != "rail-fat-tree") return changes;
  const bool by_rail = refused.design.spine_group_by_rail;
  add(changes, refused.design, by_rail ? "spine_group: pods" : "spine_group: rail",
      [&](Design& d) { d.spine_group_by_rail = !by_rail; });
  return changes;
}

Changes other_breakout(const WiringCase& refused, const Parts&) {
  Changes changes;
  for (const int links : {1, 2, 4, 8}) {
    if (links == refused.design.breakout) continue;
    add(changes, refused.design, fmt::format("breakout: {}", links), [&](Design& d) { d.breakout = links; });
  }
  return changes;
}

/// One switch for all layers, of nearly as many ports.
Changes other_switch(const WiringCase& refused, const Parts& parts) {
  const Design& design = refused.design;
  const SwitchPart& present = parts.switch_part(design.switch_id);
  const bool one_kind =
      design.switch_of(DeviceKind::spine) == present.id && design.switch_of(DeviceKind::core) == present.id;
  std::vector<const SwitchPart*> others;
  for (const auto& [id, part] : parts.switches) {
    if ((id != present.id || !one_kind) && part.fabric == present.fabric) others.push_back(&part);
  }
  std::stable_sort(others.begin(), others.end(), [&](const SwitchPart* a, const SwitchPart* b) {
    return std::abs(a->ports() - present.ports()) < std::abs(b->ports() - present.ports());
  });
  Changes changes;
  for (const SwitchPart* other : others) {
    add(changes, refused.design, fmt::format("switch: {}", other->id), [&](Design& d) {
      d.switch_id = other->id;
      d.spine_switch_id.clear(), d.core_switch_id.clear();
    });
  }
  return changes;
}

// What an option helps against: too few ports; parts or options that do not suit the family; ports of one cage that
// need different modules. Racks and routes of a site are no matter of options.
constexpr unsigned too_few_ports = 1, unsuited = 2, unequal_cages = 4,
                   any_obstacle = too_few_ports | unsuited | unequal_cages;

unsigned obstacle_of(const WiringCase& refused, const Parts& parts) {
  try {
    if (misfit_of(refused.design, parts, refused.server, refused.gpus)) return too_few_ports;
  } catch (const InputError&) {
    return unsuited;
  }
  try {
    static_cast<void>(wire_fabric(refused.design, parts, refused.server, refused.gpus));
    return 0;
  } catch (const InputError&) {
    return unequal_cages;
  }
}

}  // namespace

void advise_options(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  using Values = Changes (*)(const WiringCase&, const Parts&);
  struct Option {
    Values values;
    unsigned against;  // obstacles
  };
  static constexpr std::array options{Option{more_tiers, too_few_ports},
                                      Option{fewer_reserved, too_few_ports},
                                      Option{more_downlinks, too_few_ports},
                                      Option{other_planes, unsuited},
                                      Option{without_ufm, unsuited},
                                      Option{other_group_spines, unsuited},
                                      Option{other_group_leaves, any_obstacle},
                                      Option{fewer_global_links, too_few_ports},
                                      Option{other_leaf_ports, any_obstacle},
                                      Option{whole_leaves, too_few_ports},
                                      Option{other_spine_group, too_few_ports},
                                      Option{other_ratio, unsuited | unequal_cages},
                                      Option{other_breakout, unsuited},
                                      Option{other_switch, any_obstacle}};
  constexpr int most = 3, most_tried = 3;  // remedies, and values of a key whose ports suffice
  const unsigned obstacle = obstacle_of(refused, trials.parts());
  int found = 0;
  for (const Option& option : options) {
    if ((option.against & obstacle) == 0) continue;
    int tried = 0;
    for (Change& change : option.values(refused, trials.parts())) {
      WiringCase changed = refused;
      changed.design = std::move(change.design);
      if (!trials.fits(changed)) continue;
      if (trials.works(changed)) {
        remedies.push_back({RemedyKind::option, std::move(change.words), std::move(changed)});
        ++found;
        break;
      }
      if (++tried == most_tried) break;
    }
    if (found == most) return;
  }
}

}  // namespace railyard
