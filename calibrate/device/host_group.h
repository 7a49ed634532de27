// SPDX-License-Identifier: Apache-2.0
// Collectives of hosts: BF16 elements over TCP, a process a rank, by the textbook algorithms (rings, and exchanges in
// pairs for all-to-all). They answer how fast this machine's processes, or its network, exchange data; and they let the
// path over many processes run where no GPU is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "calibrate/device/host_kernels.h"
#include "calibrate/device/team/sockets.h"

namespace railyard::device {

class HostGroup {
 public:
  /// Made by one process: its name holds where rank 0 waits. The listener must live until rank 0 has joined.
  [[nodiscard]] static GroupId name_of(const Listener& listener);

  /// Joins as rank `join.first_rank`; `listener` is rank 0's own, else none. Throws DeviceError after two minutes.
  HostGroup(const GroupJoin& join, const Listener* listener);

  /// One collective, out of place: `from` and `to` have the elements of the larger buffer. Ends when this rank's part
  /// has.
  void run(CollectiveKind kind, std::span<const Bf16> from, std::span<Bf16> to);

 private:
  void reduce_scatter(std::span<const Bf16> from, std::span<Bf16> part);
  void all_gather(std::span<const Bf16> part, std::span<Bf16> to);
  void all_to_all(std::span<const Bf16> from, std::span<Bf16> to);
  void broadcast(std::span<const Bf16> from, std::span<Bf16> to);
  [[nodiscard]] const Socket& peer(int rank) const { return peers_.at(static_cast<std::size_t>(rank)); }
  [[nodiscard]] int next() const { return (rank_ + 1) % ranks_; }
  [[nodiscard]] int before() const { return (rank_ + ranks_ - 1) % ranks_; }

  int rank_, ranks_;
  std::vector<Socket> peers_;  // by rank
  std::vector<Bf16> sums_, arrived_;
};

}  // namespace railyard::device
