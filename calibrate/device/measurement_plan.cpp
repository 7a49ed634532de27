// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/measurement_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "calibrate/device/method_study.h"
#include "calibrate/device/plan_builder.h"

namespace railyard::device {
namespace {

constexpr std::int64_t mebi = 1048576;
constexpr unsigned order_seed = 7;  // of the grid: neither size nor heat may follow the order

struct Sizes {
  std::int64_t n = 0, k = 0;
};

// Layers of published models: 7B to 405B, dense and expert, with tensor parallelism 1 to 8, and squares.
constexpr std::array<Sizes, 28> layers{
    {{4096, 4096}, {6144, 4096}, {28672, 4096}, {4096, 14336}, {8192, 8192}, {10240, 8192}, {8192, 28672},
     {1280, 8192}, {8192, 1024}, {7168, 8192},  {8192, 3584},  {2048, 2048}, {1024, 1024},  {12288, 12288},
     {5120, 5120}, {3584, 7168}, {8192, 1280},  {8192, 7168},  {1024, 8192}, {3584, 8192},  {16384, 4096},
     {4096, 1024}, {2048, 7168}, {7168, 2048},  {8192, 2048},  {1536, 7168}, {24576, 1536}, {16384, 16384}}};
constexpr std::array<std::int64_t, 5> tokens{512, 1024, 4096, 8192, 16384};
constexpr std::array<Sizes, 8> quick_layers{
    {{4096, 4096}, {8192, 8192}, {1280, 8192}, {8192, 1024}, {7168, 8192}, {2048, 2048}, {28672, 4096}, {8192, 3584}}};

WorkRequest product(std::int64_t m, std::int64_t n, std::int64_t k, ElementType type = ElementType::bf16) {
  WorkRequest work{.kind = WorkKind::gemm};
  work.type = type;
  work.output = type == ElementType::fp8 ? ElementType::bf16 : type == ElementType::tf32 ? ElementType::fp32 : type;
  work.m = m;
  work.n = n;
  work.k = k;
  return work;
}

std::string gemm_name(ElementType type) { return fmt::format("gemm {}", to_string(type)); }

/// Every token count with every layer, in an order that follows neither.
void add_grid(PlanBuilder& plan, ElementType type, std::span<const Sizes> sizes, std::span<const std::int64_t> rows) {
  std::vector<WorkRequest> works;
  for (const Sizes& size : sizes) {
    for (const std::int64_t m : rows) works.push_back(product(m, size.n, size.k, type));
  }
  std::mt19937 random(order_seed);
  for (std::size_t i = works.size(); i > 1; --i) std::swap(works[i - 1], works[random() % i]);
  for (const WorkRequest& work : works) plan.add("gemm", gemm_name(type), "", work, compatible_loop());
}

void add_products(PlanBuilder& plan, bool quick) {
  plan.preheat(product(8192, 8192, 8192), quick ? 1.0 : 4.0);
  if (quick) {
    add_grid(plan, ElementType::bf16, quick_layers, std::array<std::int64_t, 3>{1024, 4096, 16384});
    add_grid(plan, ElementType::fp8, std::span(quick_layers).first(3), std::array<std::int64_t, 2>{1024, 8192});
  } else {
    add_grid(plan, ElementType::bf16, layers, tokens);
    add_grid(plan, ElementType::fp8, std::span(layers).first(22), std::array<std::int64_t, 3>{1024, 4096, 16384});
    add_grid(plan, ElementType::fp16, std::span(layers).first(12), tokens);
    add_grid(plan, ElementType::tf32, quick_layers, std::array<std::int64_t, 1>{4096});
    for (const std::int64_t m : {1, 8, 32, 128}) {  // few tokens: decoding
      for (const Sizes& size : std::span(layers).first(8)) {
        plan.add("gemm", "gemm bf16", "skinny", product(m, size.n, size.k), compatible_loop());
      }
    }
  }
  add_published(plan, quick);
  for (const auto& [layout, output, accumulate, name] :
       {std::tuple{Layout::nn, ElementType::bf16, 0, "NN, data gradient"},
        std::tuple{Layout::tn, ElementType::bf16, 0, "TN, weight gradient"},
        std::tuple{Layout::tn, ElementType::fp32, 1, "TN, adding to FP32"}}) {
    WorkRequest work = product(8192, 8192, 8192);
    work.layout = layout;
    work.output = output;
    work.accumulate = accumulate;
    plan.add("gemm", "gemm bf16", name, work, compatible_loop());
  }
}

void add_memory(PlanBuilder& plan, const DeviceFacts& facts, bool quick) {
  for (const MemoryKernel kernel :
       {MemoryKernel::copy, MemoryKernel::read, MemoryKernel::write, MemoryKernel::add, MemoryKernel::triad}) {
    const std::int64_t most = static_cast<std::int64_t>(facts.memory_bytes / 4);
    for (std::int64_t bytes = mebi; bytes <= most; bytes *= quick ? 16 : 2) {
      WorkRequest work{.kind = WorkKind::memory};
      work.memory = kernel;
      work.bytes = bytes;
      plan.add("hbm", fmt::format("memory {}", to_string(kernel)), "", work, compatible_loop());
      if (quick && kernel != MemoryKernel::copy && bytes >= 256 * mebi) break;
    }
  }
}

void add_links(PlanBuilder& plan, const DeviceFacts& facts, bool quick) {
  for (const int to_host : {0, 1}) {
    for (const std::int64_t bytes : {mebi, 64 * mebi, 1024 * mebi}) {
      WorkRequest work{.kind = WorkKind::host_copy};
      work.to_host = to_host;
      work.bytes = bytes;
      if (!quick || bytes == 64 * mebi) plan.add("link", "link host copy", "", work, hot_loop(0.2));
    }
  }
  for (int from = 0; from < facts.devices; ++from) {
    for (int to = 0; to < facts.devices; ++to) {
      if (from == to) continue;
      WorkRequest work{.kind = WorkKind::peer_copy};
      work.device = from;
      work.peer = to;
      work.bytes = 512 * mebi;  // well above the cache, as nvbandwidth does
      plan.add("link", "link peer copy", "", work, hot_loop(0.1));
    }
  }
  if (facts.devices > 1) {  // tells a switch from a mesh, see link_shape.h
    WorkRequest work{.kind = WorkKind::fan_copy};
    work.ranks = facts.devices;
    work.bytes = 512 * mebi;
    plan.add("link", "link copy to all", "", work, hot_loop(0.1));
  }
  WorkRequest empty{.kind = WorkKind::empty};
  plan.add("launch", "launch gap", "launches ahead", empty, queued_loop());
  plan.add("launch", "launch gap", "one by one", empty, hot_loop(0.2));
}

void add_attention(PlanBuilder& plan, bool quick) {
  for (const std::int32_t head_dim : {64, 128}) {
    for (const std::int32_t backward : {0, 1}) {
      for (std::int64_t sequence = 1024; sequence <= 32768; sequence *= quick ? 4 : 2) {
        WorkRequest work{.kind = WorkKind::attention};
        work.backward = backward;
        work.head_dim = head_dim;
        work.heads = 32;
        work.sequence = sequence;
        work.batch = std::max<std::int64_t>(1, 16384 / sequence);
        plan.add("attention", fmt::format("attention {} d{} causal", backward != 0 ? "backward" : "forward", head_dim),
                 "", work, compatible_loop());
      }
    }
  }
}

/// Numbers of GPUs: 2, 4, ... to a node, and 2, 4, ... nodes and all of them.
std::vector<int> collective_ranks(const DeviceFacts& facts) {
  std::vector<int> ranks;
  for (int count = 2; count <= facts.devices; count *= 2) ranks.push_back(count);
  if (facts.devices > 1 && ranks.back() != facts.devices) ranks.push_back(facts.devices);
  for (int nodes = 2; nodes <= facts.nodes; nodes *= 2) ranks.push_back(nodes * facts.devices);
  if (facts.nodes > 1 && ranks.back() != facts.nodes * facts.devices) ranks.push_back(facts.nodes * facts.devices);
  return ranks;
}

void add_collective_sizes(PlanBuilder& plan, int ranks, std::int64_t most, int step, const std::string& variant) {
  for (const CollectiveKind kind :
       {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
        CollectiveKind::all_to_all, CollectiveKind::broadcast}) {
    for (std::int64_t bytes = 1024; bytes <= most; bytes *= step) {
      WorkRequest work{.kind = WorkKind::collective};
      work.collective = kind;
      work.ranks = ranks;
      work.bytes = bytes;
      work.lane = 1;
      LoopOptions loop = hot_loop(0.1);
      loop.batch_s = 0.02;
      plan.add("collective", std::string(to_string(kind)), variant, work, loop);
    }
  }
}

void add_collectives(PlanBuilder& plan, const DeviceFacts& facts, const PlanOptions& options) {
  const bool host = facts.back_end == "host";
  const std::int64_t most = host ? 64 * mebi : 16384 * mebi;
  for (const int ranks : collective_ranks(facts)) {
    add_collective_sizes(plan, ranks, most, options.quick ? 16 : host ? 4 : 2, "");
  }
  // One GPU exchanges nothing; asked for by name, the library's calls are still made and their results checked.
  const bool named = std::find(options.only.begin(), options.only.end(), "collective") != options.only.end();
  if (named && !host && facts.devices == 1 && facts.nodes == 1) {
    add_collective_sizes(plan, 1, 1024 * mebi, 1024, "one rank");
  }
}

void add_interference(PlanBuilder& plan, const DeviceFacts& facts) {
  if (facts.devices * facts.nodes < 2) return;
  const int ranks = facts.devices * facts.nodes;
  for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather}) {
    for (const WorkRequest& each :
         {product(8192, 8192, 8192), product(16384, 4096, 4096), product(8192, 28672, 8192)}) {
      WorkRequest work = each;
      WorkRequest beside{.kind = WorkKind::collective};
      beside.collective = kind;
      beside.ranks = ranks;
      beside.bytes = 256 * mebi;
      beside.lane = 1;
      plan.add_pair("interference", fmt::format("{} beside {}", size_label(work), to_string(kind)), work, beside);
    }
  }
}

