// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/gpu_session.h"

#include <algorithm>
#include <cmath>

#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {
namespace {

constexpr int checked_entries = 256;
constexpr int checked_rows = 48;
constexpr double allowed_attention = 0.03;  // weights and scores are rounded to BF16, 2^-9, on the way

int attribute(gpuAttribute which, int index) {
  int value = 0;
  check(RAILYARD_GPU(DeviceGetAttribute)(&value, which, index), "device attribute");
  return value;
}

/// What rounding allows: half a unit of the output's last place, and the order of FP32 sums.
double allowed_error(const ProductCheck& product) {
  const double sums = 1e-6 * std::sqrt(static_cast<double>(product.k));
  const double inputs = product.type == ElementType::tf32 ? 0.002 : 0;  // operands rounded to ten bits of mantissa
  const double output = product.output == ElementType::bf16   ? 0.004
                        : product.output == ElementType::fp16 ? 0.001
                        : product.output == ElementType::fp8  ? 0.07
                                                              : 0;
  return output + inputs + sums + 1e-5;
}

}  // namespace

GpuSession::GpuSession() {
  int count = 0;
  const gpuError status = RAILYARD_GPU(GetDeviceCount)(&count);
  if (status != gpu_success || count == 0) {
    (void)RAILYARD_GPU(GetLastError)();
    throw NotPossible(std::string("no GPU answers: ") +
                      (status == gpu_success ? "the runtime counts none" : RAILYARD_GPU(GetErrorString)(status)));
  }
  for (int index = 0; index < count; ++index) devices_.push_back(std::make_unique<GpuDevice>(index));
}

GpuSession::~GpuSession() {
  while (!works_.empty()) release(works_.begin()->first);
  collectives_.reset();
}

std::string GpuSession::facts() {
  const int index = 0;
  device(index).use();
  std::size_t free_bytes = 0, all_bytes = 0;
  check(RAILYARD_GPU(MemGetInfo)(&free_bytes, &all_bytes), "memory");
  std::string text = "back_end: " + back_end_name() + "\nname: " + device_name(index) +
                     "\ndevices: " + std::to_string(devices_.size()) +
                     "\ncompute_units: " + std::to_string(attribute(gpu_compute_units, index)) +
                     "\nmemory_bytes: " + std::to_string(all_bytes) +
                     "\nclock_hz: " + std::to_string(1000LL * attribute(gpu_clock_khz, index)) +
                     "\nlast-level cache: " + std::to_string(attribute(gpu_cache_bytes, index) >> 20) + " MiB\n" +
                     runtime_facts();
  if (Monitor* const monitor = device(index).monitor()) text += monitor->facts();
  for (const auto& each : devices_) {
    text += "device " + std::to_string(each->index()) + ": " + device_name(each->index()) + ", " +
            bus_id(each->index()) + "\n";
  }
  text += "kernels: " + device(index).kernels().origin() + "\n";
  try {
    text += "collectives: " + collectives().version() + "\n";
  } catch (const NotPossible& reason) {
    text += std::string("collectives: ") + reason.what() + "\n";
  }
  return text;
}

int GpuSession::prepare(const WorkRequest& request) {
  if (request.device < 0 || request.device >= static_cast<int>(devices_.size()) || request.lane < 0 ||
      request.lane >= lanes) {
    throw NotPossible("there is no such device");
  }
  SessionWork work;
  work.request = request;
  work.devices = {request.device};
  device(request.device).use();
  switch (request.kind) {
    case WorkKind::gemm:
      prepare_product(work);
      break;
    case WorkKind::memory:
      prepare_memory(work);
      break;
    case WorkKind::attention:
      prepare_attention(work);
      break;
    case WorkKind::collective:
      prepare_collective(work);
      break;
    case WorkKind::peer_copy:
      prepare_peer_copy(work);
      break;
    case WorkKind::fan_copy:
      prepare_fan_copy(work);
      break;
    case WorkKind::host_copy:
      prepare_host_copy(work);
      break;
    case WorkKind::empty:
      prepare_empty(work);
      break;
  }
  works_.emplace(next_, std::move(work));
  return next_++;
}

