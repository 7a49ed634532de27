// SPDX-License-Identifier: Apache-2.0
#include "sim/network/uniform_all_to_all.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/index.h"

namespace railyard {
namespace {

/// Ranks that receive alike: on one leaf, at one place of their nodes.
struct Receivers {
  int leaf = 0, kind = 0;
  int first = 0;  // a rank among them
  std::int64_t count = 0;
};

/// Receivers at one place of their nodes, on leaves that take one rail or on others: a sender reaches all of them by
/// one NIC, except those on its own leaf, which it reaches by its own.
struct Kind {
  int place = 0;
  bool rail_wired = false;
  std::vector<int> classes;
  std::int64_t count = 0;  // ranks in all of them
  auto key() const { return std::pair(place, rail_wired); }
};

struct Senders {
  std::int64_t all = 0, relayed = 0;
};

class Uniform {
 public:
  explicit Uniform(const Wiring& wiring)
      : wiring_(wiring),
        fabric_(wiring.fabric),
        links_(wiring.fabric),
        port_out_(at(wiring.fabric.gpus()), 0),
        port_in_(at(wiring.fabric.gpus()), 0) {
    route_.paths.all_to_all = true;
  }

  void add(const RankGroup& group) {
    share_ = 1.0 / group.size();
    classify(group);
    senders_.clear();
    own_.clear();
    for (const std::span<const int> domain : group.domains) add_domain(group, domain);
    for (const auto& [from, senders] : senders_) add_leaf_flows(from.first, kinds_[at(from.second)], senders);
  }

  DirectRoute take() {
    const Bottleneck network = links_.fullest();
    route_.paths.network = network.congestion;
    route_.where = network.where;
    if (!wiring_.speeds.mesh) {
      const double port = std::max(*std::ranges::max_element(port_out_), *std::ranges::max_element(port_in_));
      route_.paths.inside = std::max(route_.paths.inside, port / wiring_.speeds.ring);
    }
    return std::move(route_);
  }

 private:
  [[nodiscard]] int leaf_of(int gpu) const { return fabric_.leaf_of_nic(fabric_.nic(gpu)); }
  [[nodiscard]] int place_of(int gpu) const { return gpu % fabric_.gpus_per_node(); }

  void classify(const RankGroup& group) {
    std::map<std::pair<int, int>, int> found;  // leaf and place
    std::map<std::pair<int, bool>, int> kinds;
    classes_.clear();
    kinds_.clear();
    for (const int gpu : group.gpus) {
      const int leaf = leaf_of(gpu);
      const auto [entry, is_new] = found.try_emplace({leaf, place_of(gpu)}, static_cast<int>(classes_.size()));
      if (is_new) {
        const Kind kind{.place = place_of(gpu), .rail_wired = fabric_.rail_wired(leaf), .classes = {}, .count = 0};
        const auto [known, is_new_kind] = kinds.try_emplace(kind.key(), static_cast<int>(kinds_.size()));
        if (is_new_kind) kinds_.push_back(kind);
        kinds_[at(known->second)].classes.push_back(entry->second);
        classes_.push_back({.leaf = leaf, .kind = known->second, .first = gpu, .count = 0});
      }
      ++classes_[at(entry->second)].count;
      ++kinds_[at(classes_[at(entry->second)].kind)].count;
    }
    class_of_ = std::move(found);
  }

  [[nodiscard]] int class_of(int gpu) const { return class_of_.at({leaf_of(gpu), place_of(gpu)}); }

  void add_domain(const RankGroup& group, std::span<const int> domain) {
    const auto here = static_cast<std::int64_t>(domain.size());
    route_.paths.per_domain = std::max(route_.paths.per_domain, static_cast<int>(here));
    // Inside a domain a rank speaks to all others at once, over as many links as a ring of them has.
    const double to_neighbours = static_cast<double>(here - 1) * share_;
    if (here > 1 && wiring_.speeds.mesh) {
      route_.paths.inside =
          std::max(route_.paths.inside, to_neighbours / wiring_.speeds.ring_of(static_cast<int>(here)));
    }
    std::map<int, std::int64_t> own;  // receivers of this domain, by class
    for (const int gpu : domain) ++own[class_of(gpu)];
    const double from_others = static_cast<double>(group.size() - here) * share_;
    for (const int gpu : domain) {
      port_out_[at(gpu)] += to_neighbours;
      port_in_[at(gpu)] += to_neighbours;
      if (from_others == 0) continue;
      route_.paths.over_network = true;
      links_.load_nic(fabric_.nic(gpu), 0, from_others);
      for (int kind = 0; kind < std::ssize(kinds_); ++kind) send(group, domain, own, gpu, kind);
    }
  }

