// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/hashed_ways.h"

#include <algorithm>
#include <cassert>

#include "sim/network/flow/mix.h"

namespace railyard {

HashedWays::HashedWays(const Fabric& fabric, const SwitchClasses& classes, const Ways& ways,
                       std::span<const ResourceId> resource_of)
    : classes_(classes), ways_(ways) {
  struct Exit {
    int to = 0;
    Turn turn = Turn::up;
    Port port;
  };
  std::vector<Exit> exits;
  first_run_.push_back(0);
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const DeviceId id{static_cast<std::uint32_t>(i)};
    exits.clear();
    for (const LinkId link_id : fabric.links_of(id)) {
      const Link& link = fabric.link(link_id);
      const DeviceId peer = link.lower == id ? link.upper : link.lower;
      const ResourceId resource = resource_of[static_cast<std::size_t>(link_id)];
      if (classes.class_of(id) < 0 || classes.class_of(peer) < 0 || resource == no_resource) continue;
      exits.push_back(
          {classes.class_of(peer), turn_of(fabric, link, id), {peer, resource + (link.lower == id ? 0U : 1U)}});
    }
    std::ranges::stable_sort(exits, {}, &Exit::to);
    for (const Exit& exit : exits) {
      if (runs_.size() == first_run_.back() || runs_.back().to != exit.to) {
        runs_.push_back({exit.to, exit.turn, static_cast<std::uint32_t>(ports_.size()), 0});
      }
      ++runs_.back().count;
      ports_.push_back(exit.port);
    }
    first_run_.push_back(static_cast<std::uint32_t>(runs_.size()));
  }
}

void HashedWays::add(DeviceId from, DeviceId to, std::uint64_t connection, std::uint64_t seed, double fraction,
                     std::vector<Use>& uses) const {
  const Ways::Target target = ways_.towards(classes_.class_of(to));
  Phase phase = Phase::climbing;
  for (DeviceId here = from; here != to;) {
    const int at = classes_.class_of(here);
    const auto leads = [&](const Run& run) { return target.leads(at, phase, run.turn, run.to); };
    std::uint32_t choices = 0;
    for (const Run& run : runs(here)) choices += leads(run) ? run.count : 0;
    assert(choices > 0);
    // Every switch has its own hash: with one for all, the ports of the second tier would follow from those of the
    // first.
    std::uint64_t left = mixed(mixed(seed, static_cast<std::uint64_t>(here)), connection) % choices;
    for (const Run& run : runs(here)) {
      if (!leads(run)) continue;
      if (left < run.count) {
        const Port& port = ports_[run.first + left];
        uses.push_back({port.resource, fraction});
        phase = Ways::after(run.turn);
        here = port.peer;
        break;
      }
      left -= run.count;
    }
  }
}

}  // namespace railyard
