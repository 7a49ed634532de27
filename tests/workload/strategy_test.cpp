// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/strategy.h"
#include "base/diagnostic.h"
#include "tests/catch.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_strategy(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* mlperf =
    "tp=4 sp=1 pp=8 vpp=12 mbs=1 gbs=2048 seq=2048 recompute=none zero=1 precision=fp8 grad=bf16 tp_overlap=1 "
    "dp_overlap=1";

}  // namespace

TEST_CASE("strategy: the text form reads back what it prints", "[workload]") {
  const Strategy strategy = parse_strategy(mlperf);
  CHECK(strategy.tp == 4);
  CHECK(strategy.sp);
  CHECK(strategy.vpp == 12);
  CHECK(strategy.global_batch.value == 2048);
  CHECK(strategy.precision == Precision::fp8);
  CHECK(strategy.bf16_gradients);
  CHECK(to_text(strategy) == mlperf);
  CHECK(parse_strategy(to_text(strategy)) == strategy);
  // 512 GPUs: dp = 512 / 32, micro-batches = 2048 / 16.
  CHECK(strategy.dp(512) == 16);
  CHECK(strategy.micro_batches(512) == 128);
}

TEST_CASE("strategy: keys that are seldom changed are printed when they are", "[workload]") {
  const std::string text =
      "tp=8 sp=0 pp=8 vpp=3 cp=2 ep=4 mbs=1 gbs=64 seq=2048 recompute=full zero=0 precision=fp16 attention=unfused "
      "dropout=1 grad=fp32 tp_overlap=0 dp_overlap=1 split_sends=1";
  const Strategy strategy = parse_strategy(text);
  CHECK(to_text(strategy) == text);
  CHECK(strategy.precision == Precision::fp16);
  // 512 GPUs: dp = 512 / (8 * 2 * 8); gradients are shared by cp * dp GPUs, those of an expert by tp * cp * dp / ep.
  CHECK(strategy.dp(512) == 4);
  CHECK(strategy.replicas(512) == 8);
  CHECK(strategy.expert_replicas(512) == 16);
}

TEST_CASE("strategy: the embedding and the output may stand in for layers of the first and last chunk", "[workload]") {
  // MLPerf Llama 3.1 405B: 126 layers, embedding and loss are 128 items over 8 stages of 8 chunks
  // (validation/training-notes.md). DeepSeek-V3 in Megatron-Bridge: pp 2, vpp 8: 61 layers, embedding, output and the
  // prediction layer are 64.
  const auto layers = [](const Model& model, const Strategy& strategy) {
    std::vector<int> counts;
    int dense = 0;
    int all = 0;
    for (int chunk = 0; chunk < strategy.vpp; ++chunk) {
      for (int stage = 0; stage < strategy.pp; ++stage) {
        const ChunkLayers each = chunk_layers(model, strategy, stage, chunk);
        counts.push_back(each.total());
        dense += each.dense;
        all += each.total();
      }
    }
    CHECK(all == model.layers);
    CHECK(dense == model.dense_layers());
    return counts;
  };
  const std::vector<int> llama = layers(shipped("llama3-405b"), parse_strategy("pp=8 vpp=8"));
  CHECK(llama.front() == 1);
  CHECK(llama[1] == 2);
  CHECK(llama.back() == 1);
  const std::vector<int> deepseek = layers(shipped("deepseek-v3"), parse_strategy("pp=2 vpp=8"));
  CHECK(deepseek.front() == 3);
  CHECK(deepseek[1] == 4);
  CHECK(deepseek.back() == 2);
  // pp 8, vpp 4: the last chunk has the output alone.
  CHECK(layers(shipped("deepseek-v3"), parse_strategy("pp=8 vpp=4")).back() == 0);
  CHECK(layers(llama3_70b(), parse_strategy("pp=4 vpp=5")) == std::vector<int>(20, 4));
  CHECK_FALSE(layers_divide(llama3_70b(), parse_strategy("pp=7")));
  CHECK_FALSE(layers_divide(shipped("llama3-405b"), parse_strategy("pp=8 vpp=16")));
}

