// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/gpu_device.h"

#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {
namespace {

constexpr std::size_t flush_bytes = std::size_t{256} << 20U;  // as do_bench; several times any last-level cache
constexpr std::uint64_t fill_seed = 20261201;

}  // namespace

Buffer::~Buffer() { release(); }

void Buffer::release() {
  if (data_ != nullptr) (void)RAILYARD_GPU(Free)(data_);
  data_ = nullptr;
  bytes_ = 0;
}

void* Buffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return data_;
  release();
  if (RAILYARD_GPU(Malloc)(&data_, bytes) != gpu_success) {
    (void)RAILYARD_GPU(GetLastError)();
    data_ = nullptr;
    throw NotPossible("the device has no " + std::to_string(bytes >> 20U) + " MiB free");
  }
  bytes_ = bytes;
  return data_;
}

GpuDevice::GpuDevice(int index) : index_(index) {
  use();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    check(RAILYARD_GPU(StreamCreateWithFlags)(&streams_.at(lane), RAILYARD_GPU(StreamNonBlocking)), "stream");
    flags_.at(lane) = static_cast<int*>(pinned(sizeof(int)));
    *flags_.at(lane) = 1;
  }
  kernels_ = std::make_unique<Kernels>(index_);
}

GpuDevice::~GpuDevice() {
  (void)RAILYARD_GPU(SetDevice)(index_);
  (void)RAILYARD_GPU(DeviceSynchronize)();
  kernels_.reset();
  gemm_.reset();
  attention_.reset();
  for (const gpuEvent each : side_events_) (void)RAILYARD_GPU(EventDestroy)(each);
  for (const gpuStream each : side_streams_) (void)RAILYARD_GPU(StreamDestroy)(each);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (const gpuEvent event : events_.at(lane)) (void)RAILYARD_GPU(EventDestroy)(event);
    if (streams_.at(lane) != nullptr) (void)RAILYARD_GPU(StreamDestroy)(streams_.at(lane));
    if (flags_.at(lane) != nullptr) free_pinned(flags_.at(lane));
  }
}

void GpuDevice::use() const { check(RAILYARD_GPU(SetDevice)(index_), "selecting the device"); }

gpuEvent GpuDevice::event(int lane, int number) {
  std::vector<gpuEvent>& events = events_.at(static_cast<std::size_t>(lane));
  while (static_cast<int>(events.size()) <= number) {
    gpuEvent event = nullptr;
    check(RAILYARD_GPU(EventCreate)(&event), "event");
    events.push_back(event);
  }
  return events[static_cast<std::size_t>(number)];
}

void GpuDevice::flush_l2(int lane) {
  check(RAILYARD_GPU(MemsetAsync)(flush_.reserve(flush_bytes), 0, flush_bytes, stream(lane)), "flushing the cache");
}

void GpuDevice::hold(int lane) {
  volatile int* const flag = flags_.at(static_cast<std::size_t>(lane));
  *flag = 0;
  kernels_->hold(flag, stream(lane));
}

void GpuDevice::let_go(int lane) {
  volatile int* const flag = flags_.at(static_cast<std::size_t>(lane));
  *flag = 1;
}

void* GpuDevice::operand(int which, std::size_t count, ElementType type, Inputs inputs, int lane) {
  FilledBuffer& buffer = operands_.at(static_cast<std::size_t>(lane)).at(static_cast<std::size_t>(which));
  const std::size_t before = buffer.memory.bytes();
  void* const data = buffer.memory.reserve(count * element_bytes(type));
  const bool kept = buffer.memory.bytes() == before && buffer.type == type && buffer.inputs == inputs;
  if (!kept || buffer.filled < count) {
    use();
    kernels_->fill(data, count, type, inputs, fill_seed + static_cast<std::uint64_t>(which), stream(0));
    check(RAILYARD_GPU(StreamSynchronize)(stream(0)), "filling an operand");
    buffer.type = type;
    buffer.inputs = inputs;
    buffer.filled = count;
  }
  return data;
}

void GpuDevice::spoil_operands(int lane) {
  for (FilledBuffer& each : operands_.at(static_cast<std::size_t>(lane))) each.filled = 0;
}

gpuStream GpuDevice::side_stream(std::size_t number) {
  while (side_streams_.size() <= number) {
    gpuStream stream = nullptr;
    check(RAILYARD_GPU(StreamCreateWithFlags)(&stream, RAILYARD_GPU(StreamNonBlocking)), "stream");
    side_streams_.push_back(stream);
  }
  return side_streams_[number];
}

gpuEvent GpuDevice::side_event(std::size_t number) {
  while (side_events_.size() <= number) {
    gpuEvent event = nullptr;
    check(RAILYARD_GPU(EventCreate)(&event), "event");
    side_events_.push_back(event);
  }
  return side_events_[number];
}

void GpuDevice::release_buffers() {
  for (std::array<FilledBuffer, 3>& list : operands_) {
    for (FilledBuffer& each : list) {
      each.memory.release();
      each.filled = 0;
    }
  }
  for (Buffer& each : scratch_) each.release();
}

GemmLibrary& GpuDevice::gemm() {
  if (gemm_ == nullptr) gemm_ = open_gemm_library();
  return *gemm_;
}

AttentionLibrary& GpuDevice::attention() {
  if (attention_ == nullptr) attention_ = open_attention_library();
  return *attention_;
}

Monitor* GpuDevice::monitor() {
  if (!monitor_tried_) {
    monitor_tried_ = true;
    try {
      monitor_ = open_monitor(bus_id(index_));
    } catch (const NotPossible&) {
      monitor_.reset();  // then clock and power are not known
    }
  }
  return monitor_.get();
}

std::string bus_id(int index) {
  std::array<char, 32> text{};
  check(RAILYARD_GPU(DeviceGetPCIBusId)(text.data(), static_cast<int>(text.size()), index), "PCI address");
  return text.data();
}

}  // namespace railyard::device::gpu
