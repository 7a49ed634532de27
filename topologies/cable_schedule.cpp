// SPDX-License-Identifier: Apache-2.0
#include "topologies/cable_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/cage_groups.h"
#include "topologies/media_options.h"

namespace railyard {

namespace {

/// The least stock length that covers `routed`: from the part's list, else the site's for its medium, else made to
/// order; nothing when it is not sold.
std::optional<Metres> stock_length(const CablePart& cable, const Site& site, Metres routed) {
  const auto of_site = site.stock.find(cable.medium);
  const bool own_list = !cable.lengths.empty();
  if (!own_list && of_site == site.stock.end()) return std::nullopt;
  const std::vector<Metres>& lengths = own_list ? cable.lengths : of_site->second.lengths;
  // Sums of the same figures may differ in the last bits.
  const auto found = std::lower_bound(lengths.begin(), lengths.end(), routed - 1e-9 * metre);
  if (found != lengths.end()) return *found;
  if (own_list || of_site->second.step <= Metres{}) return std::nullopt;
  const Metres step = of_site->second.step;
  return step * std::ceil(routed / step - 1e-9);
}

/// What the rest of this file knows about one medium of a layer.
struct Candidate {
  const MediaOption* option = nullptr;
  Metres reach;                                         // of cable and modules
  std::optional<double> lower_cost, upper_cost;         // a cage; nothing without a price
  std::map<double, std::optional<double>> cable_costs;  // by length bought
};

/// One medium tried on a group of links.
struct Trial {
  bool possible = false;
  std::optional<double> cost;
};

class Scheduler {
 public:
  Scheduler(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
            const FloorPlan& plan, const PartCost& cost)
      : fabric_(fabric),
        design_(design),
        plan_(plan),
        cost_(cost),
        options_(media_options(design, parts, server)),
        any_length_(without_lengths(design)),
        cabling_(any_length_, parts, server),
        groups_(fabric, cabling_),
        routes_(plan) {
    for (std::size_t layer = 0; layer < layer_count; ++layer) {
      for (const MediaOption& option : options_.of[layer]) candidates_[layer].push_back(candidate(option));
    }
  }

  CableSchedule schedule() {
    measure();
    chosen_.resize(fabric_.links().size());
    for (std::size_t group = 0; group < groups_.count(); ++group) decide(groups_.links(group));
    emit();
    content_.refused = std::move(options_.refused);
    return CableSchedule(std::move(content_));
  }

 private:
  /// What was chosen for a link; an index into candidates of its layer, and the words of the rule.
  struct Chosen {
    std::uint8_t candidate = 0;
    std::uint8_t reaching = 1;  // media that could have been taken
    bool by_mates = false;      // links that share its cages rule a medium out
    bool priced = true;
  };

  static Design without_lengths(const Design& design) {
    Design copy = design;
    for (LayerMedia& media : copy.media) media.length = media.longest = Metres{};
    return copy;
  }

  Candidate candidate(const MediaOption& option) const {
    Candidate result;
    result.option = &option;
    result.reach = option.parts.cable->reach;
    result.lower_cost = result.upper_cost = 0;
    if (const ModulePart* module = option.parts.lower) {
      result.reach = std::min(result.reach, module->reach);
      result.lower_cost = cost_(module->id, std::nullopt);
    }
    if (const ModulePart* module = option.parts.upper) {
      result.reach = std::min(result.reach, module->reach);
      result.upper_cost = cost_(module->id, std::nullopt);
    }
    return result;
  }

  void measure() {
    routed_.reserve(fabric_.links().size());
    for (const Link& link : fabric_.links()) routed_.push_back(routes_.route(link.lower, link.upper));
  }

  Metres routed(LinkId id) const { return routed_[static_cast<std::size_t>(id)].length; }
  bool is_manager(const Link& link) const { return fabric_.device(link.lower).kind == DeviceKind::manager; }

