// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/switch_classes.h"

#include <algorithm>
#include <cassert>
#include <compare>
#include <tuple>

namespace railyard {
namespace {

std::size_t index_of(DeviceId id) { return static_cast<std::size_t>(id); }

bool is_switch(const Device& device) { return device.kind != DeviceKind::node && device.kind != DeviceKind::manager; }

/// All links from one switch to another.
struct Edge {
  int to = 0;  // switch
  Turn turn = Turn::up;
  double bandwidth = 0;
};

/// What refinement sees of a switch: its bandwidth to a colour.
struct Sight {
  int colour = 0;
  Turn turn = Turn::up;
  double bandwidth = 0;
  auto operator<=>(const Sight&) const = default;
};

/// Switches numbered without gaps, with their neighbours.
class SwitchGraph {
 public:
  explicit SwitchGraph(const Fabric& fabric) {
    const std::span<const Device> devices = fabric.devices();
    number_.assign(devices.size(), -1);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!is_switch(devices[i])) continue;
      number_[i] = static_cast<int>(alone_.size());
      alone_.push_back(0);
    }
    first_.assign(alone_.size() + 1, 0);
    std::vector<double> seen(alone_.size(), 0);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (number_[i] < 0) continue;
      const DeviceId id{static_cast<std::uint32_t>(i)};
      const std::size_t begin = edges_.size();
      for (const LinkId link_id : fabric.links_of(id)) {
        const Link& link = fabric.link(link_id);
        const DeviceId peer = link.lower == id ? link.upper : link.lower;
        const int other = number_[index_of(peer)];
        if (other < 0) {
          if (fabric.device(peer).kind == DeviceKind::node) alone_[static_cast<std::size_t>(number_[i])] = 1;
          continue;
        }
        double& sum = seen[static_cast<std::size_t>(other)];
        if (sum == 0) edges_.push_back({other, turn_of(fabric, link, id), 0});
        sum += link.speed.in(byte / second);
      }
      for (std::size_t e = begin; e < edges_.size(); ++e) {
        double& sum = seen[static_cast<std::size_t>(edges_[e].to)];
        edges_[e].bandwidth = sum;
        sum = 0;
      }
      first_[static_cast<std::size_t>(number_[i]) + 1] = edges_.size();
    }
  }

  [[nodiscard]] std::size_t size() const { return alone_.size(); }
  [[nodiscard]] int number(std::size_t device) const { return number_[device]; }
  [[nodiscard]] bool has_nodes(std::size_t index) const { return alone_[index] != 0; }
  [[nodiscard]] std::span<const Edge> edges(std::size_t index) const {
    return std::span(edges_).subspan(first_[index], first_[index + 1] - first_[index]);
  }

 private:
  std::vector<int> number_;  // by device
  std::vector<char> alone_;
  std::vector<std::size_t> first_;
  std::vector<Edge> edges_;
};

/// Colours by switch, split until members of a colour see the same bandwidth to every colour.
std::vector<int> refine(const SwitchGraph& graph) {
  std::vector<int> colours(graph.size(), 0);
  int count = 1;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.has_nodes(i)) colours[i] = count++;  // nobody's twin: never looked at again
  }
  std::vector<std::size_t> shared;  // switches that may still part
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (colours[i] == 0) shared.push_back(i);
  }
  std::vector<Sight> sights, row;
  std::vector<std::size_t> first;
  for (bool changed = !shared.empty(); changed;) {
    sights.clear();
    first.assign(1, 0);
    for (const std::size_t i : shared) {
      row.clear();
      for (const Edge& edge : graph.edges(i)) {
        row.push_back({colours[static_cast<std::size_t>(edge.to)], edge.turn, edge.bandwidth});
      }
      std::ranges::sort(row);
      for (const Sight& sight : row) {
        if (sights.size() > first.back() && sights.back().colour == sight.colour && sights.back().turn == sight.turn) {
          sights.back().bandwidth += sight.bandwidth;
        } else {
          sights.push_back(sight);
        }
      }
      first.push_back(sights.size());
    }
    const auto seen = [&](std::size_t place) {
      return std::span(sights).subspan(first[place], first[place + 1] - first[place]);
    };
    std::vector<std::size_t> order(shared.size());
    for (std::size_t place = 0; place < order.size(); ++place) order[place] = place;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const int colour_a = colours[shared[a]], colour_b = colours[shared[b]];
      if (colour_a != colour_b) return colour_a < colour_b;
      const std::partial_ordering compared =
          std::lexicographical_compare_three_way(seen(a).begin(), seen(a).end(), seen(b).begin(), seen(b).end());
      return std::is_eq(compared) ? a < b : std::is_lt(compared);
    });
    changed = false;
    std::vector<int> next(shared.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t place = order[i];
      if (i > 0 && colours[shared[place]] == colours[shared[order[i - 1]]]) {
        const std::size_t before = order[i - 1];
        const bool same = std::ranges::equal(seen(place), seen(before));
        changed = changed || !same;
        next[place] = same ? next[before] : count++;
      } else {
        next[place] = colours[shared[place]];
      }
    }
    for (std::size_t place = 0; place < shared.size(); ++place) colours[shared[place]] = next[place];
  }
  return colours;
}

}  // namespace

