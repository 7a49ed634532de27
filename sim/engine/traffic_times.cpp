// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/traffic_times.h"

#include <map>
#include <tuple>

namespace railyard {
namespace {

// Parameters of each bucket of a chunk, in order of the layers.
std::vector<HeldParameters> buckets(const Model& model, const Strategy& strategy, int stage, int chunk, int gpus) {
  const HeldParameters all = held_by_chunk(model, strategy, stage, chunk);
  if (stage > 0 || chunk > 0 || strategy.replicas(gpus) == 1) return {all};
  const ChunkLayers layers = chunk_layers(model, strategy, stage, chunk);
  std::vector<HeldParameters> result;
  for (int layer = 0; layer < layers.total(); ++layer) {
    result.push_back(held_by_layer(model, strategy, layer < layers.dense ? LayerKind::dense : LayerKind::experts));
  }
  result.front().shared += embedding_parameters(model, strategy);
  if (strategy.pp == 1 && strategy.vpp == 1) result.back().shared += head_parameters(model, strategy);
  return result;
}

// Seconds of collectives of parameters over the GPUs that share them: of experts fewer than of the rest.
class Asker {
 public:
  Asker(const Strategy& strategy, const Communication& communication, int gpus, std::string_view& algorithm)
      : communication_(communication),
        shared_{strategy.replicas(gpus), strategy.tp},
        experts_{strategy.expert_replicas(gpus), strategy.ep},
        reduction_(strategy.zero == 0 ? Collective::all_reduce : Collective::reduce_scatter),
        gradient_(strategy.gradient_size()),
        algorithm_(algorithm),
        gathers_(strategy.zero > 0) {}

  double reduce(const HeldParameters& held) {
    return ask(reduction_, held.shared, gradient_, shared_) + ask(reduction_, held.experts, gradient_, experts_);
  }
  double gather(const HeldParameters& held) {
    if (!gathers_) return 0;
    return ask(Collective::all_gather, held.shared, 2.0 * byte, shared_) +
           ask(Collective::all_gather, held.experts, 2.0 * byte, experts_);
  }

 private:
  double ask(Collective collective, std::int64_t parameters, Bytes each, const GroupLayout& groups) {
    if (groups.size == 1 || parameters == 0) return 0;
    // The chunks of a pipeline are mostly alike.
    const auto [place, fresh] = known_.try_emplace({collective, parameters, groups}, 0.0);
    if (fresh) {
      const TrafficTime answer = communication_.collective(collective, static_cast<double>(parameters) * each, groups);
      place->second = answer.time.in(second);
      if (collective == reduction_ && groups == shared_) algorithm_ = answer.algorithm;
    }
    return place->second;
  }

  const Communication& communication_;
  GroupLayout shared_, experts_;
  Collective reduction_;
  Bytes gradient_;
  std::string_view& algorithm_;
  bool gathers_;
  std::map<std::tuple<Collective, std::int64_t, GroupLayout>, double> known_;
};

double send_time(const Model& model, const Strategy& strategy, const Communication& communication, int stride) {
  // With sequence parallelism each GPU sends its own shard; else all of it, or a part that the next stage puts
  // together.
  const double tokens = static_cast<double>(strategy.micro_batch) * strategy.sequence / strategy.cp;
  const Bytes whole = 2.0 * tokens * model.hidden * byte;
  if (strategy.sp) return communication.send(whole / strategy.tp, stride).time.in(second);
  if (!strategy.split_sends || strategy.tp == 1) return communication.send(whole, stride).time.in(second);
  return (communication.send(whole / strategy.tp, stride).time +
          communication.collective(Collective::all_gather, whole, {strategy.tp, 1}).time)
      .in(second);
}

}  // namespace

StepTraffic::StepTraffic(const Model& model, const Strategy& strategy, const Laws& laws,
                         const Communication& communication, double slowest_gpu, int gpus)
    : slowest(slowest_gpu), gap(laws.kernel_gap().in(second)) {
  Asker ask(strategy, communication, gpus, dp_algorithm);
  const bool by_unit = strategy.shards_gradients();
  if (by_unit) {
    const auto unit = [&](const HeldParameters& held) { return Unit{ask.gather(held), ask.reduce(held)}; };
    if (model.dense_layers() > 0) dense = unit(held_by_layer(model, strategy, LayerKind::dense));
    if (model.experts) experts = unit(held_by_layer(model, strategy, LayerKind::experts));
    edge = unit({embedding_parameters(model, strategy) + head_parameters(model, strategy), 0});
  }
  for (int stage = 0; stage < strategy.pp; ++stage) {
    Stage& of = stages.emplace_back();
    const HeldParameters all = held_by_stage(model, strategy, stage);
    for (int chunk = 0; chunk < strategy.vpp; ++chunk) {
      if (strategy.dp_overlap && !by_unit) {
        std::vector<double>& reduce = of.reduce.emplace_back();
        std::vector<double>& gather = of.gather.emplace_back();
        for (const HeldParameters& held : buckets(model, strategy, stage, chunk, gpus)) {
          reduce.push_back(ask.reduce(held));
          gather.push_back(ask.gather(held));
        }
      }
      if (strategy.precision == Precision::fp8 && !by_unit) {
        // Reads BF16, writes FP8 and its transpose.
        const ChunkLayers layers = chunk_layers(model, strategy, stage, chunk);
        double matrices = 0;
        if (layers.dense > 0) matrices += layers.dense * layer_matrices(model, strategy, LayerKind::dense);
        if (layers.experts > 0) matrices += layers.experts * layer_matrices(model, strategy, LayerKind::experts);
        of.cast.push_back(laws.memory(4.0 * matrices * byte).in(second)*slowest);
      }
    }
    if (!strategy.dp_overlap && !by_unit) {
      of.reduce_all = ask.reduce(all);
      of.gather_all = ask.gather(all);
    }
    const double own = strategy.zero == 0 ? static_cast<double>(all.total()) : sharded(all, strategy, gpus);
    of.norm = laws.memory(own * strategy.gradient_size()).in(second)*slowest;
    of.optimizer = laws.memory(optimizer_traffic(model, strategy, stage, gpus)).in(second)*slowest;
  }
  if (gpus > 1) norm = communication.collective(Collective::all_reduce, 4.0 * byte, {gpus, 1}).time.in(second);
  if (strategy.pp == 1) return;
  const int stride = gpus / strategy.pp;
  send = send_time(model, strategy, communication, stride);
  if (model.tied_embeddings) {
    // An all-reduce of two: each sends half, then the other half's sum.
    const double table = static_cast<double>(model.vocab) * model.hidden / strategy.tp;
    embedding = communication.send(table * strategy.gradient_size(), stride * (strategy.pp - 1)).time.in(second);
  }
}

}  // namespace railyard