  /// The length to buy for a route when the medium reaches it.
  std::optional<Metres> length_for(const Candidate& candidate, Metres route) const {
    const std::optional<Metres> stock = stock_length(*candidate.option->parts.cable, plan_.site(), route);
    if (!stock || *stock > candidate.reach) return std::nullopt;
    return stock;
  }

  std::optional<double> cable_cost(Candidate& candidate, Metres stock) const {
    const auto [found, fresh] = candidate.cable_costs.try_emplace(stock.in(metre));
    if (fresh) found->second = cost_(candidate.option->parts.cable->id, stock);
    return found->second;
  }

  /// Copper fills the cages that it ends in: all links of a cage must be in one cable.
  bool fills_cages(const CablePart& cable, std::span<const LinkId> links) const {
    for (const LinkId a : links) {
      int in_upper = 0;
      for (const LinkId b : links) {
        const bool same_upper = groups_.upper_cage(a) == groups_.upper_cage(b);
        const bool same_lower = groups_.lower_cage(a) == groups_.lower_cage(b);
        if (same_upper) ++in_upper;
        if (same_lower && !same_upper) return false;
        // One plug at the lower end as well, where its cages have several ports.
        const DeviceKind lower = fabric_.device(fabric_.link(a).lower).kind;
        if (same_upper && !same_lower && cabling_.ports_per_cage(lower) > 1) return false;
      }
      if (in_upper > cable.links) return false;
    }
    return true;
  }

  /// Runs `each(links)` for every cable that a medium needs for a group of links of one layer: those of one upper cage,
  /// in port order, as many as a cable carries.
  template <class Each>
  void for_each_cable(const CablePart& cable, std::span<const LinkId> links, const Each& each) const {
    if (cable.links == 1) {
      for (std::size_t i = 0; i < links.size(); ++i) each(links.subspan(i, 1));
      return;
    }
    std::vector<LinkId> order(links.begin(), links.end());
    std::stable_sort(order.begin(), order.end(), [&](LinkId a, LinkId b) {
      const Link &x = fabric_.link(a), &y = fabric_.link(b);
      return std::tuple(groups_.upper_cage(a), x.upper_port) < std::tuple(groups_.upper_cage(b), y.upper_port);
    });
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first + 1;
      while (last < order.size() && last - first < static_cast<std::size_t>(cable.links) &&
             groups_.upper_cage(order[last]) == groups_.upper_cage(order[first])) {
        ++last;
      }
      each(std::span<const LinkId>(order).subspan(first, last - first));
      first = last;
    }
  }

  Metres longest_of(std::span<const LinkId> links) const {
    Metres longest;
    for (const LinkId link : links) longest = std::max(longest, routed(link));
    return longest;
  }

  Trial try_medium(Candidate& candidate, std::span<const LinkId> links) const {
    const LayerParts& parts = candidate.option->parts;
    Trial trial;
    for (const LinkId link : links) {
      if (is_manager(fabric_.link(link)) && !candidate.option->serves_managers) return trial;
    }
    if (!length_for(candidate, longest_of(links))) return trial;
    if (!parts.cable->needs_modules && !fills_cages(*parts.cable, links)) return trial;
    trial.possible = true;
    std::optional<double> sum = 0;
    const auto add = [&](std::optional<double> cost) {
      sum = sum && cost ? std::optional(*sum + *cost) : std::nullopt;
    };
    for_each_cable(*parts.cable, links, [&](std::span<const LinkId> of_cable) {
      add(cable_cost(candidate, *length_for(candidate, longest_of(of_cable))));
    });
    if (parts.cable->needs_modules) {
      for (std::size_t i = 0; i < links.size(); ++i) {
        const auto before = links.first(i);
        const auto is_first = [&](auto cage_of) {
          return std::none_of(before.begin(), before.end(),
                              [&](LinkId other) { return cage_of(other) == cage_of(links[i]); });
        };
        // The module of an appliance is the same whatever the medium.
        if (!is_manager(fabric_.link(links[i])) && is_first([&](LinkId l) { return groups_.lower_cage(l); })) {
          add(candidate.lower_cost);
        }
        if (is_first([&](LinkId l) { return groups_.upper_cage(l); })) add(candidate.upper_cost);
      }
    }
    trial.cost = sum;
    return trial;
  }