TEST_CASE("strategy: experts, context and sharded parameters have faults of their own", "[workload]") {
  using List = std::vector<std::string>;
  const auto faults = [](const char* model, const std::string& text, int gpus) {
    return strategy_faults(parse_strategy(text), shipped(model), gpus, 8);
  };
  CHECK(faults("mixtral-8x7b", "tp=2 sp=1 ep=8 pp=4 gbs=256 seq=4096", 128).empty());
  CHECK(faults("llama3-405b", "tp=8 sp=1 pp=8 vpp=8 cp=2 gbs=256 seq=8192", 1024).empty());
  CHECK(faults("llama3-8b", "zero=3 gbs=256 seq=8192", 256).empty());
  CHECK(faults("llama3-8b", "ep=2 gbs=8 seq=8192", 8) == List{"ep=2 needs a model with experts: take ep=1"});
  CHECK(faults("mixtral-8x7b", "ep=16 gbs=16 seq=4096", 16) ==
        List{"ep=16 does not divide 8 experts: take an ep that does"});
  CHECK(faults("deepseek-v3", "ep=16 ep_local=4 gbs=16 seq=4096", 16) ==
        List{"ep_local=4 is not how many GPUs of an expert group share a node: take ep_local=8, or 1"});
  CHECK(faults("deepseek-v3", "ep_local=8 gbs=16 seq=4096", 16) ==
        List{"ep_local=8 is not how many GPUs of an expert group share a node: take ep_local=1"});
  CHECK(faults("mixtral-8x7b", "tp=2 gbs=16 seq=4096", 16) ==
        List{"tp=2 of a model with experts needs sequence parallelism, as in Megatron: take sp=1"});
  CHECK(faults("mixtral-8x7b", "ep=8 pp=4 gbs=4 seq=4096", 16) ==
        List{"ep=8 does not divide 4 GPUs of a pipeline stage: take an ep that does"});
  CHECK(faults("llama3-8b", "cp=3 gbs=8 seq=8192", 24) ==
        List{"2*cp=6 does not divide 8192 tokens of a sequence: take a 2*cp that does"});
  CHECK(faults("llama3-8b", "cp=2 gbs=8 seq=8192 attention=unfused", 16) ==
        List{"cp=2 needs attention that keeps no scores: take attention=flash"});
  CHECK(faults("mistral-7b", "cp=2 gbs=8 seq=8192", 16) ==
        List{"cp=2 is not simulated with a sliding window: take cp=1"});
  CHECK(faults("llama3-8b", "zero=3 pp=2 gbs=8 seq=8192", 16) ==
        List{"zero=3 shards what every micro-batch of a pipeline needs: take pp=1, or zero=1"});
  CHECK(faults("llama3-8b", "cp=2 pp=2 gbs=8 seq=8192", 6) ==
        List{"6 GPUs are no multiple of tp*cp*pp = 4: change tp, cp or pp"});
  CHECK(
      faults("llama3-8b", "zero=3 gbs=800000 seq=8192", 8) ==
      List{"100000 micro-batches through 32 layers are more than the 1048576 passes that a step may have here: take a "
           "larger mbs or a smaller gbs"});
}

TEST_CASE("strategy: what cannot be read is refused with the remedy", "[workload]") {
  CHECK(refusal("tp=8 precison=fp8") ==
        "error: strategy: unknown key 'precison'\n"
        "   expected one of: tp, sp, pp, vpp, cp, ep, ep_local, mbs, gbs, seq, recompute, zero, precision, attention, "
        "dropout, "
        "grad, tp_overlap, dp_overlap, split_sends; did you mean 'precision'?\n");
  CHECK_THAT(refusal("tp=8 tp=4"), ContainsSubstring("tp is given twice"));
  CHECK_THAT(refusal("tp=0"), ContainsSubstring("tp=0 is not possible") && ContainsSubstring("from 1 to 1048576"));
  CHECK_THAT(refusal("mbs=0"), ContainsSubstring("at least 1"));
  // The largest of everything is refused in words, not by overflow.
  CHECK_FALSE(strategy_faults(parse_strategy("tp=1048576 pp=1048576 vpp=1048576 cp=1048576 ep=1048576 mbs=1073741824 "
                                             "gbs=1073741824 seq=1073741824"),
                              llama3_70b(), 1024, 8)
                  .empty());
  CHECK_THAT(refusal("tp=8x"), ContainsSubstring("tp=8x is not possible"));
  CHECK_THAT(refusal("zero=4"), ContainsSubstring("from 0 to 3"));
  CHECK_THAT(refusal("attention=flsh"), ContainsSubstring("did you mean 'flash'?"));
  CHECK_THAT(refusal("recompute=ful"), ContainsSubstring("did you mean 'full'?"));
  CHECK_THAT(refusal("tp"), ContainsSubstring("'tp' has no value"));
  CHECK(refusal("cp=1 ep=1") == "accepted");
}

TEST_CASE("strategy: faults name the numbers and the way out", "[workload]") {
  const Model model = llama3_70b();
  const auto faults = [&](const std::string& text, int gpus = 1024) {
    return strategy_faults(parse_strategy(text), model, gpus, 8);
  };
  using List = std::vector<std::string>;
  CHECK(faults("tp=8 sp=1 pp=8 vpp=2 gbs=2048 seq=8192").empty());
  CHECK(faults("gbs=1024") == List{"no sequence length: give seq, in tokens"});
  CHECK(faults("seq=8192") == List{"no global batch: give gbs, in sequences"});
  CHECK(faults("tp=8 pp=7 gbs=2048 seq=8192", 56) ==
        List{"pp=7 times vpp=1 does not divide 80 layers: take chunks of equally many layers"});
  CHECK(faults("tp=16 gbs=2048 seq=8192") == List{"tp=16 does not divide 8 key-value heads: take a tp that does",
                                                  "tp=16 does not fit into a node of 8 GPUs: take a divisor of 8"});
  CHECK(faults("tp=8 pp=10 gbs=2048 seq=8192") == List{"1024 GPUs are no multiple of tp*pp = 80: change tp or pp"});
  CHECK(faults("tp=8 pp=2 mbs=1 gbs=100 seq=8192") ==
        List{"gbs=100 is no multiple of dp*mbs = 64*1 = 64: change gbs or mbs"});
  CHECK(faults("tp=8 vpp=2 gbs=2048 seq=8192") == List{"vpp=2 needs a pipeline: take pp of at least 2, or vpp=1"});
  CHECK(faults("tp=8 pp=16 vpp=5 gbs=200 seq=8192") ==
        List{"vpp=5 needs micro-batches in multiples of pp=16, there are 25: change gbs or mbs, or take vpp=1"});
  CHECK(faults("pp=8 gbs=1000000 seq=8192", 8) ==
        List{"1000000 micro-batches through 8 model chunks are more than the 1048576 passes that a step may have here: "
             "take a larger mbs or a smaller gbs"});
  CHECK(strategy_faults(parse_strategy("gbs=8 seq=4096"), gpt3_175b(), 8, 8) ==
        List{"seq=4096 is longer than the 2048 learned positions of the model: take a shorter seq"});
}
