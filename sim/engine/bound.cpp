// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/bound.h"

#include <algorithm>
#include <map>

#include "sim/engine/traffic_times.h"

namespace railyard {

namespace {

// Every micro-batch waits for the parameters outside the layers and of the first layer, which are gathered when the one
// before has ended and its last gradients have been reduced. Nor can the queue of this traffic be worked off sooner.
double sharded_bound(const StepTraffic& traffic, const Model& model, const Strategy& strategy, double micro_batches,
                     double work) {
  const ChunkLayers layers = chunk_layers(model, strategy, 0, 0);
  const double gathers = layers.dense * traffic.dense.gather + layers.experts * traffic.experts.gather;
  const double reduces = layers.dense * traffic.dense.reduce + layers.experts * traffic.experts.reduce;
  const double first =
      traffic.edge.gather + traffic.layer(layers.dense > 0 ? LayerKind::dense : LayerKind::experts).gather;
  const double queue = traffic.edge.gather + traffic.edge.reduce + (strategy.zero == 3 ? 2 : 1) * gathers + reduces;
  return micro_batches * std::max(first + work + traffic.edge.reduce, queue);
}

}  // namespace

Seconds lower_bound(const StepCosts& costs, const Model& model, const Strategy& strategy, const Laws& laws,
                    const Communication& communication, int gpus) {
  const StepTraffic traffic(model, strategy, laws, communication, costs.slowest, gpus);
  const auto micro_batches = static_cast<double>(strategy.micro_batches(gpus));
  const auto both_ways = [&](int stage, int chunk) {
    const bool first = stage == 0 && chunk == 0;
    const bool last = stage == strategy.pp - 1 && chunk == strategy.vpp - 1;
    const ChunkLayers layers = chunk_layers(model, strategy, stage, chunk);
    return chunk_cost(costs, layers, first, last, true).total() + chunk_cost(costs, layers, first, last, false).total();
  };
  // Weights of a chunk are cast when the first micro-batch has come to it.
  const auto cast = [&](int stage, int chunk) {
    const std::vector<double>& casts = traffic.stages[static_cast<std::size_t>(stage)].cast;
    return casts.empty() ? 0 : casts[static_cast<std::size_t>(chunk)] + traffic.gap;
  };
  // Chunks of equal layers without an edge of the model cost the same.
  std::map<ChunkLayers, double> inner;
  const auto inner_cost = [&](int stage, int chunk) {
    const auto [place, fresh] = inner.try_emplace(chunk_layers(model, strategy, stage, chunk), 0.0);
    if (fresh) place->second = both_ways(stage, chunk);
    return place->second;
  };
  if (strategy.shards_gradients()) {
    const StepTraffic::Stage& own = traffic.stages.front();
    return (sharded_bound(traffic, model, strategy, micro_batches, both_ways(0, 0)) + own.norm + traffic.norm +
            own.optimizer + 2 * traffic.gap) *
           second;
  }
  double longest = 0;
  double through = 0;  // forward and backward of one micro-batch through the stages before
  for (int stage = 0; stage < strategy.pp; ++stage) {
    double work = 0;
    double casts = 0;
    for (int chunk = 0; chunk < strategy.vpp; ++chunk) {
      const bool edge = (stage == 0 && chunk == 0) || (stage == strategy.pp - 1 && chunk == strategy.vpp - 1);
      casts += cast(stage, chunk);
      work += edge ? both_ways(stage, chunk) : inner_cost(stage, chunk);
    }
    double sends = 0;
    if (strategy.vpp == 1 && strategy.pp > 1) {
      // The next pass waits for the send of the one before.
      const int directions = (stage > 0 ? 1 : 0) + (stage < strategy.pp - 1 ? 1 : 0);
      sends = directions * (micro_batches - 1) * traffic.send;
    }
    longest = std::max(longest, through + micro_batches * work + casts + sends);
    through += both_ways(stage, 0) + cast(stage, 0) + 2 * traffic.send;
  }
  // What follows the last backward pass, on the stage that ends last: the first.
  const StepTraffic::Stage& first = traffic.stages.front();
  const double reduction = first.reduce.empty() ? first.reduce_all : first.reduce.front().front();
  const double before = first.gather.empty() ? 0 : first.gather.front().front();
  return (before + longest + reduction + first.norm + traffic.norm + first.optimizer + 2 * traffic.gap +
          first.gather_all) *
         second;
}

}  // namespace railyard
