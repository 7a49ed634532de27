// SPDX-License-Identifier: Apache-2.0
// Work between devices: collectives and copies. Each is checked with a pattern before it is timed.
#include <algorithm>

#include "calibrate/device/collective_pattern.h"
#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/gpu_session.h"

namespace railyard::device::gpu {
namespace {

constexpr int not_written = 0xff;  // bytes of a BF16 that is no number

void poison(GpuDevice& on, void* data, std::size_t bytes, gpuStream stream) {
  on.use();
  check(RAILYARD_GPU(MemsetAsync)(data, not_written, bytes, stream), "clearing a result");
}

}  // namespace

double GpuSession::pattern_error(GpuDevice& on, const void* data, std::size_t count, const WorkRequest& work,
                                 int rank) {
  on.use();
  const gpuStream stream = on.stream(work.lane);
  auto* const error = static_cast<float*>(on.check_result().reserve(sizeof(float)));
  check(RAILYARD_GPU(MemsetAsync)(error, 0, sizeof(float), stream), "check");
  const bool copies = work.kind != WorkKind::collective;
  on.kernels().check_pattern(data, count, copies ? CollectiveKind::broadcast : work.collective, work.ranks, rank,
                             work.bytes / 2 / std::max(work.ranks, 1), error, stream);
  float found = 0;
  check(RAILYARD_GPU(MemcpyAsync)(&found, error, sizeof(float), RAILYARD_GPU(MemcpyDeviceToHost), stream), "check");
  check(RAILYARD_GPU(StreamSynchronize)(stream), "check");
  return static_cast<double>(found);
}

void GpuSession::prepare_collective(SessionWork& work) {
  WorkRequest& r = work.request;
  if (r.group < 0) r.local_ranks = r.ranks;
  if (r.local_ranks < 1 || r.local_ranks > static_cast<int>(devices_.size())) {
    throw NotPossible("a collective of " + std::to_string(r.local_ranks) + " ranks here needs as many GPUs");
  }
  if (r.group < 0) collectives().prepare(r.ranks);
  work.devices.clear();
  const auto whole = static_cast<std::size_t>(r.bytes / 2);
  const auto operand = [this, whole, r](int index, int which) {
    device(index).use();
    return device(index).operand(which, whole, ElementType::bf16, r.inputs, r.lane);
  };
  for (int index = 0; index < r.local_ranks; ++index) {
    work.devices.push_back(index);
    for (const int which : {0, 1}) (void)operand(index, which);
  }
  work.library.kernel = collectives().version();
  work.library.queue = [this, request = r] { collectives_->queue(request, devices_); };
  work.allowed_error = allowed_pattern_error(r.collective, r.ranks);
  work.exchange_error = [this, whole, r, operand] {
    for (int index = 0; index < r.local_ranks; ++index) {
      GpuDevice& on = device(index);
      void* const from = operand(index, 0);
      on.kernels().fill_pattern(from, whole, r.first_rank + index, on.stream(r.lane));
      poison(on, operand(index, 1), 2 * whole, on.stream(r.lane));
    }
    collectives_->queue(r, devices_);
    double worst = 0;
    const auto written =
        static_cast<std::size_t>(written_elements(r.collective, r.ranks, static_cast<long long>(whole)));
    for (int index = 0; index < r.local_ranks; ++index) {
      worst = std::max(worst, pattern_error(device(index), operand(index, 1), written, r, r.first_rank + index));
    }
    for (int index = 0; index < r.local_ranks; ++index) {
      device(index).spoil_operands(r.lane);
      for (const int which : {0, 1}) (void)operand(index, which);  // what is timed has the inputs that were asked for
    }
    return worst;
  };
}

bool GpuSession::reach(int from, int to) {
  int reachable = 0;
  gpu::check(RAILYARD_GPU(DeviceCanAccessPeer)(&reachable, from, to), "peer access");
  if (reachable != 0 && RAILYARD_GPU(DeviceEnablePeerAccess)(to, 0) != gpu_success) {
    (void)RAILYARD_GPU(GetLastError)();  // it was on already
  }
  return reachable != 0;
}

void GpuSession::prepare_peer_copy(SessionWork& work) {
  const WorkRequest& r = work.request;
  if (r.peer < 0 || r.peer >= static_cast<int>(devices_.size()) || r.peer == r.device) {
    throw NotPossible("a copy between GPUs needs two");
  }
  GpuDevice& from = device(r.device);
  GpuDevice& to = device(r.peer);
  work.library.kernel = reach(r.device, r.peer) ? "direct" : "through the host";
  const auto bytes = static_cast<std::size_t>(r.bytes);
  void* const source = from.scratch(2).reserve(bytes);
  to.use();
  void* const target = to.scratch(0).reserve(bytes);
  from.use();
  from.kernels().fill_pattern(source, bytes / 2, 0, from.stream(r.lane));
  work.library.queue = [&from, source, target, bytes, r, stream = from.stream(r.lane)] {
    from.use();
    gpu::check(RAILYARD_GPU(MemcpyPeerAsync)(target, r.peer, source, r.device, bytes, stream), "copy between GPUs");
  };
  work.exchange_error = [this, &from, &to, target, bytes, r, copy = work.library.queue] {
    poison(to, target, bytes, to.stream(r.lane));
    gpu::check(RAILYARD_GPU(StreamSynchronize)(to.stream(r.lane)), "clearing a result");
    copy();
    gpu::check(RAILYARD_GPU(StreamSynchronize)(from.stream(r.lane)), "copy between GPUs");
    return pattern_error(to, target, bytes / 2, r, 0);
  };
}

void GpuSession::prepare_fan_copy(SessionWork& work) {
  const WorkRequest& r = work.request;
  if (devices_.size() < 2 || r.ranks != static_cast<int>(devices_.size())) {
    throw NotPossible("copies to all other GPUs need others");
  }
  GpuDevice& from = device(r.device);
  const auto bytes = static_cast<std::size_t>(r.bytes);
  void* const source = from.scratch(2).reserve(bytes);
  from.kernels().fill_pattern(source, bytes / 2, 0, from.stream(r.lane));
  std::vector<std::pair<int, void*>> targets;
  for (int peer = 0; peer < r.ranks; ++peer) {
    if (peer == r.device) continue;
    (void)reach(r.device, peer);
    device(peer).use();
    targets.emplace_back(peer, device(peer).scratch(0).reserve(bytes));
    from.use();
    (void)from.side_stream(targets.size() - 1);
  }
  // All streams start on one event of the work's stream, which ends when they have.
  work.library.queue = [&from, source, targets, bytes, r, main = from.stream(r.lane)] {
    from.use();
    const gpuEvent fork = from.side_event(0);
    gpu::check(RAILYARD_GPU(EventRecord)(fork, main), "copies to all");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const gpuStream side = from.side_stream(i);
      gpu::check(RAILYARD_GPU(StreamWaitEvent)(side, fork, 0), "copies to all");
      gpu::check(RAILYARD_GPU(MemcpyPeerAsync)(targets[i].second, targets[i].first, source, r.device, bytes, side),
                 "copies to all");
      gpu::check(RAILYARD_GPU(EventRecord)(from.side_event(i + 1), side), "copies to all");
      gpu::check(RAILYARD_GPU(StreamWaitEvent)(main, from.side_event(i + 1), 0), "copies to all");
    }
  };
  work.exchange_error = [this, &from, targets, bytes, r, copy = work.library.queue] {
    for (const auto& [peer, target] : targets) {
      poison(device(peer), target, bytes, device(peer).stream(r.lane));
      gpu::check(RAILYARD_GPU(StreamSynchronize)(device(peer).stream(r.lane)), "clearing a result");
    }
    copy();
    gpu::check(RAILYARD_GPU(StreamSynchronize)(from.stream(r.lane)), "copies to all");
    double worst = 0;
    for (const auto& [peer, target] : targets) {
      worst = std::max(worst, pattern_error(device(peer), target, bytes / 2, r, 0));
    }
    return worst;
  };
}

}  // namespace railyard::device::gpu
