// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/measured_laws.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace railyard {
namespace {

constexpr double large_size = 64.0 * 1048576;  // bytes that show the bandwidth: starts are a few per cent of their time
constexpr double small_message = 65536;        // whose time is start and hops

double largest(const FittedLaw& law, const std::string& name) {
  const auto found = law.report.ranges.find(name);
  return found == law.report.ranges.end() ? 0 : static_cast<double>(found->second.high);
}

/// Causal before full, then the faster kernel.
bool better(const FittedLaw& a, const FittedLaw* b) {
  if (b == nullptr) return true;
  const auto rank = [](const FittedLaw& law) {
    return std::pair(law.operation.find(" causal") != std::string::npos, law.attention->flop_per_s);
  };
  return rank(a) > rank(*b);
}

void choose_attention(MeasuredLaws& measured, const SampleFit& fit) {
  for (const FittedLaw& law : fit.laws) {
    if (law.measure != Measure::attention || law.series.front()->head_dim() == 0) continue;
    AttentionLaws& laws = measured.attention[law.series.front()->head_dim()];
    const FittedLaw*& place = law.operation.starts_with("attention forward") ? laws.forward : laws.backward;
    if (better(law, place)) place = &law;
  }
}

const FittedLaw* choose_memory(const SampleFit& fit) {
  for (const std::string_view kernel : {"copy", "triad", "add"}) {
    for (const FittedLaw& law : fit.laws) {
      if (law.operation == "memory " + std::string(kernel) && largest(law, "bytes") >= large_size) return &law;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> unused_laws(const SampleFit& fit, const MeasuredLaws& measured) {
  std::set<const FittedLaw*> used{measured.memory, measured.ring, measured.network};
  for (const auto& [precision, law] : measured.products) used.insert(law);
  for (const auto& [dim, laws] : measured.attention) used.insert({laws.forward, laws.backward});
  std::vector<std::string> unused;
  for (const FittedLaw& law : fit.laws) {
    if (!used.contains(&law)) unused.push_back(law.operation);
  }
  return unused;
}

MeasuredLaws choose_laws(const SampleFit& fit, const GpuPart* gpu, bool network) {
  MeasuredLaws measured;
  choose_attention(measured, fit);
  measured.memory = choose_memory(fit);
  for (const FittedLaw& law : fit.laws) {
    if (law.gemm) measured.products[*law.series.front()->precision()] = &law;
    if (!law.collective || !law.operation.starts_with("collectives") || largest(law, "bytes") < large_size) continue;
    // Where every pair has links of its own, a few GPUs are no ring over the domain.
    const bool whole = gpu == nullptr || gpu->scale_up == ScaleUpKind::switched ||
                       largest(law, "ranks") >= static_cast<double>(gpu->scale_up_gpus);
    if (law.nodes == 1 && whole) measured.ring = &law;
    const bool smaller = measured.network == nullptr || law.node_size < measured.network->node_size;
    if (network && law.nodes == 2 && smaller) measured.network = &law;  // the fewest GPUs a node: no ring inside limits
  }
  return measured;
}

bool tells_latency(const FittedLaw& law) {
  if (static_cast<double>(law.report.ranges.at("bytes").low) > small_message) return false;
  std::set<int> steps;
  for (const MeasuredSeries* series : law.series) {
    steps.insert(fit::ring_steps(*series->collective(), static_cast<int>(series->ranks)));
  }
  return steps.size() > 1;
}

}  // namespace railyard
