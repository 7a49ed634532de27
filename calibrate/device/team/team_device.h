// SPDX-License-Identifier: Apache-2.0
// The devices of all processes as one: work that several processes share is run by those that take part, and all learn
// the same times, so that every process takes the same decisions. Device numbers count through the processes in order
// of their ranks.
#pragma once

#include <map>
#include <vector>

#include "calibrate/device/device.h"
#include "calibrate/device/team/team.h"
#include "calibrate/device/timed_loop.h"

namespace railyard::device {

/// What rank r has: on which node, how many devices, and the number of its first one.
struct Member {
  int node = 0, devices = 1, first = 0;
};

/// Members by rank, from each one's node name and count of devices. Throws TeamError when ranks of a node do not follow
/// each other, or nodes have different numbers of devices: then shares of a node cannot be told from shares of all.
[[nodiscard]] std::vector<Member> members_of(const std::vector<std::pair<std::string, int>>& told);

class TeamDevice final : public Device {
 public:
  /// All processes make theirs at the same time; both must outlive it.
  TeamDevice(Device& local, const Team& team);

  /// The local device's, with the devices of a node and the nodes of the team.
  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Rank 0's clock, everywhere.
  [[nodiscard]] WallClock clock() const;

  [[nodiscard]] WorkId prepare(const WorkRequest& request) override;
  void release(WorkId work) override;
  void queue(WorkId work) override;
  void block(WorkId work) override;
  void unblock(WorkId work) override;
  void flush_l2(WorkId work) override;
  void record(WorkId work, int event) override;
  void synchronise() override;
  [[nodiscard]] double elapsed(WorkId work, int first, int last) override;
  [[nodiscard]] DeviceState state(int device) override;
  [[nodiscard]] std::optional<Verification> verify(WorkId work) override;
  [[nodiscard]] std::string describe(WorkId work) override;

 private:
  /// What this process runs of a request; nothing when others do.
  [[nodiscard]] std::optional<WorkRequest> share(const WorkRequest& request);
  [[nodiscard]] int group_of(int ranks);
  [[nodiscard]] WorkId local_of(WorkId work) const { return locals_.at(work.value); }

  Device& local_;
  const Team& team_;
  std::vector<Member> members_;
  DeviceFacts facts_;
  std::map<int, int> groups_;              // by ranks: the local device's number
  std::map<std::int32_t, WorkId> locals_;  // value -1: others run it
  std::int32_t next_ = 0;
};

}  // namespace railyard::device
