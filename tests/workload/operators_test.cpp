// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/operators.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

double gemm_flops(const Operators& operators) {
  double sum = 0;
  for (const Operator& op : operators) {
    sum += 2.0 * static_cast<double>(op.gemm.m) * static_cast<double>(op.gemm.n) * static_cast<double>(op.gemm.k) *
           static_cast<double>(op.gemm.batch);
  }
  return sum;
}

double attention_flops(const Operators& operators) {
  double sum = 0;
  for (const Operator& op : operators) sum += op.flops.in(flop);
  return sum;
}

double messages(const Operators& operators) {
  double sum = 0;
  for (const Operator& op : operators) sum += op.message.in(byte);
  return sum;
}

}  // namespace

TEST_CASE("operators: their GEMMs and attention add up to the model FLOP", "[workload]") {
  // Over all tensor ranks: GEMMs of layers and head are 6 N without norms and biases, which no GEMM works on; attention
  // forward is 2 of the 6 L h s, and backward 2.5 times that where the model counts 2 (the scores come again).
  const auto text = GENERATE("tp=1 gbs=1 seq=2048", "tp=4 sp=1 mbs=2 gbs=2 seq=2048 precision=fp8");
  for (const Model& model : {gpt3_175b(), llama3_70b()}) {
    const Strategy strategy = parse_strategy(text);
    const double tokens = strategy.micro_batch * 2048.0;
    const double gemms =
        model.layers * (gemm_flops(layer_forward(model, strategy)) + gemm_flops(layer_backward(model, strategy))) +
        gemm_flops(head_forward(model, strategy)) + gemm_flops(head_backward(model, strategy));
    CHECK_THAT(gemms * strategy.tp / tokens,
               WithinRel(model_flops_per_token(model, 2048, FlopConvention::six_n).in(flop), 3e-4));
    const double forward = attention_flops(layer_forward(model, strategy)) * strategy.tp * model.layers / tokens;
    CHECK_THAT(forward, WithinRel(2.0 * model.layers * model.heads * model.head_dim * 2048, 1e-12));
    CHECK_THAT(attention_flops(layer_backward(model, strategy)) * strategy.tp * model.layers / tokens,
               WithinRel(2.5 * forward, 1e-12));
  }
}

TEST_CASE("operators: sequence parallelism sends what plain tensor parallelism sends", "[workload]") {
  // Korthikanti et al., section 4.2: an all-reduce moves as much as a gather and a reduce-scatter. Forward: two
  // all-reduces of t h 2 B, or two gathers and two scatters. Backward gathers the two saved inputs once more.
  const Model model = gpt3_175b();
  const double activation = 2048.0 * 12288 * 2;
  const Strategy plain = parse_strategy("tp=8 gbs=1 seq=2048");
  const Strategy sharded = parse_strategy("tp=8 sp=1 gbs=1 seq=2048");
  CHECK(messages(layer_forward(model, plain)) == 2 * activation);
  CHECK(messages(layer_backward(model, plain)) == 2 * activation);
  CHECK(messages(layer_forward(model, sharded)) == 4 * activation);
  CHECK(messages(layer_backward(model, sharded)) == 6 * activation);
  CHECK(messages(layer_forward(model, parse_strategy("tp=1 gbs=1 seq=2048"))) == 0);
}

TEST_CASE("operators: every hidden collective has its GEMM beside it", "[workload]") {
  const Strategy strategy = parse_strategy("tp=4 sp=1 gbs=1 seq=2048 precision=fp8 recompute=full tp_overlap=1");
  const Model model = gpt3_175b();
  int hidden = 0;
  for (const Operators& list : {layer_forward(model, strategy), layer_backward(model, strategy),
                                head_forward(model, strategy), head_backward(model, strategy)}) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].overlap == Overlap::none) continue;
      ++hidden;
      const std::size_t gemm = list[i].overlap == Overlap::scatter ? i - 1 : i + 1;
      REQUIRE(gemm < list.size());
      CHECK(list[gemm].kind == OperatorKind::gemm);
    }
  }
  // Forward 2 gathers and 2 scatters; backward 2 gathers of gradients, 2 bulk gathers, 2 bulk scatters; head 1 and 2.
  CHECK(hidden == 13);
}

