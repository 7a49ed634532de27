// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/operators.h"

#include "tests/catch.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

double gemm_flops(const Operators& operators) {
  double sum = 0;
  for (const Operator& op : operators) {
    sum += 2.0 * static_cast<double>(op.gemm.m) * static_cast<double>(op.gemm.n) * static_cast<double>(op.gemm.k);
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
  CHECK_THAT(optimizer_traffic(model, parse_strategy("pp=4 gbs=8 seq=8192 zero=0"), 1, 8).in(byte),
             WithinRel(30 * parameters, 1e-12));
  CHECK_THAT(optimizer_traffic(model, parse_strategy("pp=4 gbs=8 seq=8192"), 1, 8).in(byte),
             WithinRel(30 * parameters / 8, 1e-12));
}
