// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/operators.h"
#include "tests/catch.h"
#include "tests/workload/models.h"

using namespace railyard;

namespace {

// Per layer in units of s b h bytes. Log-sums of attention rows, 4 / head_dim of a unit, are not in the paper.
double sbh(const Model& model, const std::string& text) {
  const Strategy strategy = parse_strategy(text);
  const double one = static_cast<double>(strategy.sequence) * strategy.micro_batch * model.hidden;
  return layer_activations(model, strategy).in(byte) / one;
}

}  // namespace

TEST_CASE("memory: activations of a GPT layer are Korthikanti's without masks and scores", "[workload]") {
  // arXiv:2205.05198, section 4: s b h (34 + 5 a s / h) on one GPU. Attention that keeps no scores leaves 34, of which
  // 2 are the two dropout masks that GPT-3 of MLPerf does not have. Table 2: tensor parallelism 10 + 24/t (8 + 24/t
  // without masks), with sequence parallelism 34/t, full recomputation 2 (2/t with sequence parallelism).
  const Model model = gpt3_175b();
  const double log_sums = 4.0 / 128;
  CHECK_THAT(sbh(model, "tp=1 gbs=1 seq=2048"), WithinRel(32 + log_sums, 1e-12));
  CHECK_THAT(sbh(model, "tp=8 mbs=2 gbs=2 seq=2048"), WithinRel(8 + (24 + log_sums) / 8, 1e-12));
  CHECK_THAT(sbh(model, "tp=8 sp=1 gbs=1 seq=2048"), WithinRel((32 + log_sums) / 8, 1e-12));
  CHECK_THAT(sbh(model, "tp=8 sp=1 gbs=1 seq=2048 recompute=selective"), WithinRel(32.0 / 8, 1e-12));
  CHECK_THAT(sbh(model, "tp=8 gbs=1 seq=2048 recompute=full"), WithinRel(2, 1e-12));
  CHECK_THAT(sbh(model, "tp=8 sp=1 gbs=1 seq=2048 recompute=full"), WithinRel(2.0 / 8, 1e-12));
}

TEST_CASE("memory: FP8 keeps GEMM inputs at one byte", "[workload]") {
  // Norm inputs 2 + 2; GEMM inputs 1 + 1 (norms), 1 (projection), 4 (fc2); queries, keys, values, output 8; GELU
  // input 8.
  CHECK_THAT(sbh(gpt3_175b(), "tp=4 sp=1 gbs=1 seq=2048 precision=fp8"),
             WithinRel((2 + 2 + 1 + 1 + 1 + 4 + 8 + 8 + 4.0 / 128) / 4, 1e-12));
}

TEST_CASE("memory: the first stage holds as many micro-batches as the pipeline is deep", "[workload]") {
  // 1F1B: stages - s. Interleaved, first stage: 2 (p - 1) + (v - 1) p + 1 chunks, that is p (1 + (p-1)/(p v)) micro-
  // batches (arXiv:2205.05198, section 4.2.3) as p v (1 + (p-1)/(p v)) = p v + p - 1 chunks.
  const Strategy plain = parse_strategy("pp=8 gbs=64 seq=2048");
  CHECK(chunks_in_flight(plain, 8, 0) == 8);
  CHECK(chunks_in_flight(plain, 8, 7) == 1);
  CHECK(chunks_in_flight(parse_strategy("pp=8 gbs=4 seq=2048"), 8, 0) == 4);
  const Strategy interleaved = parse_strategy("pp=8 vpp=12 gbs=128 seq=2048");
  CHECK(chunks_in_flight(interleaved, 8, 0) == 8 * 12 + 8 - 1);
  CHECK(chunks_in_flight(interleaved, 8, 7) == 11 * 8 + 1);
}

TEST_CASE("memory: weights, gradients and optimizer of mixed precision are 18 bytes a parameter", "[workload]") {
  // Rajbhandari et al. (arXiv:1910.02054) count 16 with BF16 gradients; Megatron's FP32 gradients add 2. ZeRO-1 divides
  // the 12 of the optimizer.
  const Model model = llama3_70b();
  const Strategy strategy = parse_strategy("tp=8 sp=1 pp=4 gbs=64 seq=8192");
  const auto parameters = static_cast<double>(stage_parameters(model, strategy, 1));
  const MemoryUse use = memory_use(model, strategy, 256, 1);
  CHECK_THAT(use.weights.in(byte), WithinRel(2 * parameters, 1e-12));
  CHECK_THAT(use.gradients.in(byte), WithinRel(4 * parameters, 1e-12));
  CHECK_THAT(use.optimizer.in(byte), WithinRel(12 * parameters / 8, 1e-12));
  CHECK(use.total() == use.weights + use.gradients + use.optimizer + use.activations + use.workspace);
}

TEST_CASE("memory: more recomputation never needs more, and the peak is some stage's", "[workload]") {
  const Model model = llama3_70b();
  Bytes before;
  for (const char* recompute : {"full", "selective", "none"}) {
    const Strategy strategy =
        parse_strategy(std::string("tp=8 sp=1 pp=8 vpp=5 gbs=256 seq=8192 recompute=") + recompute);
    const Bytes peak = peak_memory(model, strategy, 1024).total();
    CHECK(peak >= before);
    before = peak;
    for (int stage = 0; stage < 8; ++stage) CHECK(memory_use(model, strategy, 1024, stage).total() <= peak);
  }
}

TEST_CASE("memory: GPT-3 on 512 GPUs of 80 GB fits as MLPerf ran it", "[workload]") {
  // mlcommons/training_results_v3.0: tp 4, pp 8, vpp 12 without recomputation ran on 80 GB.
  const Strategy strategy =
      parse_strategy("tp=4 sp=1 pp=8 vpp=12 gbs=2048 seq=2048 precision=fp8 grad=bf16 tp_overlap=1");
  const double peak = peak_memory(gpt3_175b(), strategy, 512).total().in(gigabyte);
  CHECK(peak < 80);
  CHECK(peak > 40);
}
