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

TEST_CASE("strategy: what cannot be read is refused with the remedy", "[workload]") {
  CHECK(refusal("tp=8 precison=fp8") ==
        "error: strategy: unknown key 'precison'\n"
        "   expected one of: tp, sp, pp, vpp, cp, ep, mbs, gbs, seq, recompute, zero, precision, grad, tp_overlap, "
        "dp_overlap; did you mean 'precision'?\n");
  CHECK_THAT(refusal("tp=8 tp=4"), ContainsSubstring("tp is given twice"));
  CHECK_THAT(refusal("tp=0"), ContainsSubstring("tp=0 is not possible") && ContainsSubstring("at least 1"));
  CHECK_THAT(refusal("tp=8x"), ContainsSubstring("tp=8x is not possible"));
  CHECK_THAT(refusal("cp=2"), ContainsSubstring("only cp=1 is simulated"));
  CHECK_THAT(refusal("zero=3"), ContainsSubstring("from 0 to 1"));
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