  void decide(std::span<const LinkId> links) {
    const Layer layer = fabric_.link(links.front()).layer;
    const bool one_layer =
        std::all_of(links.begin(), links.end(), [&](LinkId link) { return fabric_.link(link).layer == layer; });
    if (!one_layer) return keep_own(links);
    std::vector<Candidate>& candidates = candidates_[index_of(layer)];
    trials_.clear();
    for (Candidate& candidate : candidates) trials_.push_back(try_medium(candidate, links));
    const auto better = [](const Trial& a, const Trial& b) {  // b is the best so far
      if (a.possible != b.possible) return a.possible;
      if (a.cost.has_value() != b.cost.has_value()) return a.cost.has_value();
      return a.cost.has_value() && *a.cost < *b.cost;
    };
    std::size_t best = 0;
    Chosen chosen{.reaching = 0};
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      if (trials_[i].possible) ++chosen.reaching;
      if (better(trials_[i], trials_[best])) best = i;
    }
    if (!trials_[best].possible) refuse(layer, links);
    chosen.candidate = static_cast<std::uint8_t>(best);
    chosen.priced = trials_[best].cost.has_value();
    for (const LinkId link : links) {
      chosen.by_mates = false;
      for (std::size_t i = 0; i < candidates.size() && links.size() > 1; ++i) {
        if (!trials_[i].possible && length_for(candidates[i], routed(link))) chosen.by_mates = true;
      }
      chosen_[static_cast<std::size_t>(link)] = chosen;
    }
  }

  /// A cage that serves two layers keeps the design's own media, which fit each other.
  void keep_own(std::span<const LinkId> links) {
    for (const LinkId link : links) {
      const Layer layer = fabric_.link(link).layer;
      if (!length_for(candidates_[index_of(layer)].front(), routed(link))) refuse(layer, links);
      chosen_[static_cast<std::size_t>(link)] = {0, 1, true, true};
    }
  }

  [[noreturn]] void refuse(Layer layer, std::span<const LinkId> links) const {
    const Link* worst = &fabric_.link(links.front());
    Metres longest;
    for (const LinkId id : links) {
      if (fabric_.link(id).layer == layer && routed(id) > longest) longest = routed(id), worst = &fabric_.link(id);
    }
    const Candidate* far = nullptr;
    for (const Candidate& candidate : candidates_[index_of(layer)]) {
      if (far == nullptr || candidate.reach > far->reach) far = &candidate;
    }
    const std::string place =
        fmt::format("design '{}' at site '{}', {} links", design_.id, plan_.site().id, to_string(layer));
    const std::string route = fmt::format("{:.1f} m from rack {} to {}", longest.in(metre),
                                          plan_.rack_of(worst->lower).name, plan_.rack_of(worst->upper).name);
    if (longest > far->reach) {
      throw InputError(
          fmt::format("{}: {}, but the longest reach is {:g} m ('{}'), {:.1f} m too little", place, route,
                      far->reach.in(metre), far->option->parts.cable->id, (longest - far->reach).in(metre)),
          "add an alternative of longer reach to the design's media, or let racks stand closer");
    }
    throw InputError(
        fmt::format("{}: no medium for {}: none is sold in such a length within its reach, or fits the cages", place,
                    route),
        "add an alternative to the design's media, or lengths to the site's stock");
  }