TEST_CASE("operators: recomputation runs the layer or its attention core again", "[workload]") {
  const Model model = llama3_70b();
  CHECK(layer_recompute(model, parse_strategy("gbs=1 seq=8192")).empty());
  const Operators core = layer_recompute(model, parse_strategy("gbs=1 seq=8192 recompute=selective"));
  REQUIRE(core.size() == 1);
  CHECK(core[0].kind == OperatorKind::attention_forward);
  const Strategy full = parse_strategy("gbs=1 seq=8192 recompute=full");
  CHECK(gemm_flops(layer_recompute(model, full)) == gemm_flops(layer_forward(model, full)));
}

TEST_CASE("operators: the GPUs of a pipeline and tensor group hold the model once", "[workload]") {
  // Norms and row-parallel biases are held by every tensor rank: with tp = 1 the sum is exact.
  for (const Model& model : {gpt3_175b(), llama3_70b()}) {
    const Strategy strategy = parse_strategy("pp=8 vpp=2 gbs=16 seq=2048");
    std::int64_t sum = 0;
    for (int stage = 0; stage < 8; ++stage) sum += stage_parameters(model, strategy, stage);
    // A tied output matrix lies on the last stage a second time.
    const std::int64_t copy = model.tied_embeddings ? static_cast<std::int64_t>(model.vocab) * model.hidden : 0;
    CHECK(sum == model.parameters() + copy);
    CHECK(stage_parameters(model, parse_strategy("gbs=1 seq=2048"), 0) == model.parameters());
  }
}

TEST_CASE("operators: the optimizer moves 30 bytes a parameter, sharded by ZeRO-1", "[workload]") {
  // facts/interference.csv: read FP32 weight, two moments, gradient (16 B), write the first three (12 B) and BF16 (2
  // B).
  const Model model = llama3_70b();
  const auto parameters = static_cast<double>(stage_parameters(model, parse_strategy("pp=4 gbs=8 seq=8192"), 1));
  CHECK_THAT(optimizer_traffic(model, parse_strategy("pp=4 gbs=8 seq=8192 zero=0"), 1, 32).in(byte),
             WithinRel(30 * parameters, 1e-12));
  CHECK_THAT(optimizer_traffic(model, parse_strategy("pp=4 gbs=8 seq=8192"), 1, 32).in(byte),
             WithinRel(30 * parameters / 8, 1e-12));
}

TEST_CASE("operators: FLOP of experts, latent attention and windows add up to the model's", "[workload]") {
  // Over all GPUs that share a micro-batch: layers of both kinds and the head are 6 N; the attention forward is a third
  // of the model's. With ep, other GPUs' tokens come in for those that leave.
  const auto [id, text] = GENERATE(table<const char*, const char*>({
      {"mixtral-8x7b", "gbs=1 seq=4096"},
      {"mixtral-8x7b", "tp=2 sp=1 ep=4 gbs=1 seq=4096"},
      {"qwen3-235b-a22b", "tp=4 sp=1 ep=32 gbs=1 seq=4096 precision=fp8"},
      {"deepseek-v3", "ep=64 gbs=1 seq=4096"},
      {"deepseek-v3", "tp=2 sp=1 cp=2 ep=8 gbs=1 seq=4096 zero=3"},
      {"mistral-7b", "tp=2 gbs=1 seq=8192"},
      {"llama3-70b", "tp=2 sp=1 cp=4 gbs=1 seq=32768"},
  }));
  INFO(id << " " << text);
  const Model model = shipped(id);
  const Strategy strategy = parse_strategy(text);
  const int gpus = strategy.tp * strategy.cp;
  const double tokens = strategy.sequence;
  double gemms = gemm_flops(head_forward(model, strategy)) + gemm_flops(head_backward(model, strategy));
  double forward = 0;
  double backward = 0;
  const auto add = [&](LayerKind kind, int layers) {
    if (layers == 0) return;
    gemms +=
        layers * (gemm_flops(layer_forward(model, strategy, kind)) + gemm_flops(layer_backward(model, strategy, kind)));
    forward += layers * attention_flops(layer_forward(model, strategy, kind));
    backward += layers * attention_flops(layer_backward(model, strategy, kind));
  };
  add(LayerKind::dense, model.dense_layers());
  add(LayerKind::experts, model.layers - model.dense_layers());
  const double six_n = model_flops_per_token(model, strategy.sequence, FlopConvention::six_n).in(flop);
  // Under tensor parallelism every GPU takes its own tokens down into latent attention and through the router.
  CHECK_THAT(gemms * gpus / tokens, WithinRel(six_n, 3e-4));
  const double attention = model_flops_per_token(model, strategy.sequence).in(flop)-six_n;
  CHECK_THAT(forward * gpus / tokens, WithinRel(attention / 3, 1e-9));
  CHECK_THAT(backward, WithinRel(2.5 * forward, 1e-9));
}

