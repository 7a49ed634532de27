// SPDX-License-Identifier: Apache-2.0
// One GPU of the session: its streams, events, the buffers that all work shares, and its libraries.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/device/gpu/kernels.h"
#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {

/// A block of device memory that grows when more is asked for.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
  /// At least `bytes`; what it held is lost when it grows. Throws NotPossible when the device has not so much.
  void* reserve(std::size_t bytes);
  void release();
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// An operand that keeps what it was filled with, so that many sizes share one filling.
struct FilledBuffer {
  Buffer memory;
  ElementType type = ElementType::bf16;
  Inputs inputs = Inputs::normal;
  std::size_t filled = 0;  // elements
};

inline constexpr int lanes = 2;

class GpuDevice {
 public:
  explicit GpuDevice(int index);
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;
  ~GpuDevice();

  /// Makes it the thread's current device.
  void use() const;
  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] gpuStream stream(int lane) const { return streams_.at(static_cast<std::size_t>(lane)); }
  /// Event of a lane, made at its first use.
  [[nodiscard]] gpuEvent event(int lane, int number);

  void flush_l2(int lane);
  void hold(int lane);
  void let_go(int lane);

  /// An operand of `count` elements; `which` 0 to 2. Each lane has its own: what computes and what communicates run at
  /// the same time.
  [[nodiscard]] void* operand(int which, std::size_t count, ElementType type, Inputs inputs, int lane = 0);
  /// The lane's operands were written over: they are filled again at their next use.
  void spoil_operands(int lane);
  [[nodiscard]] Buffer& scratch(int which) { return scratch_.at(static_cast<std::size_t>(which)); }
  [[nodiscard]] Buffer& check_result() { return check_result_; }
  /// Gives back operands and scratch, which large memory kernels need.
  void release_buffers();

  [[nodiscard]] const Kernels& kernels() const { return *kernels_; }
  /// Streams beside the lanes, one a copy of a fan, made at first use.
  [[nodiscard]] gpuStream side_stream(std::size_t number);
  [[nodiscard]] gpuEvent side_event(std::size_t number);

  /// Throw NotPossible when the library is missing.
  [[nodiscard]] GemmLibrary& gemm();
  [[nodiscard]] AttentionLibrary& attention();
  /// Null when there is none.
  [[nodiscard]] Monitor* monitor();

 private:
  int index_;
  std::array<gpuStream, lanes> streams_{};
  std::array<std::vector<gpuEvent>, lanes> events_;
  Buffer flush_;
  std::array<int*, lanes> flags_{};  // in host memory that the device reads
  std::array<std::array<FilledBuffer, 3>, lanes> operands_;
  std::vector<gpuStream> side_streams_;
  std::vector<gpuEvent> side_events_;
  std::unique_ptr<Kernels> kernels_;
  std::array<Buffer, 4> scratch_;
  Buffer check_result_;
  std::unique_ptr<GemmLibrary> gemm_;
  std::unique_ptr<AttentionLibrary> attention_;
  std::unique_ptr<Monitor> monitor_;
  bool monitor_tried_ = false;
};

/// PCI address as NVML and ROCm write it.
[[nodiscard]] std::string bus_id(int index);

}  // namespace railyard::device::gpu
