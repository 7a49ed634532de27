// SPDX-License-Identifier: Apache-2.0
#include "sim/study/speed.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/network/network.h"
#include "sim/search/search.h"

namespace railyard {
namespace {

/// The speeds one pass of the simulation uses.
struct Machine {
  Laws laws;
  Network network;
};

Machine machine_at(Speed speed, const Profile& profile, const WiredDesign& wired, const GpuPart& gpu) {
  return {Laws(profile, speed),
          Network(wired.fabric, profile, speed, wired.design.fabric, gpu.scale_up_gpus, gpu.scale_up)};
}

}  // namespace

FlopRate dense_peak(const GpuPart& gpu, Precision precision) {
  // FP16 has the peak of BF16 on every GPU here.
  if (precision != Precision::fp8) return gpu.bf16_dense.value.typical;
  if (!gpu.fp8_dense) throw InputError(fmt::format("{} has no FP8", gpu.name), "use precision: bf16");
  return gpu.fp8_dense->value.typical;
}

void check_profile(const Profile& profile, const GpuPart& gpu, Precision precision) {
  if (profile.gpu != gpu.id) {
    throw InputError(fmt::format("the profile '{}' was measured on {}, not on {}", profile.id, profile.gpu, gpu.id),
                     "name a profile of this GPU (railyard list profiles)");
  }
  if (!profile.gemm.contains(precision)) {
    throw InputError(fmt::format("the profile '{}' has no {} speeds", profile.id, to_string(precision)),
                     "choose another precision or profile");
  }
  const auto within = [&](std::string_view what, const auto& measured, const auto& sheet) {
    if (measured.value.high <= sheet.value.high) return;
    throw InputError(fmt::format("the profile '{}' has {} above the data sheet of {}", profile.id, what, gpu.name),
                     "correct the profile or the part");
  };
  const Figure<FlopRate>& peak = precision == Precision::fp8 && gpu.fp8_dense ? *gpu.fp8_dense : gpu.bf16_dense;
  within("a sustained GEMM rate", profile.gemm.at(precision).sustained, peak);
  within("a memory bandwidth", profile.memory, gpu.memory_bandwidth);
  for (const auto& [fabric, collective] : profile.collectives) {
    within("a scale-up bandwidth", collective.scale_up_ring, gpu.scale_up_bandwidth);
  }
}

void check_strategy(const Strategy& strategy, const Model& model, int gpus, const GpuPart& gpu) {
  if (const std::vector<std::string> faults = strategy_faults(strategy, model, gpus, gpu.scale_up_gpus);
      !faults.empty()) {
    std::string remedy = faults.front();
    for (std::size_t i = 1; i < faults.size(); ++i) remedy += "; " + faults[i];
    throw InputError(fmt::format("the strategy '{}' is not possible on {} GPUs", to_text(strategy), gpus), remedy);
  }
  const Bytes need = peak_memory(model, strategy, gpus).total();
  const Bytes limit = gpu.memory.value.typical;
  if (need > limit) {
    throw InputError(fmt::format("the strategy '{}' needs {:.1f} GB a GPU, {} has {:.1f} GB", to_text(strategy),
                                 need.in(gigabyte), gpu.name, limit.in(gigabyte)),
                     "raise tp or pp, lower mbs, or recompute more");
  }
}

StrategyChoice choose_strategy(const std::optional<Strategy>& given, const Workload& workload, const Model& model,
                               const Profile& profile, const WiredDesign& wired, const GpuPart& gpu) {
  const int gpus = wired.fabric.shape().gpus;
  if (given) {
    check_strategy(*given, model, gpus, gpu);
    return {*given, false, 0, 1};
  }
  Strategy pattern;
  pattern.global_batch = workload.global_batch;
  pattern.sequence = workload.sequence;
  pattern.precision = workload.precision;
  const Machine machine = machine_at(Speed::typical, profile, wired, gpu);
  const SearchResult found = search_strategies(model, machine.laws, machine.network, gpus, gpu.scale_up_gpus,
                                               gpu.memory.value.typical, pattern);
  if (found.ranked.empty()) {
    throw InputError(fmt::format("no strategy fits {} with a batch of {} sequences on {} {} GPUs", model.id,
                                 pattern.global_batch.value, gpus, gpu.name),
                     "use a batch that the GPUs divide, more GPUs, or state a strategy");
  }
  return {found.ranked.front().strategy, true, found.considered, found.ranked.size()};
}

StepRange simulate_range(const Model& model, const Strategy& strategy, const Profile& profile, const WiredDesign& wired,
                         const GpuPart& gpu) {
  const auto step_at = [&](Speed speed) {
    const Machine machine = machine_at(speed, profile, wired, gpu);
    return simulate_step(model, strategy, machine.laws, machine.network, wired.fabric.shape().gpus);
  };
  StepRange range{step_at(Speed::typical), {}};
  range.time = ordered(step_at(Speed::fast).step_time, range.typical.step_time, step_at(Speed::slow).step_time);
  return range;
}

}  // namespace railyard