Turn turn_of(const Fabric& fabric, const Link& link, DeviceId end) {
  if (fabric.device(link.lower).kind == fabric.device(link.upper).kind) return Turn::across;
  return link.lower == end ? Turn::up : Turn::down;
}

SwitchClasses::SwitchClasses(const Fabric& fabric) {
  const std::size_t devices = fabric.devices().size();
  class_of_.assign(devices, -1);
  const SwitchGraph graph(fabric);
  const std::vector<int> colours = refine(graph);
  // Classes in the order of their first device, whatever the order in which colours split.
  std::vector<int> class_of_colour(graph.size() + 1, -1);
  for (std::size_t i = 0; i < devices; ++i) {
    if (graph.number(i) < 0) continue;
    int& known = class_of_colour[static_cast<std::size_t>(colours[static_cast<std::size_t>(graph.number(i))])];
    if (known < 0) {
      known = count();
      members_.push_back(DeviceId{static_cast<std::uint32_t>(i)});
      sizes_.push_back(0);
    }
    class_of_[i] = known;
    ++sizes_[static_cast<std::size_t>(known)];
  }
  add_bundles(fabric);
}

void SwitchClasses::add_bundles(const Fabric& fabric) {
  // Every member of a class sees the same, so that the first stands for all.
  first_bundle_.assign(1, 0);
  std::vector<std::pair<int, int>> numbers;  // of bundles met from their first end: (to, index), by class
  std::vector<std::vector<std::pair<int, int>>> pending(members_.size());
  for (int from = 0; from < count(); ++from) {
    const std::size_t begin = bundles_.size();
    for (const LinkId id : fabric.links_of(member(from))) {
      const Link& link = fabric.link(id);
      const DeviceId here = member(from), peer = link.lower == here ? link.upper : link.lower;
      const int to = class_of(peer);
      if (to < 0) continue;
      auto bundle = std::find_if(bundles_.begin() + static_cast<std::ptrdiff_t>(begin), bundles_.end(),
                                 [to](const Bundle& known) { return known.to == to; });
      if (bundle == bundles_.end()) {
        bundles_.push_back({.to = to, .turn = turn_of(fabric, link, here)});
        bundle = bundles_.end() - 1;
      }
      bundle->bandwidth += link.speed.in(byte / second) * size(from);
    }
    std::sort(bundles_.begin() + static_cast<std::ptrdiff_t>(begin), bundles_.end(),
              [](const Bundle& a, const Bundle& b) { return a.to < b.to; });
    auto known = pending[static_cast<std::size_t>(from)].begin();
    for (std::size_t i = begin; i < bundles_.size(); ++i) {
      Bundle& bundle = bundles_[i];
      if (bundle.to < from) {
        assert(known->first == bundle.to);
        bundle.index = (known++)->second;
        bundle.forward = false;
      } else {
        bundle.index = bundle_count_++;
        if (bundle.to > from) pending[static_cast<std::size_t>(bundle.to)].emplace_back(from, bundle.index);
      }
    }
    first_bundle_.push_back(bundles_.size());
  }
}

}  // namespace railyard
