// SPDX-License-Identifier: Apache-2.0
// What a vendor's libraries do for a plug-in. Each is opened while the program runs; a missing one costs its own
// measurements only. cuda/vendor.cpp and hip/vendor.cpp say which there are.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/device/gpu/gpu_runtime.h"
#include "calibrate/device/work.h"

namespace railyard::device::gpu {

/// One prepared kernel of a library; calling it queues one run.
struct LibraryWork {
  std::function<void()> queue;
  std::string kernel;  // its name or number in the library
};

struct GemmOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

/// Products on one device. Throws NotPossible for what the library does not offer.
class GemmLibrary {
 public:
  virtual ~GemmLibrary() = default;
  [[nodiscard]] virtual LibraryWork prepare(const WorkRequest& work, const GemmOperands& operands,
                                            gpuStream stream) = 0;
};

/// Attention on one device. Buffers: q, k, v, o, gradients of o, q, k, v, all BF16 [batch][heads][sequence][head_dim];
/// statistics FP32 [batch][heads][sequence].
struct AttentionOperands {
  void *q = nullptr, *k = nullptr, *v = nullptr, *o = nullptr;
  void *grad_o = nullptr, *grad_q = nullptr, *grad_k = nullptr, *grad_v = nullptr;
  void* statistics = nullptr;
};
class AttentionLibrary {
 public:
  virtual ~AttentionLibrary() = default;
  [[nodiscard]] virtual LibraryWork prepare(const WorkRequest& work, const AttentionOperands& operands,
                                            gpuStream stream) = 0;
};

/// Clock, power and the like of one device.
class Monitor {
 public:
  virtual ~Monitor() = default;
  [[nodiscard]] virtual DeviceState state() = 0;
  /// "key: text" lines: driver, power limit, ECC, clocks.
  [[nodiscard]] virtual std::string facts() = 0;
};

/// Throw NotPossible with what is missing. `bus_id` is the device's PCI address, "0000:1b:00.0".
[[nodiscard]] std::unique_ptr<GemmLibrary> open_gemm_library();
[[nodiscard]] std::unique_ptr<AttentionLibrary> open_attention_library();
[[nodiscard]] std::unique_ptr<Monitor> open_monitor(const std::string& bus_id);
/// Names of the collective library's file, in the order in which they are tried.
[[nodiscard]] std::vector<std::string> collective_library_names();
/// "cuda" or "hip"; "key: text" lines on runtime and driver.
[[nodiscard]] std::string back_end_name();
[[nodiscard]] std::string runtime_facts();

}  // namespace railyard::device::gpu
