// SPDX-License-Identifier: Apache-2.0
// What a device can be asked to do, and what it says about itself. Plain values: they cross the plug-in boundary
// (plugin_abi.h), so they hold no types that allocate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "calibrate/device/work_kinds.h"

namespace railyard::device {

/// How many streams of bytes the kernel moves, those read and those written.
[[nodiscard]] int streams(MemoryKernel kernel);

[[nodiscard]] std::string_view to_string(ElementType type);
[[nodiscard]] std::string_view to_string(Layout layout);
[[nodiscard]] std::string_view to_string(Inputs inputs);
[[nodiscard]] std::string_view to_string(MemoryKernel kernel);
[[nodiscard]] std::string_view to_string(CollectiveKind kind);

/// One kernel or copy. Fields that do not belong to `kind` stay as they are.
struct WorkRequest {
  WorkKind kind = WorkKind::empty;
  std::int32_t device = 0, peer = 0;  // local indices
  // A collective runs on `ranks` devices: those from 0 of this process, or those of a group of processes
  // (Device::join), of which `local_ranks` are here and the first has number `first_rank`. A fan copy goes from
  // `device` to all others.
  std::int32_t ranks = 1, group = -1, first_rank = 0, local_ranks = 0;
  std::int32_t lane = 0;  // stream: 0 computes, 1 communicates

  ElementType type = ElementType::bf16, output = ElementType::bf16;
  Layout layout = Layout::nt;
  Inputs inputs = Inputs::normal;
  Library library = Library::vendor;
  std::int32_t algorithm = 0;   // 0: the library's first choice; i: its choice number i + 1
  std::int32_t accumulate = 0;  // 1: C += A B
  std::int64_t m = 0, n = 0, k = 0;

  MemoryKernel memory = MemoryKernel::copy;
  CollectiveKind collective = CollectiveKind::all_reduce;
  std::int64_t bytes =
      0;  // read and written by a memory kernel; of the larger buffer of a collective; of a copy, or each of a fan
  std::int32_t to_host = 0;  // of a host copy

  std::int32_t backward = 0, causal = 1, heads = 32, head_dim = 128;
  std::int64_t sequence = 0, batch = 1;
};

/// What names a group of processes whose devices exchange data: made by one of them, the same bytes for all.
struct GroupId {
  unsigned char bytes[128] = {};
};
/// A process's part in a group of `ranks` devices: `local_ranks` of its own, from its device 0, numbered from
/// `first_rank`.
struct GroupJoin {
  GroupId id;
  std::int32_t ranks = 1, first_rank = 0, local_ranks = 1;
};

/// Floating-point operations of the work: 2 m n k; attention 4 b h s s d forward and 2.5 times that backward, halved
/// when causal. 0 for work that moves bytes.
[[nodiscard]] double flops(const WorkRequest& work);
/// Bytes behind a rate: those of `bytes`. 0 for work that computes.
[[nodiscard]] double traffic(const WorkRequest& work);
/// "8192 x 8192 x 8192", "16777216 B", "4096": the size as sample files write it.
[[nodiscard]] std::string size_label(const WorkRequest& work);

/// What a device does at one moment. Negative: not known.
struct DeviceState {
  double clock_hz = -1;
  double power_w = -1;
  double energy_j = -1;  // since the driver was loaded
  double temperature_c = -1;
  std::int32_t power_capped = 0;  // the power limit holds the clock
  std::int32_t throttled = 0;     // heat, or the board's brake, holds the clock
};

}  // namespace railyard::device
