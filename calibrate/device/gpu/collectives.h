// SPDX-License-Identifier: Apache-2.0
// NCCL and RCCL have one C interface: declared here, opened while the program runs. One process with all its
// local GPUs, or many processes with theirs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/device/gpu/gpu_device.h"

namespace railyard::device::gpu {

class Collectives {
 public:
  /// Throws NotPossible when there is no library.
  Collectives();
  ~Collectives();
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  /// Queues one collective of BF16 elements on the lane of this process's devices that take part, out of place in the
  /// lane's operands 0 and 1.
  void queue(const WorkRequest& work, const std::vector<std::unique_ptr<GpuDevice>>& devices);
  /// Makes the communicators for so many ranks, all of this process.
  void prepare(int ranks);
  [[nodiscard]] GroupId new_group();
  /// Waits until the whole group has joined; gives its number.
  [[nodiscard]] int join(const GroupJoin& join, const std::vector<std::unique_ptr<GpuDevice>>& devices);
  /// "NCCL 2.28.9".
  [[nodiscard]] std::string version() const;

 private:
  struct Functions;
  void check(int status, const char* what) const;

  std::unique_ptr<Functions> functions_;
  std::map<int, std::vector<void*>> communicators_;  // of this process alone, by ranks
  std::vector<std::vector<void*>> groups_;           // over processes, by number
};

}  // namespace railyard::device::gpu
