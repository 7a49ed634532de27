// SPDX-License-Identifier: Apache-2.0
// All GPUs of this process and the work prepared on them: what the plug-in's table calls.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/device/gpu/collectives.h"
#include "calibrate/device/gpu/gpu_device.h"
#include "calibrate/device/gpu/kernels.h"

namespace railyard::device::gpu {

struct SessionWork {
  WorkRequest request;
  LibraryWork library;                // queues one run
  std::vector<int> devices;           // that take part
  std::optional<ProductCheck> check;  // of a product
  std::optional<AttentionOperands> attention;
  std::function<double()>
      exchange_error;        // of a collective or copy: runs it on a pattern, gives the largest difference
  double allowed_error = 0;  // of the exchange
  void* host = nullptr;      // pinned memory of a host copy
};

class GpuSession {
 public:
  /// Throws NotPossible when no device answers.
  GpuSession();
  ~GpuSession();
  GpuSession(const GpuSession&) = delete;
  GpuSession& operator=(const GpuSession&) = delete;

  [[nodiscard]] std::string facts();
  [[nodiscard]] int prepare(const WorkRequest& request);
  void release(int work);
  void queue(int work) { works_.at(work).library.queue(); }
  void block(int work);
  void unblock(int work);
  void flush_l2(int work);
  void record(int work, int event);
  void synchronise();
  [[nodiscard]] double elapsed(int work, int first, int last);
  [[nodiscard]] DeviceState state(int device);
  /// Error and limit; nothing where there is nothing to check.
  [[nodiscard]] std::optional<std::pair<double, double>> verify(int work);
  /// NCCL or RCCL, opened at the first call.
  [[nodiscard]] Collectives& collectives();
  [[nodiscard]] int join(const GroupJoin& join) { return collectives().join(join, devices_); }
  [[nodiscard]] std::string describe(int work) const { return works_.at(work).library.kernel; }

 private:
  void prepare_product(SessionWork& work);
  void prepare_memory(SessionWork& work);
  void prepare_attention(SessionWork& work);
  void prepare_collective(SessionWork& work);
  void prepare_peer_copy(SessionWork& work);
  void prepare_fan_copy(SessionWork& work);
  /// Largest difference of the pattern in `data` on the device from what `rank` must hold.
  [[nodiscard]] double pattern_error(GpuDevice& on, const void* data, std::size_t count, const WorkRequest& work,
                                     int rank);
  /// Lets `from` reach `to` directly; false when only the host joins them.
  static bool reach(int from, int to);
  void prepare_host_copy(SessionWork& work);
  void prepare_empty(SessionWork& work);
  [[nodiscard]] GpuDevice& device(int index) { return *devices_.at(static_cast<std::size_t>(index)); }

  std::vector<std::unique_ptr<GpuDevice>> devices_;
  std::unique_ptr<Collectives> collectives_;
  std::map<int, SessionWork> works_;
  int next_ = 0;
};

}  // namespace railyard::device::gpu
