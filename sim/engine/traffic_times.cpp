// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/traffic_times.h"

#include <map>

namespace railyard {
namespace {

// Parameters of each bucket of a chunk, in order of the layers.
std::vector<std::int64_t> buckets(const Model& model, const Strategy& strategy, int stage, int chunk, int dp) {
  const std::int64_t all = chunk_parameters(model, strategy, stage, chunk);
  if (stage > 0 || chunk > 0 || dp == 1) return {all};
  const int layers = model.layers / (strategy.pp * strategy.vpp);
  const std::int64_t layer = layer_parameters(model, strategy);
  std::vector<std::int64_t> result(static_cast<std::size_t>(layers), layer);
  const std::int64_t embedding = static_cast<std::int64_t>(model.vocab) * model.hidden / strategy.tp +
                                 static_cast<std::int64_t>(model.positions) * model.hidden;
  result.front() += embedding;
  result.back() += all - layers * layer - embedding;  // head and final norm when there is one chunk
  return result;
}

}  // namespace

StepTraffic::StepTraffic(const Model& model, const Strategy& strategy, const Laws& laws,
                         const Communication& communication, double slowest_gpu, int gpus)
    : slowest(slowest_gpu), gap(laws.kernel_gap().in(second)) {
  const int dp = strategy.dp(gpus);
  const GroupLayout data_group{dp, strategy.tp};
  const Collective reduction = strategy.zero == 0 ? Collective::all_reduce : Collective::reduce_scatter;
  std::map<std::pair<Collective, std::int64_t>, double> known;  // the chunks of a pipeline are mostly alike
  const auto ask = [&](Collective collective, std::int64_t parameters, Bytes each) {
    if (dp == 1 || parameters == 0) return 0.0;
    const auto [place, fresh] = known.try_emplace({collective, parameters}, 0.0);
    if (fresh) {
      const TrafficTime answer =
          communication.collective(collective, static_cast<double>(parameters) * each, data_group);
      place->second = answer.time.in(second);
      if (collective == reduction) dp_algorithm = answer.algorithm;
    }
    return place->second;
  };
  const double shards = strategy.zero == 0 ? 1 : dp;
  for (int stage = 0; stage < strategy.pp; ++stage) {
    Stage& of = stages.emplace_back();
    const std::int64_t all = stage_parameters(model, strategy, stage);
    for (int chunk = 0; chunk < strategy.vpp; ++chunk) {
      if (strategy.dp_overlap) {
        std::vector<double>& reduce = of.reduce.emplace_back();
        std::vector<double>& gather = of.gather.emplace_back();
        for (const std::int64_t count : buckets(model, strategy, stage, chunk, dp)) {
          reduce.push_back(ask(reduction, count, strategy.gradient_size()));
          gather.push_back(strategy.zero == 0 ? 0.0 : ask(Collective::all_gather, count, 2.0 * byte));
        }
      }
      if (strategy.precision == Precision::fp8) {
        // Reads BF16, writes FP8 and its transpose.
        const int layers = model.layers / (strategy.pp * strategy.vpp);
        const double matrices = static_cast<double>(model.layer_parameters()) / strategy.tp * layers;
        of.cast.push_back(laws.memory(4.0 * matrices * byte).in(second)*slowest);
      }
    }
    if (!strategy.dp_overlap) {
      of.reduce_all = ask(reduction, all, strategy.gradient_size());
      of.gather_all = strategy.zero == 0 ? 0.0 : ask(Collective::all_gather, all, 2.0 * byte);
    }
    of.norm = laws.memory(static_cast<double>(all) / shards * strategy.gradient_size()).in(second)*slowest;
    of.optimizer = laws.memory(optimizer_traffic(model, strategy, stage, dp)).in(second)*slowest;
  }
  if (gpus > 1) norm = communication.collective(Collective::all_reduce, 4.0 * byte, {gpus, 1}).time.in(second);
  if (strategy.pp == 1) return;
  // With sequence parallelism each GPU sends its own shard.
  const double tokens = static_cast<double>(strategy.micro_batch) * strategy.sequence / (strategy.sp ? strategy.tp : 1);
  const int stride = strategy.tp * dp;
  send = communication.send(2.0 * tokens * model.hidden * byte, stride).time.in(second);
  if (model.tied_embeddings) {
    // An all-reduce of two: each sends half, then the other half's sum.
    const double table = static_cast<double>(model.vocab) * model.hidden / strategy.tp;
    embedding = communication.send(table * strategy.gradient_size(), stride * (strategy.pp - 1)).time.in(second);
  }
}

}  // namespace railyard