void add_each_device(PlanBuilder& plan, const DeviceFacts& facts) {
  const int count = facts.devices * facts.nodes;
  for (int index = 0; count > 1 && index < count; ++index) {
    WorkRequest work = product(8192, 8192, 8192);
    work.device = index;
    plan.add("gpus", "gemm bf16", fmt::format("GPU {}", index), work, window_loop());
  }
}

/// A host: the same questions at a thousandth of the size.
void add_host(PlanBuilder& plan, bool quick) {
  const std::vector<std::int64_t> sizes =
      quick ? std::vector<std::int64_t>{256, 512, 1024} : std::vector<std::int64_t>{192, 256, 512, 768, 1024};
  std::vector<Sizes> pairs;
  for (const std::int64_t n : sizes) {
    for (const std::int64_t k : sizes) pairs.push_back({n, k});
  }
  add_grid(plan, ElementType::bf16, pairs, sizes);
  for (const MemoryKernel kernel :
       {MemoryKernel::copy, MemoryKernel::read, MemoryKernel::write, MemoryKernel::add, MemoryKernel::triad}) {
    for (const std::int64_t bytes : {4 * mebi, 16 * mebi, 64 * mebi, 256 * mebi, 768 * mebi}) {
      WorkRequest work{.kind = WorkKind::memory};
      work.memory = kernel;
      work.bytes = bytes;
      if (!quick || kernel == MemoryKernel::copy || bytes == 256 * mebi) {
        plan.add("hbm", fmt::format("memory {}", to_string(kernel)), "", work, compatible_loop());
      }
    }
  }
  for (const std::int32_t backward : {0, 1}) {
    for (const std::int64_t sequence : {256, 512, 1024}) {
      WorkRequest work{.kind = WorkKind::attention};
      work.backward = backward;
      work.heads = 8;
      work.sequence = sequence;
      plan.add("attention", fmt::format("attention {} d128 causal", backward != 0 ? "backward" : "forward"), "", work,
               compatible_loop());
    }
  }
  plan.add("launch", "launch gap", "launches ahead", WorkRequest{}, hot_loop(0.2));
}