TEST_CASE("operators: unfused attention computes the whole square", "[workload]") {
  // QK^T and PV are 4 s^2 h forward and 8 s^2 h backward, masked half included; selective recomputation runs the two
  // again. Products of the linear layers come besides.
  const Model model = gpt3_175b();
  const Strategy flash = parse_strategy("gbs=1 seq=2048");
  const Strategy unfused = parse_strategy("gbs=1 seq=2048 attention=unfused recompute=selective dropout=1");
  const double square = 2048.0 * 2048 * 12288;
  CHECK_THAT(gemm_flops(layer_forward(model, unfused)) - gemm_flops(layer_forward(model, flash)),
             WithinRel(4 * square, 1e-12));
  CHECK_THAT(gemm_flops(layer_backward(model, unfused)) - gemm_flops(layer_backward(model, flash)),
             WithinRel(8 * square, 1e-12));
  CHECK_THAT(gemm_flops(layer_recompute(model, unfused)), WithinRel(4 * square, 1e-12));
  CHECK(attention_flops(layer_forward(model, unfused)) == 0);
}

TEST_CASE("operators: ring attention passes keys and values cp - 1 times, backward with their gradients",
          "[workload]") {
  // Llama 3 70B, tp 8: one key-value head of 128 a GPU; 32768 tokens over cp = 4 are 8192: K and V are 2 x 8192 x 128
  // in 2 B, 4 MiB. Forward 3 of them; backward 1 + 2 + 2, and the gradients go home.
  const Strategy strategy = parse_strategy("tp=8 sp=1 cp=4 gbs=1 seq=32768");
  const auto passed = [&](const Operators& list) {
    double sum = 0;
    for (const Operator& op : list) sum += op.group == Group::context ? op.message.in(byte) : 0;
    return sum;
  };
  const double once = 2 * 8192.0 * 128 * 2;
  CHECK(passed(layer_forward(llama3_70b(), strategy)) == 3 * once);
  CHECK(passed(layer_backward(llama3_70b(), strategy)) == 6 * once);
}

TEST_CASE("operators: experts exchange every token for each of its experts, there and back", "[workload]") {
  // DeepSeek-V3: 4096 tokens x 8 experts x 7168 in 2 B, dispatch and combine, the same backward.
  const Strategy strategy = parse_strategy("ep=64 gbs=1 seq=4096");
  const Model model = shipped("deepseek-v3");
  const double once = 4096.0 * 8 * 7168 * 2;
  CHECK(messages(layer_forward(model, strategy)) == 2 * once);
  CHECK(messages(layer_backward(model, strategy)) == 2 * once);
  CHECK(messages(layer_forward(model, strategy, LayerKind::dense)) == 0);
  CHECK(messages(layer_forward(model, parse_strategy("gbs=1 seq=4096"))) == 0);
}

