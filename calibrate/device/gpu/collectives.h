// SPDX-License-Identifier: Apache-2.0
// NCCL and RCCL have one C interface: declared here, opened while the program runs. One process, all its local GPUs.
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

  /// Queues one collective of BF16 elements on the lane of devices 0 to ranks - 1, out of place in their operands 0
  /// and 1.
  void queue(const WorkRequest& work, const std::vector<std::unique_ptr<GpuDevice>>& devices);
  /// Makes the communicators for so many ranks.
  void prepare(int ranks);
  /// "NCCL 2.28.9".
  [[nodiscard]] std::string version() const;

 private:
  struct Functions;
  void check(int status, const char* what) const;

  std::unique_ptr<Functions> functions_;
  std::map<int, std::vector<void*>> communicators_;  // by ranks
};

}  // namespace railyard::device::gpu