void GpuSession::release(int id) {
  const auto found = works_.find(id);
  if (found == works_.end()) return;
  synchronise();
  if (found->second.host != nullptr) free_pinned(found->second.host);
  works_.erase(found);
}

Collectives& GpuSession::collectives() {
  if (collectives_ == nullptr) collectives_ = std::make_unique<Collectives>();
  return *collectives_;
}

void GpuSession::block(int id) {
  const SessionWork& work = works_.at(id);
  for (const int index : work.devices) {
    device(index).use();
    device(index).hold(work.request.lane);
  }
}

void GpuSession::unblock(int id) {
  const SessionWork& work = works_.at(id);
  for (const int index : work.devices) device(index).let_go(work.request.lane);
}

void GpuSession::flush_l2(int id) {
  const SessionWork& work = works_.at(id);
  for (const int index : work.devices) {
    device(index).use();
    device(index).flush_l2(work.request.lane);
  }
}

void GpuSession::record(int id, int event) {
  const SessionWork& work = works_.at(id);
  for (const int index : work.devices) {
    device(index).use();
    const gpuEvent mark = device(index).event(work.request.lane, event);
    check(RAILYARD_GPU(EventRecord)(mark, device(index).stream(work.request.lane)), "recording an event");
  }
}

void GpuSession::synchronise() {
  for (const auto& each : devices_) {
    each->use();
    check(RAILYARD_GPU(DeviceSynchronize)(), "waiting for the device");
  }
}

double GpuSession::elapsed(int id, int first, int last) {
  const SessionWork& work = works_.at(id);
  float longest = 0;
  for (const int index : work.devices) {
    float milliseconds = 0;
    check(RAILYARD_GPU(EventElapsedTime)(&milliseconds, device(index).event(work.request.lane, first),
                                         device(index).event(work.request.lane, last)),
          "time between events");
    longest = std::max(longest, milliseconds);
  }
  return static_cast<double>(longest) * 1e-3;
}

DeviceState GpuSession::state(int index) {
  Monitor* const monitor = device(index).monitor();
  return monitor == nullptr ? DeviceState{} : monitor->state();
}

std::optional<std::pair<double, double>> GpuSession::verify(int id) {
  SessionWork& work = works_.at(id);
  if (work.exchange_error) return std::pair(work.exchange_error(), work.allowed_error);
  if (!work.check && !work.attention) return {};
  GpuDevice& on = device(work.request.device);
  on.use();
  auto* const error = static_cast<float*>(on.check_result().reserve(sizeof(float)));
  const gpuStream stream = on.stream(work.request.lane);
  if (work.check) {
    constexpr int not_a_number = 0xff;  // in every type: an entry that is not written cannot pass
    const auto count = static_cast<std::size_t>(work.request.m * work.request.n);
    check(RAILYARD_GPU(MemsetAsync)(const_cast<void*>(work.check->c), work.request.accumulate != 0 ? 0 : not_a_number,
                                    count * element_bytes(work.check->output), stream),
          "clearing the result");
  }
  work.library.queue();
  check(RAILYARD_GPU(MemsetAsync)(error, 0, sizeof(float), stream), "check");
  if (work.check) {
    on.kernels().check_product(*work.check, checked_entries, error, stream);
  } else {
    on.kernels().check_attention(work.request, *work.attention, checked_rows, error, stream);
  }
  float found = 0;
  check(RAILYARD_GPU(MemcpyAsync)(&found, error, sizeof(float), RAILYARD_GPU(MemcpyDeviceToHost), stream), "check");
  check(RAILYARD_GPU(StreamSynchronize)(stream), "check");
  return std::pair(static_cast<double>(found), work.check ? allowed_error(*work.check) : allowed_attention);
}

}  // namespace railyard::device::gpu
