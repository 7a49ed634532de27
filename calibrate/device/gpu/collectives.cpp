// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/collectives.h"

#include <cstring>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {
namespace {

// Values of nccl.h; they have not changed since NCCL 2.10 and are the same in RCCL.
constexpr int nccl_bfloat16 = 9;
constexpr int nccl_sum = 0;
constexpr std::int64_t element_size = 2;

/// ncclUniqueId, which is passed by value.
struct UniqueId {
  char bytes[128];
};
static_assert(sizeof(UniqueId) == sizeof(GroupId));

}  // namespace

struct Collectives::Functions {
  SharedLibrary library{collective_library_names()};
  int (*version)(int*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  int (*init_all)(void**, int, const int*) = nullptr;
  int (*unique_id)(UniqueId*) = nullptr;
  int (*init_rank)(void**, int, UniqueId, int) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  int (*all_reduce)(const void*, void*, std::size_t, int, int, void*, gpuStream) = nullptr;
  int (*broadcast)(const void*, void*, std::size_t, int, int, void*, gpuStream) = nullptr;
  int (*all_gather)(const void*, void*, std::size_t, int, void*, gpuStream) = nullptr;
  int (*reduce_scatter)(const void*, void*, std::size_t, int, int, void*, gpuStream) = nullptr;
  int (*send)(const void*, std::size_t, int, int, void*, gpuStream) = nullptr;
  int (*receive)(void*, std::size_t, int, int, void*, gpuStream) = nullptr;

  Functions() {
    library.find("ncclGetVersion", version);
    library.find("ncclGetErrorString", error_text);
    library.find("ncclCommInitAll", init_all);
    library.find("ncclGetUniqueId", unique_id);
    library.find("ncclCommInitRank", init_rank);
    library.find("ncclCommDestroy", destroy);
    library.find("ncclGroupStart", group_start);
    library.find("ncclGroupEnd", group_end);
    library.find("ncclAllReduce", all_reduce);
    library.find("ncclBroadcast", broadcast);
    library.find("ncclAllGather", all_gather);
    library.find("ncclReduceScatter", reduce_scatter);
    library.find("ncclSend", send);
    library.find("ncclRecv", receive);
  }
};

Collectives::Collectives() : functions_(std::make_unique<Functions>()) {}

Collectives::~Collectives() {
  for (const auto& [ranks, list] : communicators_) {
    for (void* const each : list) (void)functions_->destroy(each);
  }
  for (const std::vector<void*>& list : groups_) {
    for (void* const each : list) (void)functions_->destroy(each);
  }
}

void Collectives::check(int status, const char* what) const {
  if (status != 0) throw std::runtime_error(std::string(what) + ": " + functions_->error_text(status));
}

std::string Collectives::version() const {
  int number = 0;
  check(functions_->version(&number), "version");
  const std::string name = functions_->library.name().find("rccl") != std::string::npos ? "RCCL " : "NCCL ";
  return name + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

void Collectives::prepare(int ranks) {
  std::vector<void*>& list = communicators_[ranks];
  if (!list.empty()) return;
  list.resize(static_cast<std::size_t>(ranks));
  check(functions_->init_all(list.data(), ranks, nullptr), "communicators");
}

GroupId Collectives::new_group() {
  UniqueId made{};
  check(functions_->unique_id(&made), "name of a group");
  GroupId id;
  std::memcpy(id.bytes, made.bytes, sizeof id.bytes);
  return id;
}

int Collectives::join(const GroupJoin& join, const std::vector<std::unique_ptr<GpuDevice>>& devices) {
  UniqueId id{};
  std::memcpy(id.bytes, join.id.bytes, sizeof id.bytes);
  std::vector<void*> list(static_cast<std::size_t>(join.local_ranks));
  check(functions_->group_start(), "group");
  for (std::size_t i = 0; i < list.size(); ++i) {
    devices.at(i)->use();
    check(functions_->init_rank(&list[i], join.ranks, id, join.first_rank + static_cast<int>(i)), "joining a group");
  }
  check(functions_->group_end(), "joining a group");
  groups_.push_back(std::move(list));
  return static_cast<int>(groups_.size()) - 1;
}

void Collectives::queue(const WorkRequest& work, const std::vector<std::unique_ptr<GpuDevice>>& devices) {
  const bool grouped = work.group >= 0;
  const std::vector<void*>& list =
      grouped ? groups_.at(static_cast<std::size_t>(work.group)) : communicators_.at(work.ranks);
  const auto ranks = static_cast<std::int64_t>(work.ranks);
  const auto whole = static_cast<std::size_t>(work.bytes / element_size);
  const auto part = static_cast<std::size_t>(work.bytes / element_size / ranks);
  check(functions_->group_start(), "group");
  for (std::size_t rank = 0; rank < list.size(); ++rank) {
    GpuDevice& device = *devices[rank];
    void* const from = device.operand(0, whole, ElementType::bf16, work.inputs, work.lane);
    void* const to = device.operand(1, whole, ElementType::bf16, work.inputs, work.lane);
    const gpuStream stream = device.stream(work.lane);
    switch (work.collective) {
      case CollectiveKind::all_reduce:
        check(functions_->all_reduce(from, to, whole, nccl_bfloat16, nccl_sum, list[rank], stream), "all-reduce");
        break;
      case CollectiveKind::all_gather:
        check(functions_->all_gather(from, to, part, nccl_bfloat16, list[rank], stream), "all-gather");
        break;
      case CollectiveKind::reduce_scatter:
        check(functions_->reduce_scatter(from, to, part, nccl_bfloat16, nccl_sum, list[rank], stream),
              "reduce-scatter");
        break;
      case CollectiveKind::broadcast:
        check(functions_->broadcast(from, to, whole, nccl_bfloat16, 0, list[rank], stream), "broadcast");
        break;
      case CollectiveKind::all_to_all:
        for (std::size_t peer = 0; peer < static_cast<std::size_t>(ranks); ++peer) {
          const std::size_t at = peer * part * element_size;
          check(functions_->send(static_cast<const char*>(from) + at, part, nccl_bfloat16, static_cast<int>(peer),
                                 list[rank], stream),
                "send");
          check(functions_->receive(static_cast<char*>(to) + at, part, nccl_bfloat16, static_cast<int>(peer),
                                    list[rank], stream),
                "receive");
        }
        break;
    }
  }
  check(functions_->group_end(), "group");
}

}  // namespace railyard::device::gpu
