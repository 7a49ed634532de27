// SPDX-License-Identifier: Apache-2.0
#include "sim/search/search.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/engine/bound.h"
#include "sim/engine/communication.h"
#include "sim/engine/costs.h"

namespace railyard {
namespace {

constexpr int largest_micro_batch = 8;
// Ring attention needs this many tokens a GPU to hide its traffic; recipes of Megatron-Bridge keep to it.
constexpr int least_context = 4096;

std::vector<int> divisors(int number) {
  std::vector<int> result;
  for (int divisor = 1; divisor <= number; ++divisor) {
    if (number % divisor == 0) result.push_back(divisor);
  }
  return result;
}

// What the search tries of each key, before the keys are held against each other.
struct Choices {
  Choices(const Model& model, int gpus_per_node, const Strategy& like) : tp(divisors(gpus_per_node)) {
    for (int part = 2; model.window == 0 && like.sequence / part >= least_context; part *= 2) cp.push_back(part);
    if (model.experts) ep = divisors(model.experts->count);
    Strategy strategy;
    for (int pp = 1; pp <= model.layers; ++pp) {
      strategy.pp = pp;
      const int most_chunks = pp > 1 ? model.layers / pp : 1;
      for (int vpp = 1; vpp <= most_chunks; ++vpp) {
        strategy.vpp = vpp;
        if (layers_divide(model, strategy)) pipelines.emplace_back(pp, vpp);
      }
    }
    if (like.zero == 1) zero.push_back(3);
  }
  std::vector<int> tp, cp{1}, ep{1}, zero;  // zero: besides what the user has
  std::vector<std::pair<int, int>> pipelines;
};

// Strategies that differ only in recomputation and in what is sharded.
void add_variants(std::vector<Strategy>& result, Strategy strategy, const Choices& choices) {
  std::vector<int> zeros{strategy.zero};
  if (strategy.pp == 1) zeros.insert(zeros.end(), choices.zero.begin(), choices.zero.end());
  for (const int zero : zeros) {
    strategy.zero = zero;
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      strategy.recompute = recompute;
      result.push_back(strategy);
    }
  }
}

// Every combination that divides; faults that the loops rule out by construction are not worded.
std::vector<Strategy> candidates(const Model& model, int gpus, int gpus_per_node, const Strategy& like,
                                 std::size_t& considered) {
  const Choices choices(model, gpus_per_node, like);
  std::vector<Strategy> result;
  Strategy strategy = like;
  for (const int tp : choices.tp) {
    strategy.tp = tp;
    strategy.sp = tp > 1;
    for (const int cp : choices.cp) {
      strategy.cp = cp;
      for (const auto& [pp, vpp] : choices.pipelines) {
        strategy.pp = pp;
        strategy.vpp = vpp;
        const std::int64_t pipeline = static_cast<std::int64_t>(tp) * cp * pp;
        for (int micro_batch = 1; micro_batch <= largest_micro_batch; micro_batch *= 2) {
          strategy.micro_batch = micro_batch;
          for (const int ep : choices.ep) {
            strategy.ep = ep;
            if (like.ep_local > 1) strategy.ep_local = std::min(ep, gpus_per_node);
            considered += 3 * (pp == 1 ? 1 + choices.zero.size() : 1);
            if (pipeline > gpus || gpus % pipeline != 0 || gpus / pp % ep != 0) continue;
            if (like.global_batch.value % (gpus / pipeline * micro_batch) != 0) continue;
            if (!strategy_faults(strategy, model, gpus, gpus_per_node).empty()) continue;
            add_variants(result, strategy, choices);
          }
        }
      }
    }
  }
  return result;
}

// Operator times are shared by all strategies that differ only in how the pipeline is cut.
class CostCache {
 public:
  CostCache(const Model& model, const Laws& laws, const Communication& communication, int gpus)
      : model_(model), laws_(laws), communication_(communication), gpus_(gpus) {}
  const StepCosts& of(const Strategy& strategy) {
    const Key key{strategy.tp,          strategy.cp,        strategy.ep,
                  strategy.micro_batch, strategy.recompute, strategy.shards_gradients()};
    const auto found = costs_.find(key);
    if (found != costs_.end()) return found->second;
    return costs_.emplace(key, StepCosts(model_, strategy, laws_, communication_, gpus_)).first->second;
  }

 private:
  using Key = std::tuple<int, int, int, int, Recompute, bool>;
  const Model& model_;
  const Laws& laws_;
  const Communication& communication_;
  int gpus_;
  std::map<Key, StepCosts> costs_;
};

}  // namespace

SearchResult search_strategies(const Model& model, const Laws& laws, const Communication& communication, int gpus,
                               int gpus_per_node, Bytes memory_limit, const Strategy& like) {
  SearchResult result;
  CostCache costs(model, laws, communication, gpus);
  std::vector<RankedStrategy> waiting;
  for (const Strategy& strategy : candidates(model, gpus, gpus_per_node, like, result.considered)) {
    const MemoryUse memory = peak_memory(model, strategy, gpus);
    if (result.possible == 0 || memory.total() < result.least_memory.total()) result.least_memory = memory;
    ++result.possible;
    if (memory.total() > memory_limit) continue;
    ++result.fitting;
    RankedStrategy& next = waiting.emplace_back();
    next.strategy = strategy;
    next.memory = memory;
    next.bound = lower_bound(costs.of(strategy), model, strategy, laws, communication, gpus);
  }
  // Equal bounds keep the order of enumeration.
  std::ranges::stable_sort(waiting, {}, &RankedStrategy::bound);
  for (RankedStrategy& next : waiting) {
    if (!result.ranked.empty() && next.bound >= result.ranked.front().step.step_time) break;
    next.step = simulate_step(model, next.strategy, laws, communication, costs.of(next.strategy), gpus);
    const auto place = std::ranges::upper_bound(result.ranked, next.step.step_time, {},
                                                [](const RankedStrategy& each) { return each.step.step_time; });
    result.ranked.insert(place, next);
  }
  return result;
}

SearchResult search_strategies(const Model& model, const Laws& laws, const Network& network, int gpus,
                               int gpus_per_node, Bytes memory_limit, const Strategy& like) {
  const NetworkCommunication communication(network);
  return search_strategies(model, laws, communication, gpus, gpus_per_node, memory_limit, like);
}

}  // namespace railyard
