// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/as_built.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/nearest_name.h"

namespace railyard {

namespace {

constexpr std::size_t most_searched = 20'000;  // names for the nearest one

struct Port {
  std::string device, port;
  bool operator==(const Port&) const = default;
  auto operator<=>(const Port&) const = default;
};

std::string key_of(const Port& port) { return fmt::format("{}\n{}", port.device, port.port); }

/// Peers by port; a port used twice keeps its first link, the second is extra.
class PeerMap {
 public:
  void reserve(std::size_t links) { peers_.reserve(2 * links); }
  bool add(const Port& a, const Port& b, std::size_t link) {
    if (peers_.contains(key_of(a)) || peers_.contains(key_of(b))) return false;
    peers_.emplace(key_of(a), std::pair{b, link});
    peers_.emplace(key_of(b), std::pair{a, link});
    return true;
  }
  [[nodiscard]] const std::pair<Port, std::size_t>* find(const Port& port) const {
    const auto found = peers_.find(key_of(port));
    return found == peers_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::string, std::pair<Port, std::size_t>> peers_;
};

class Comparison {
 public:
  Comparison(const NamedFabric& plan, const AsBuilt& built) : plan_(plan), built_(built) {
    planned_peers_.reserve(plan.fabric.links().size());
    built_peers_.reserve(built.links.size());
    for (std::size_t i = 0; i < plan.fabric.links().size(); ++i) planned_peers_.add(lower(i), upper(i), i);
    twice_.assign(built.links.size(), false);
    settled_.assign(built.links.size(), false);
    for (std::size_t i = 0; i < built.links.size(); ++i) {
      const LinkEnds& link = built.links[i];
      twice_[i] = !built_peers_.add({link.device_a, link.port_a}, {link.device_b, link.port_b}, i);
    }
    known_.insert(plan.devices.begin(), plan.devices.end());
  }

  WiringComparison run() {
    result_.planned = plan_.fabric.links().size();
    result_.built = built_.links.size();
    for (std::size_t i = 0; i < plan_.fabric.links().size(); ++i) compare(i);
    for (std::size_t i = 0; i < built_.links.size(); ++i) {
      if (!settled_[i]) extra(i);
    }
    std::stable_sort(result_.differences.begin(), result_.differences.end(),
                     [](const WiringDifference& a, const WiringDifference& b) { return a.fault < b.fault; });
    return std::move(result_);
  }

 private:
  [[nodiscard]] const std::string& name(DeviceId id) const { return plan_.devices[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Port lower(std::size_t link) const {
    return {name(plan_.fabric.links()[link].lower), plan_.ports[link].lower};
  }
  [[nodiscard]] Port upper(std::size_t link) const {
    return {name(plan_.fabric.links()[link].upper), plan_.ports[link].upper};
  }

  void compare(std::size_t i) {
    const Port a = lower(i), z = upper(i);
    const auto* at_a = built_peers_.find(a);
    const auto* at_z = built_peers_.find(z);
    if (at_a != nullptr && at_a->first == z) {
      settled_[at_a->second] = true;
      ++result_.equal;
      check_speed(i, at_a->second, a, z);
      return;
    }
    if (at_a == nullptr && at_z == nullptr) {
      add({WiringFault::missing, a.device, a.port, z.device, z.port, {}, {}, {}, 0});
      return;
    }
    if (at_a != nullptr && at_z != nullptr && is_swap(a, z, at_a->first, at_z->first)) {
      if (settled_[at_a->second]) return;  // told from its other half
      settled_[at_a->second] = settled_[at_z->second] = true;
      const Port& wrong = at_a->first;
      add({WiringFault::swapped, a.device, a.port, z.device, z.port, wrong.device, wrong.port,
           fmt::format("exchanged with the cable from {}:{}", at_z->first.device, at_z->first.port),
           built_.links[at_a->second].line});
      return;
    }
    // From the end that is still where it should be; both, when both are elsewhere.
    if (at_a != nullptr) misplaced(a, z, *at_a);
    if (at_z != nullptr && (at_a == nullptr || !settled_[at_z->second])) misplaced(z, a, *at_z);
  }

  /// The built links a-y and x-z are what remains of a-z and x-y.
  [[nodiscard]] bool is_swap(const Port& a, const Port& z, const Port& y, const Port& x) const {
    const auto* planned = planned_peers_.find(y);
    return !(x == a) && !(y == z) && planned != nullptr && planned->first == x;
  }

  void misplaced(const Port& at, const Port& planned, const std::pair<Port, std::size_t>& found) {
    if (settled_[found.second]) return;
    settled_[found.second] = true;
    add({WiringFault::misplaced, at.device, at.port, planned.device, planned.port, found.first.device, found.first.port,
         unknown(found.first.device), built_.links[found.second].line});
  }

  void extra(std::size_t i) {
    const LinkEnds& link = built_.links[i];
    std::string note = unknown(link.device_a);
    if (note.empty()) note = unknown(link.device_b);
    if (twice_[i]) note = "a port that another row uses too";
    add({WiringFault::extra, link.device_a, link.port_a, {}, {}, link.device_b, link.port_b, note, link.line});
  }

  void check_speed(std::size_t planned, std::size_t built, const Port& a, const Port& z) {
    const Bandwidth is = built_.links[built].speed, should_be = plan_.fabric.links()[planned].speed;
    if (is == Bandwidth{} || is == should_be) return;
    add({WiringFault::speed, a.device, a.port, z.device, z.port, z.device, z.port,
         fmt::format("{:g} Gb/s, planned {:g} Gb/s", is.in(gigabit_per_second), should_be.in(gigabit_per_second)),
         built_.links[built].line});
  }

  /// What to say about a device that the plan does not have. Nearest names are looked for a few times only: each look
  /// goes through all names.
  std::string unknown(const std::string& device) {
    if (known_.contains(device)) return {};
    const bool look = looks_ > 0 && plan_.devices.size() <= most_searched;
    if (look) --looks_;
    const std::string near = look ? nearest_name(device, plan_.devices) : std::string();
    return near.empty() ? fmt::format("the plan has no {}", device)
                        : fmt::format("the plan has no {}; did you mean {}?", device, near);
  }

  void add(WiringDifference difference) { result_.differences.push_back(std::move(difference)); }

  const NamedFabric& plan_;
  const AsBuilt& built_;
  PeerMap planned_peers_, built_peers_;
  std::vector<bool> twice_, settled_;  // by built link
  std::unordered_set<std::string> known_;
  int looks_ = 20;
  WiringComparison result_;
};

}  // namespace

std::string_view to_string(WiringFault fault) {
  constexpr std::array<std::string_view, 5> names{"swapped", "misplaced", "missing", "extra", "speed"};
  return names[static_cast<std::size_t>(fault)];
}

WiringComparison compare_wiring(const NamedFabric& plan, const AsBuilt& built) { return Comparison(plan, built).run(); }

}  // namespace railyard
