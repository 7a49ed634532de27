// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/workload/strategy.h"

namespace railyard {
namespace {

// A step of this many forward passes takes half a gigabyte to simulate; real ones have some ten thousand.
constexpr std::int64_t most_passes = 1 << 20;

std::int64_t chunks_of(const Strategy& strategy) { return static_cast<std::int64_t>(strategy.pp) * strategy.vpp; }

// Layers that are missing for equal chunks.
std::int64_t spare_layers(const Model& model, const Strategy& strategy) {
  const std::int64_t chunks = chunks_of(strategy);
  return (chunks - model.layers % chunks) % chunks;
}

// What the kinds of parallelism ask of the model and of each other.
void kind_faults(std::vector<std::string>& faults, const Strategy& strategy, const Model& model, int gpus_per_node) {
  if (strategy.ep > 1 && !model.experts) {
    faults.push_back(fmt::format("ep={} needs a model with experts: take ep=1", strategy.ep));
  }
  const int local = std::min(strategy.ep, gpus_per_node);
  if (strategy.ep_local > 1 && strategy.ep_local != local) {
    faults.push_back(fmt::format("ep_local={} is not how many GPUs of an expert group share a node: take ep_local={}{}",
                                 strategy.ep_local, local, local > 1 ? ", or 1" : ""));
  } else if (strategy.ep_local > 1 && strategy.ep % local != 0) {
    faults.push_back(
        fmt::format("ep={} is not made of whole nodes of {} GPUs: take a multiple, or ep_local=1", strategy.ep, local));
  }
  if (model.experts) {
    const Experts& experts = *model.experts;
    if (experts.count % strategy.ep != 0) {
      faults.push_back(
          fmt::format("ep={} does not divide {} experts: take an ep that does", strategy.ep, experts.count));
    }
    if (strategy.tp > 1 && !strategy.sp) {
      faults.push_back(fmt::format(
          "tp={} of a model with experts needs sequence parallelism, as in Megatron: take sp=1", strategy.tp));
    }
    if (experts.shared * experts.ffn_hidden % strategy.tp != 0) {
      faults.push_back(fmt::format("tp={} does not divide {} columns of the shared experts: take a tp that does",
                                   strategy.tp, experts.shared * experts.ffn_hidden));
    }
  }
  if (strategy.cp > 1 && strategy.attention == Attention::unfused) {
    faults.push_back(fmt::format("cp={} needs attention that keeps no scores: take attention=flash", strategy.cp));
  }
  if (strategy.cp > 1 && model.window > 0) {
    faults.push_back(fmt::format("cp={} is not simulated with a sliding window: take cp=1", strategy.cp));
  }
  if (strategy.shards_gradients() && strategy.pp > 1) {
    faults.push_back(
        fmt::format("zero={} shards what every micro-batch of a pipeline needs: take pp=1, or zero=1", strategy.zero));
  }
}

}  // namespace

bool layers_divide(const Model& model, const Strategy& strategy) {
  const std::int64_t spare = spare_layers(model, strategy);
  if (spare == 0) return true;
  // The first chunk keeps a layer; the last one may be left with the output.
  return (spare == 2 || spare == 3) && (model.layers + spare) / chunks_of(strategy) >= 2;
}

ChunkLayers chunk_layers(const Model& model, const Strategy& strategy, int stage, int chunk) {
  const auto spare = static_cast<int>(spare_layers(model, strategy));
  const int each = (model.layers + spare) / (strategy.pp * strategy.vpp);
  const int part = chunk * strategy.pp + stage;
  const int missing_first = spare > 0 ? 1 : 0;
  int count = each;
  int before = part * each;
  if (part == 0) {
    count -= missing_first;
  } else {
    before -= missing_first;
  }
  if (part == strategy.pp * strategy.vpp - 1 && spare > 0) count -= spare - 1;
  const int dense = std::clamp(model.dense_layers() - before, 0, count);
  return {dense, count - dense};
}

std::vector<std::string> strategy_faults(const Strategy& strategy, const Model& model, int gpus, int gpus_per_node) {
  std::vector<std::string> faults;
  const auto divides = [&](std::int64_t part, std::int64_t whole_number, std::string_view key, std::string_view what) {
    if (whole_number % part == 0) return;
    faults.push_back(fmt::format("{}={} does not divide {} {}: take {} {} that does", key, part, whole_number, what,
                                 key.starts_with('e') ? "an" : "a", key));
  };
  if (strategy.global_batch.value < 1) faults.emplace_back("no global batch: give gbs, in sequences");
  if (strategy.sequence < 1) faults.emplace_back("no sequence length: give seq, in tokens");
  divides(strategy.tp, model.heads, "tp", "attention heads");
  if (model.kv_heads != model.heads) divides(strategy.tp, model.kv_heads, "tp", "key-value heads");
  if (model.dense_layers() > 0) divides(strategy.tp, model.ffn_hidden, "tp", "columns of the MLP");
  divides(strategy.tp, model.vocab, "tp", "words of the vocabulary");
  if (strategy.sequence > 0) {
    // Ring attention gives every GPU one part from the front of the sequence and one from its end.
    if (strategy.cp > 1) divides(strategy.cp * std::int64_t{2}, strategy.sequence, "2*cp", "tokens of a sequence");
    if (strategy.sp)
      divides(strategy.tp, strategy.sequence / strategy.cp, "tp",
              strategy.cp > 1 ? "tokens of a part of the sequence (sp=1)" : "tokens of a sequence (sp=1)");
  }
  if (strategy.tp > gpus_per_node || gpus_per_node % strategy.tp != 0) {
    faults.push_back(fmt::format("tp={} does not fit into a node of {} GPUs: take a divisor of {}", strategy.tp,
                                 gpus_per_node, gpus_per_node));
  }
  const std::int64_t chunks = chunks_of(strategy);
  if (!layers_divide(model, strategy)) {
    faults.push_back(fmt::format("pp={} times vpp={} does not divide {} layers: take chunks of equally many layers",
                                 strategy.pp, strategy.vpp, model.layers));
  }
  if (strategy.vpp > 1 && strategy.pp == 1) {
    faults.push_back(fmt::format("vpp={} needs a pipeline: take pp of at least 2, or vpp=1", strategy.vpp));
  }
  if (model.positions > 0 && strategy.sequence > model.positions) {
    faults.push_back(fmt::format("seq={} is longer than the {} learned positions of the model: take a shorter seq",
                                 strategy.sequence, model.positions));
  }
  kind_faults(faults, strategy, model, gpus_per_node);
  const std::int64_t pipeline_gpus = static_cast<std::int64_t>(strategy.tp) * strategy.cp * strategy.pp;
  if (gpus < pipeline_gpus || gpus % pipeline_gpus != 0) {
    const std::string_view names = strategy.cp > 1 ? "tp*cp*pp" : "tp*pp";
    const std::string_view which = strategy.cp > 1 ? "tp, cp or pp" : "tp or pp";
    faults.push_back(fmt::format("{} GPUs are no multiple of {} = {}: change {}", gpus, names, pipeline_gpus, which));
    return faults;
  }
  if (model.experts) divides(strategy.ep, gpus / strategy.pp, "ep", "GPUs of a pipeline stage");
  const std::int64_t samples = static_cast<std::int64_t>(strategy.dp(gpus)) * strategy.micro_batch;
  if (strategy.global_batch.value > 0 && strategy.global_batch.value % samples != 0) {
    faults.push_back(fmt::format("gbs={} is no multiple of dp*mbs = {}*{} = {}: change gbs or mbs",
                                 strategy.global_batch.value, strategy.dp(gpus), strategy.micro_batch, samples));
    return faults;
  }
  const std::int64_t parts = strategy.shards_gradients() ? model.layers : chunks;
  if (strategy.micro_batches(gpus) * std::min(parts, most_passes) > most_passes) {
    faults.push_back(fmt::format(
        "{} micro-batches through {} {} are more than the {} passes that a step may "
        "have here: take a larger mbs or a smaller gbs",
        strategy.micro_batches(gpus), parts, strategy.shards_gradients() ? "layers" : "model chunks", most_passes));
  }
  if (strategy.vpp > 1 && strategy.micro_batches(gpus) % strategy.pp != 0) {
    faults.push_back(
        fmt::format("vpp={} needs micro-batches in multiples of pp={}, there are {}: change gbs or mbs, or "
                    "take vpp=1",
                    strategy.vpp, strategy.pp, strategy.micro_batches(gpus)));
  }
  return faults;
}

}  // namespace railyard
