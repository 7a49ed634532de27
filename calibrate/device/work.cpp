// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/work.h"

#include <fmt/format.h>

#include <array>

namespace railyard::device {
namespace {

template <std::size_t size, class Enum>
std::string_view name_of(const std::array<std::string_view, size>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

int streams(MemoryKernel kernel) {
  switch (kernel) {
    case MemoryKernel::copy:
      return 2;
    case MemoryKernel::read:
    case MemoryKernel::write:
      return 1;
    case MemoryKernel::add:
    case MemoryKernel::triad:
      break;
  }
  return 3;
}

std::string_view to_string(ElementType type) {
  return name_of(std::array<std::string_view, 5>{"bf16", "fp16", "fp8", "tf32", "fp32"}, type);
}
std::string_view to_string(Layout layout) { return name_of(std::array<std::string_view, 3>{"NT", "NN", "TN"}, layout); }
std::string_view to_string(Inputs inputs) {
  return name_of(std::array<std::string_view, 4>{"normal", "uniform", "integers", "zeros"}, inputs);
}
std::string_view to_string(MemoryKernel kernel) {
  return name_of(std::array<std::string_view, 5>{"copy", "read", "write", "add", "triad"}, kernel);
}
std::string_view to_string(CollectiveKind kind) {
  return name_of(
      std::array<std::string_view, 5>{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast"}, kind);
}

double flops(const WorkRequest& work) {
  if (work.kind == WorkKind::gemm) {
    return 2.0 * static_cast<double>(work.m) * static_cast<double>(work.n) * static_cast<double>(work.k);
  }
  if (work.kind != WorkKind::attention) return 0;
  const double sequence = static_cast<double>(work.sequence);
  const double full = 4.0 * static_cast<double>(work.batch) * work.heads * sequence * sequence * work.head_dim;
  return full * (work.causal != 0 ? 0.5 : 1.0) * (work.backward != 0 ? 2.5 : 1.0);
}

double traffic(const WorkRequest& work) {
  const bool computes = work.kind == WorkKind::gemm || work.kind == WorkKind::attention;
  if (work.kind == WorkKind::fan_copy) return static_cast<double>(work.bytes) * (work.ranks - 1);
  return computes ? 0 : static_cast<double>(work.bytes);
}

std::string size_label(const WorkRequest& work) {
  switch (work.kind) {
    case WorkKind::gemm:
      return fmt::format("{} x {} x {}", work.m, work.n, work.k);
    case WorkKind::attention:
      return std::to_string(work.sequence);
    case WorkKind::peer_copy:
      return fmt::format("{} > {}, {} B", work.device, work.peer, work.bytes);
    case WorkKind::fan_copy:
      return fmt::format("{} > {} others, {} B each", work.device, work.ranks - 1, work.bytes);
    case WorkKind::host_copy:
      return work.to_host != 0 ? fmt::format("{} > host, {} B", work.device, work.bytes)
                               : fmt::format("host > {}, {} B", work.device, work.bytes);
    case WorkKind::memory:
    case WorkKind::collective:
      return fmt::format("{} B", work.bytes);
    case WorkKind::empty:
      break;
  }
  return "empty kernel";
}

}  // namespace railyard::device