TEST_CASE("operators: by node, a token crosses the network once for each node that has an expert of it", "[workload]") {
  // Of 8 experts in 8, all of them: every node. One expert a token: one node. DeepSeek-V3 on 8 nodes: routing allows 4
  // (arXiv:2412.19437, section 2.1.2), where 8 of 256 drawn evenly would touch 8 (1 - C(224,8)/C(256,8)) = 5.3.
  Model model = shipped("deepseek-v3");
  const auto crossing = [&](const std::string& text) {
    double sum = 0;
    for (const Operator& op : layer_forward(model, parse_strategy("gbs=1 seq=4096 " + text))) {
      sum += op.crossing.in(byte);
    }
    return sum / (2 * 2 * 4096.0 * 7168);
  };
  CHECK_THAT(crossing("ep=64 ep_local=8"), WithinRel(4, 1e-12));
  CHECK(crossing("ep=64") == 0);
  CHECK(crossing("ep=8 ep_local=8") == 0);
  model.experts->groups = 0;
  CHECK_THAT(crossing("ep=64 ep_local=8"), WithinAbs(5.3, 0.05));
  model.experts->per_token = 1;
  CHECK_THAT(crossing("ep=64 ep_local=8"), WithinRel(1, 1e-12));
  model.experts->per_token = 256;
  CHECK_THAT(crossing("ep=64 ep_local=8"), WithinRel(8, 1e-12));
}

TEST_CASE("operators: only FP8 products of the backward pass use split accumulators", "[workload]") {
  const Model model = llama3_70b();
  const auto split = [](const Operators& list) {
    return std::ranges::count_if(list, [](const Operator& op) { return op.split_accumulator; });
  };
  const Strategy fp8 = parse_strategy("gbs=1 seq=8192 precision=fp8");
  CHECK(split(layer_forward(model, fp8)) == 0);
  CHECK(split(layer_backward(model, fp8)) == 8);  // qkv, projection, fc1, fc2: data and weight gradient
  CHECK(split(layer_backward(model, parse_strategy("gbs=1 seq=8192"))) == 0);
  CHECK(split(head_backward(model, fp8)) == 0);  // logits stay in 16 bits
}

TEST_CASE("operators: the GPUs of tensor, expert and pipeline groups hold a model with experts once", "[workload]") {
  // What is not split: norms, routers and, with latent attention, the way down; with tp = 1 the sum is exact. Experts
  // are split over ep, the rest is on all of them.
  const Model model = shipped("deepseek-v3");
  const Strategy strategy = parse_strategy("ep=8 pp=4 vpp=4 gbs=16 seq=4096");
  REQUIRE(layers_divide(model, strategy));
  HeldParameters sum;
  for (int stage = 0; stage < 4; ++stage) sum += held_by_stage(model, strategy, stage);
  CHECK(sum.shared + 8 * sum.experts == model.parameters());
  // 8 GPUs of a stage: the rest is shared by all 8, an expert by 1.
  CHECK(sharded(HeldParameters{8, 5}, strategy, 32) == 1.0 + 5.0);
}

TEST_CASE("operators: biases are summed in kernels of their own where Transformer Engine does not", "[workload]") {
  // Outputs of qkv, projection, fc1 and fc2 of GPT-3 are (3 + 1 + 4 + 1) h wide, read in 2 B.
  const Model model = gpt3_175b();
  const auto summed = [&](const std::string& text) {
    double sum = 0;
    for (const Operator& op : layer_backward(model, parse_strategy("gbs=1 seq=2048 " + text))) {
      if (op.name == "bias gradient") sum += op.traffic.in(byte);
    }
    return sum;
  };
  CHECK(summed("attention=unfused") == 9 * 2 * 2048.0 * 12288);
  CHECK(summed("zero=3") == 9 * 2 * 2048.0 * 12288);
  CHECK(summed("") == 0);
  // FP8: projection and fc2 before their gradients are cast.
  CHECK(summed("precision=fp8") == 2 * 2 * 2048.0 * 12288);
}