  std::string rule_of(const Chosen& chosen, const Candidate& candidate) const {
    std::string rule;
    if (chosen.reaching == 1) {
      rule = candidate.option->own ? "the design's own, alone in reach" : "alone in reach";
    } else if (!chosen.priced) {
      rule = fmt::format("{} of {} media in reach, without prices",
                         candidate.option->own ? "the design's own" : "first", chosen.reaching);
    } else {
      rule = fmt::format("cheapest of {} media in reach", chosen.reaching);
    }
    return chosen.by_mates ? rule + " of all links that share its cages" : rule;
  }

  std::uint16_t choice_for(Layer layer, const Chosen& chosen, bool manager, Metres stock) {
    const auto key =
        std::tuple(layer, chosen.candidate, chosen.reaching, chosen.by_mates, chosen.priced, manager, stock.in(metre));
    const auto [found, fresh] = choice_ids_.try_emplace(key, static_cast<std::uint16_t>(content_.choices.size()));
    if (fresh) {
      const Candidate& candidate = candidates_[index_of(layer)][chosen.candidate];
      const LayerParts& parts = candidate.option->parts;
      content_.choices.push_back({layer, parts.cable, manager ? cabling_.manager_module() : parts.lower, parts.upper,
                                  stock, rule_of(chosen, candidate)});
    }
    return found->second;
  }

  void emit() {
    const std::size_t count = fabric_.links().size();
    content_.cable_of.assign(count, 0);
    content_.cables.reserve(count);
    content_.links.reserve(count);
    for (const Layer layer : all_layers) {
      for (std::size_t group = 0; group < groups_.count(); ++group) emit(layer, groups_.links(group));
    }
  }

  void emit(Layer layer, std::span<const LinkId> group) {
    std::vector<LinkId>& links = of_layer_;
    links.clear();
    for (const LinkId link : group) {
      if (fabric_.link(link).layer == layer) links.push_back(link);
    }
    if (links.empty()) return;
    const Candidate& candidate =
        candidates_[index_of(layer)][chosen_[static_cast<std::size_t>(links.front())].candidate];
    for_each_cable(*candidate.option->parts.cable, links, [&](std::span<const LinkId> of_cable) {
      const Metres longest = longest_of(of_cable);
      const bool estimate = std::any_of(of_cable.begin(), of_cable.end(),
                                        [&](LinkId link) { return routed_[static_cast<std::size_t>(link)].estimate; });
      const Chosen& chosen = chosen_[static_cast<std::size_t>(of_cable.front())];
      const bool manager = is_manager(fabric_.link(of_cable.front()));
      const std::uint16_t choice = choice_for(layer, chosen, manager, *length_for(candidate, longest));
      for (const LinkId link : of_cable) {
        content_.cable_of[static_cast<std::size_t>(link)] = static_cast<std::uint32_t>(content_.cables.size());
      }
      content_.cables.push_back({static_cast<std::uint32_t>(content_.links.size()),
                                 static_cast<std::uint16_t>(of_cable.size()), choice, longest, estimate});
      content_.links.insert(content_.links.end(), of_cable.begin(), of_cable.end());
    });
  }

  const Fabric& fabric_;
  const Design& design_;
  const FloorPlan& plan_;
  const PartCost& cost_;
  MediaOptions options_;
  Design any_length_;  // cabling_ refers to it
  Cabling cabling_;
  CageGroups groups_;
  CableRoutes routes_;
  std::array<std::vector<Candidate>, layer_count> candidates_;
  std::vector<Route> routed_;   // by link
  std::vector<Chosen> chosen_;  // by link
  std::vector<Trial> trials_;
  std::vector<LinkId> of_layer_;
  std::map<std::tuple<Layer, std::uint8_t, std::uint8_t, bool, bool, bool, double>, std::uint16_t> choice_ids_;
  CableSchedule::Content content_;
};

}  // namespace

CableSchedule schedule_cables(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
                              const FloorPlan& plan, const PartCost& cost) {
  return Scheduler(fabric, design, parts, server, plan, cost).schedule();
}

}  // namespace railyard