void add_own_products(PlanBuilder& plan) {
  for (const WorkRequest& each : {product(4096, 4096, 4096), product(8192, 8192, 8192)}) {
    WorkRequest work = each;
    work.library = Library::own;
    plan.add("own", "gemm bf16", "own kernel", work, compatible_loop());
  }
}

}  // namespace

const std::vector<std::string>& measurement_groups() {
  static const std::vector<std::string> groups{"gemm", "hbm",        "attention",    "link", "launch",
                                               "own",  "collective", "interference", "gpus"};
  return groups;
}

GroupPlace place_of(std::string_view group) {
  if (group == "collective" || group == "interference") return GroupPlace::together;
  return group == "gpus" ? GroupPlace::each : GroupPlace::first;
}

std::vector<PlannedMeasurement> measurement_plan(const DeviceFacts& facts, const PlanOptions& options) {
  PlanBuilder plan(options.only);
  if (options.method_study) {
    add_method_study(plan);
  } else if (facts.back_end == "host") {
    add_host(plan, options.quick);
    add_collectives(plan, facts, options);
  } else {
    add_products(plan, options.quick);
    add_memory(plan, facts, options.quick);
    add_attention(plan, options.quick);
    add_links(plan, facts, options.quick);
    add_own_products(plan);
    add_collectives(plan, facts, options);
    add_interference(plan, facts);
    add_each_device(plan, facts);
  }
  return plan.take();
}

double expected_seconds(const std::vector<PlannedMeasurement>& plan) {
  return std::accumulate(plan.begin(), plan.end(), 0.0,
                         [](double sum, const PlannedMeasurement& each) { return sum + each.expected_s; });
}

}  // namespace railyard::device
