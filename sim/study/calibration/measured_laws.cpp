// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/measured_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace railyard {
namespace {

constexpr double large_size = 64.0 * 1048576;  // bytes that show the bandwidth: starts are a few per cent of their time
constexpr double lone_size = 512.0 * 1048576;  // and that show it alone, when no smaller size tells the start
constexpr double small_message = 65536;        // whose time is start and hops

double largest(const FittedLaw& law, const std::string& name) {
  const auto found = law.report.ranges.find(name);
  return found == law.report.ranges.end() ? 0 : static_cast<double>(found->second.high);
}

bool tells_bandwidth(const FittedLaw& law) {
  return largest(law, "bytes") >= (law.report.parameters.size() == 1 ? lone_size : large_size);
}

/// Causal before full, then the faster kernel.
bool better(const FittedLaw& a, const FittedLaw* b) {
  if (b == nullptr) return true;
  const auto rank = [](const FittedLaw& law) {
    return std::pair(law.operation.find(" causal") != std::string::npos, law.attention->flop_per_s);
  };
  return rank(a) > rank(*b);
}

std::map<int, AttentionLaws> choose_attention(const SampleFit& fit, const Profile* like) {
  std::map<int, AttentionLaws> chosen;
  for (const FittedLaw& law : fit.laws) {
    const int dim = law.measure == Measure::attention ? law.series.front()->head_dim() : 0;
    const bool known = like != nullptr && like->attention.contains(dim);
    if (dim == 0 || !(known || tells_half(law))) continue;
    AttentionLaws& laws = chosen[dim];
    const FittedLaw*& place = law.operation.starts_with("attention forward") ? laws.forward : laws.backward;
    if (better(law, place)) place = &law;
  }
  std::erase_if(chosen, [&](const auto& entry) {
    return !entry.second.whole() && (like == nullptr || !like->attention.contains(entry.first));
  });
  return chosen;
}

const FittedLaw* choose_memory(const SampleFit& fit) {
  for (const std::string_view kernel : {"copy", "triad", "add"}) {
    for (const FittedLaw& law : fit.laws) {
      if (law.operation == "memory " + std::string(kernel) && tells_bandwidth(law)) return &law;
    }
  }
  return nullptr;
}

bool is_ring(const FittedLaw& law) { return law.collective && law.operation.starts_with("collectives"); }

std::string why_unused(const FittedLaw& law, const MeasuredLaws& measured) {
  if (law.measure == Measure::attention) {
    const int dim = law.series.front()->head_dim();
    if (dim == 0) return "its name tells no head dimension";
    if (measured.attention.contains(dim)) return "another mask or a faster backend is taken";
    return "of an unknown head dimension both directions are needed, each at sequences that span";
  }
  if (law.measure == Measure::memory) {
    return measured.memory != nullptr ? measured.memory->operation + " is taken" : "no size is large enough";
  }
  if (law.operation.starts_with("all_reduce in the switch")) return "faster than a ring; a profile holds rings";
  if (!is_ring(law)) return "a profile has no figure for it";
  if (law.nodes == 0) return "the log does not tell the nodes (--nodes)";
  if (!tells_bandwidth(law)) return "no message is large enough to show the bandwidth";
  if (law.nodes == 1) return "not all GPUs of the domain, whose pairs have links of their own";
  return measured.network != nullptr ? measured.network->operation + " are taken"
                                     : "it tells the network once --fabric and --nic are given";
}

}  // namespace

std::vector<std::string> unused_laws(const SampleFit& fit, const MeasuredLaws& measured) {
  std::set<const FittedLaw*> used{measured.memory, measured.ring, measured.network};
  for (const auto& [precision, law] : measured.products) used.insert(law);
  for (const auto& [dim, laws] : measured.attention) used.insert({laws.forward, laws.backward});
  std::vector<std::string> unused;
  for (const FittedLaw& law : fit.laws) {
    if (!used.contains(&law)) unused.push_back(fmt::format("{}: {}", law.operation, why_unused(law, measured)));
  }
  return unused;
}

MeasuredLaws choose_laws(const SampleFit& fit, const Profile* like, const GpuPart* gpu, bool network) {
  MeasuredLaws measured;
  measured.attention = choose_attention(fit, like);
  measured.memory = choose_memory(fit);
  for (const FittedLaw& law : fit.laws) {
    if (law.gemm) measured.products[*law.series.front()->precision()] = &law;
    if (!is_ring(law) || !tells_bandwidth(law)) continue;
    // Where every pair has links of its own, a few GPUs are no ring over the domain.
    const bool whole = gpu == nullptr || gpu->scale_up == ScaleUpKind::switched ||
                       largest(law, "ranks") >= static_cast<double>(gpu->scale_up_gpus);
    if (law.nodes == 1 && whole) measured.ring = &law;
    const bool smaller = measured.network == nullptr || law.node_size < measured.network->node_size;
    if (network && law.nodes == 2 && smaller) measured.network = &law;  // the fewest GPUs a node: no ring inside limits
  }
  return measured;
}

bool tells_half(const FittedLaw& law) {
  const SampleRange& sequences = law.report.ranges.at("sequence");
  return fit::spans(static_cast<double>(sequences.low), static_cast<double>(sequences.high));
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
