// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/team_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "calibrate/device/team/packing.h"

namespace railyard::device {
namespace {

/// Tells machines apart that share a host name, as containers may; the host's name where there is none.
std::string node_name() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  std::array<char, 256> name{};
  (void)gethostname(name.data(), name.size() - 1);
  return std::string(name.data()) + " " + id;
}

enum class Prepared : char { done, waived };

}  // namespace

std::vector<Member> members_of(const std::vector<std::pair<std::string, int>>& told) {
  std::vector<Member> members;
  std::vector<std::string> nodes;
  std::vector<int> devices;
  int first = 0;
  for (const auto& [name, count] : told) {
    if (nodes.empty() || nodes.back() != name) {
      if (std::find(nodes.begin(), nodes.end(), name) != nodes.end()) {
        throw TeamError(
            "the ranks of a node do not follow each other: launch them by node (mpirun --map-by slot, srun "
            "--distribution=block)");
      }
      nodes.push_back(name);
      devices.push_back(0);
    }
    members.push_back({.node = static_cast<int>(nodes.size()) - 1, .devices = count, .first = first});
    devices.back() += count;
    first += count;
  }
  for (const int each : devices) {
    if (each != devices.front()) {
      throw TeamError(
          fmt::format("nodes have {} and {} devices in this launch: all need the same number", devices.front(), each));
    }
  }
  return members;
}

TeamDevice::TeamDevice(Device& local, const Team& team) : local_(local), team_(team), facts_(local.facts()) {
  std::vector<std::pair<std::string, int>> told;
  for (const std::string& each : team_.gather_all(fmt::format("{} {}", local_.facts().devices, node_name()))) {
    const std::size_t space = each.find(' ');
    told.emplace_back(each.substr(space + 1), std::stoi(each.substr(0, space)));
  }
  members_ = members_of(told);
  facts_.nodes = members_.back().node + 1;
  facts_.clock_hz = team_.largest(facts_.clock_hz);  // decisions rest on it: the same everywhere
  facts_.devices = (members_.back().first + members_.back().devices) / facts_.nodes;
}

WallClock TeamDevice::clock() const {
  return [this] { return unpacked<double>(team_.tell(packed(steady_seconds()))); };
}

int TeamDevice::group_of(int ranks) {
  const auto known = groups_.find(ranks);
  if (known != groups_.end()) return known->second;
  // Rank 0 names the group, or says why it cannot.
  std::string name;
  if (team_.root()) {
    try {
      name = packed(local_.new_group());
    } catch (const Waived& reason) {
      name = reason.what();
    }
  }
  name = team_.tell(name);
  if (name.size() != sizeof(GroupId)) throw Waived(name);
  const Member& me = members_.at(static_cast<std::size_t>(team_.rank()));
  int group = -1;
  if (me.first < ranks) {
    group = local_.join({.id = unpacked<GroupId>(name),
                         .ranks = ranks,
                         .first_rank = me.first,
                         .local_ranks = std::min(me.devices, ranks - me.first)});
  }
  groups_.emplace(ranks, group);
  return group;
}

std::optional<WorkRequest> TeamDevice::share(const WorkRequest& request) {
  const Member& me = members_.at(static_cast<std::size_t>(team_.rank()));
  WorkRequest mine = request;
  if (request.kind == WorkKind::collective) {
    mine.group = group_of(request.ranks);
    if (me.first >= request.ranks) return {};
    mine.first_rank = me.first;
    mine.local_ranks = std::min(me.devices, request.ranks - me.first);
    mine.device = 0;
    return mine;
  }
  if (request.device < me.first || request.device >= me.first + me.devices) return {};
  mine.device = request.device - me.first;
  return mine;
}

WorkId TeamDevice::prepare(const WorkRequest& request) {
  // The reason why one process cannot is everybody's: a byte for how it ended, then the words.
  std::string outcome(1, static_cast<char>(Prepared::done));
  WorkId local;
  try {
    const std::optional<WorkRequest> mine = share(request);
    if (mine) local = local_.prepare(*mine);
  } catch (const Waived& reason) {
    outcome = static_cast<char>(Prepared::waived) + std::string(reason.what());
  }
  for (const std::string& each : team_.gather_all(outcome)) {
    if (each.front() == static_cast<char>(Prepared::done)) continue;
    if (local.value >= 0) local_.release(local);
    throw Waived(each.substr(1));
  }
  locals_.emplace(next_, local);
  return {next_++};
}

void TeamDevice::release(WorkId work) {
  if (local_of(work).value >= 0) local_.release(local_of(work));
  locals_.erase(work.value);
}
void TeamDevice::queue(WorkId work) {
  if (local_of(work).value >= 0) local_.queue(local_of(work));
}
void TeamDevice::block(WorkId work) {
  if (local_of(work).value >= 0) local_.block(local_of(work));
}
void TeamDevice::unblock(WorkId work) {
  if (local_of(work).value >= 0) local_.unblock(local_of(work));
}
void TeamDevice::flush_l2(WorkId work) {
  if (local_of(work).value >= 0) local_.flush_l2(local_of(work));
}
void TeamDevice::record(WorkId work, int event) {
  if (local_of(work).value >= 0) local_.record(local_of(work), event);
}
void TeamDevice::synchronise() { local_.synchronise(); }

double TeamDevice::elapsed(WorkId work, int first, int last) {
  return team_.largest(local_of(work).value >= 0 ? local_.elapsed(local_of(work), first, last) : 0.0);
}

DeviceState TeamDevice::state(int) {
  // The slowest clock is the one that others wait for; power adds up only where one process tells it.
  DeviceState worst;
  bool first = true;
  for (const std::string& each : team_.gather_all(packed(local_.state(0)))) {
    const DeviceState state = unpacked<DeviceState>(each);
    if (first || (state.clock_hz > 0 && state.clock_hz < worst.clock_hz)) worst.clock_hz = state.clock_hz;
    worst.temperature_c = std::max(worst.temperature_c, state.temperature_c);
    worst.power_w = std::max(worst.power_w, state.power_w);
    worst.throttled = std::max(worst.throttled, state.throttled);
    worst.power_capped = std::max(worst.power_capped, state.power_capped);
    first = false;
  }
  return worst;
}

std::optional<Verification> TeamDevice::verify(WorkId work) {
  struct Answer {
    Verification result;
    bool given = false;
  } mine;
  if (local_of(work).value >= 0) {
    const std::optional<Verification> result = local_.verify(local_of(work));
    if (result) mine = {*result, true};
  }
  std::optional<Verification> worst;
  for (const std::string& each : team_.gather_all(packed(mine))) {
    const Answer answer = unpacked<Answer>(each);
    if (answer.given && (!worst || !(answer.result.error <= worst->error))) worst = answer.result;
  }
  return worst;
}

std::string TeamDevice::describe(WorkId work) {
  return team_.tell(local_of(work).value >= 0 ? local_.describe(local_of(work)) : std::string());
}

}  // namespace railyard::device