  /// All that `gpu` sends to the receivers of one kind.
  void send(const RankGroup& group, std::span<const int> domain, const std::map<int, std::int64_t>& own, int gpu,
            int kind) {
    const int leaf = leaf_of(gpu);
    std::int64_t near = 0, far = 0;  // receivers on the sender's leaf and on others, outside its domain
    const auto beside = class_of_.find({leaf, kinds_[at(kind)].place});
    if (beside != class_of_.end() && classes_[at(beside->second)].kind == kind) {
      near = classes_[at(beside->second)].count;
    }
    far = kinds_[at(kind)].count - near;
    for (const auto& [receivers, count] : own) {
      if (classes_[at(receivers)].kind != kind) continue;
      (classes_[at(receivers)].leaf == leaf ? near : far) -= count;
    }
    if (near > 0) links_.load_nic(fabric_.nic(gpu), static_cast<double>(near) * share_, 0);
    if (far == 0) return;
    const Hop hop = wiring_.placement.hop(gpu, far_receiver(kind, leaf, group, domain));
    const double bytes = static_cast<double>(far) * share_;
    links_.load_nic(hop.from_nic, bytes, 0);
    const int from_leaf = fabric_.leaf_of_nic(hop.from_nic);
    Senders& senders = senders_[{from_leaf, kind}];
    ++senders.all;
    if (hop.relayed) {
      ++senders.relayed;
      relay(group, gpu, bytes, kind);
    }
    for (const auto& [receivers, count] : own) {
      const Receivers& those = classes_[at(receivers)];
      if (those.kind != kind || those.leaf == leaf) continue;
      Senders& excluded = own_[{from_leaf, receivers}];
      excluded.all += count;
      if (hop.relayed) excluded.relayed += count;
    }
  }

  /// A rank of the kind on another leaf and in another domain; there is one.
  [[nodiscard]] int far_receiver(int kind, int leaf, const RankGroup& group, std::span<const int> domain) const {
    const int home = wiring_.placement.domain(domain.front());
    for (const int receivers : kinds_[at(kind)].classes) {
      const Receivers& those = classes_[at(receivers)];
      if (those.leaf != leaf && wiring_.placement.domain(those.first) != home) return those.first;
    }
    for (const int gpu : group.gpus) {
      if (wiring_.placement.domain(gpu) != home && leaf_of(gpu) != leaf && classes_[at(class_of(gpu))].kind == kind)
        return gpu;
    }
    return -1;
  }

  void relay(const RankGroup& group, int gpu, double bytes, int kind) {
    const int node_size = fabric_.gpus_per_node();
    const int relay = gpu / node_size * node_size + kinds_[at(kind)].place;
    port_out_[at(gpu)] += bytes;
    port_in_[at(relay)] += bytes;
    if (!wiring_.speeds.mesh) return;
    // The pair's link carries the relay's own share too, where it is a rank.
    const double shared = std::ranges::binary_search(group.gpus, relay) ? share_ : 0;
    route_.paths.inside = std::max(route_.paths.inside, (bytes + shared) / wiring_.speeds.link);
  }

  /// From NICs on one leaf to all receivers of a kind.
  void add_leaf_flows(int from_leaf, const Kind& kind, const Senders& senders) {
    for (const int receivers : kind.classes) {
      const Receivers& those = classes_[at(receivers)];
      std::int64_t flows = senders.all * those.count, relayed = senders.relayed * those.count;
      const auto excluded = own_.find({from_leaf, receivers});
      if (excluded != own_.end()) {
        flows -= excluded->second.all;
        relayed -= excluded->second.relayed;
      }
      if (flows <= 0) continue;
      const int switches = fabric_.switches_between(from_leaf, those.leaf);
      const double further =
          (switches - 1) * wiring_.speeds.switch_latency + (relayed > 0 ? wiring_.speeds.scale_up_hop : 0);
      route_.paths.further = std::max(route_.paths.further, further);
      if (from_leaf != those.leaf) links_.load_leaves(from_leaf, those.leaf, static_cast<double>(flows) * share_);
    }
  }

  const Wiring& wiring_;
  const FabricMap& fabric_;
  LinkLoads links_;
  DirectRoute route_;
  double share_ = 0;
  std::vector<Receivers> classes_;
  std::vector<Kind> kinds_;
  std::map<std::pair<int, int>, int> class_of_;     // leaf and place
  std::map<std::pair<int, int>, Senders> senders_;  // leaf of the NIC, kind
  std::map<std::pair<int, int>, Senders> own_;      // leaf of the NIC, class: pairs that are of one domain
  std::vector<double> port_out_, port_in_;          // scale-up, by GPU
};

}  // namespace

DirectRoute route_uniform_all_to_all(const Wiring& wiring, std::span<const RankGroup> groups) {
  Uniform uniform(wiring);
  for (const RankGroup& group : groups) uniform.add(group);
  return uniform.take();
}

}  // namespace railyard
