// SPDX-License-Identifier: Apache-2.0
#include "sim/study/validate.h"

#include "base/files.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

TEST_CASE("validate: median, nearest-rank 90th percentile and bias of known errors", "[study]") {
  // |errors| sorted: 1 2 3 4 5 6 7 8 9 10 %; the median is 5.5, rank ceil(0.9 x 10) is 9, the mean of signed errors
  // -0.5 %.
  const ValidationSummary summary = summarize({0.01, -0.02, 0.03, -0.04, 0.05, -0.06, 0.07, -0.08, 0.09, -0.10});
  CHECK(summary.count == 10);
  CHECK_THAT(summary.median_abs_error, WithinRel(0.055, 1e-12));
  CHECK_THAT(summary.p90_abs_error, WithinRel(0.09, 1e-12));
  CHECK_THAT(summary.bias, WithinAbs(-0.005, 1e-12));
  CHECK(summarize({}).count == 0);
}

TEST_CASE(
    "validate: the GPT-3 rows of MLPerf are all simulated, and doubling a measurement does not move its prediction",
    "[study]") {
  const std::string name = std::string(RAILYARD_SOURCE_DIR) + "/examples/mlperf-gpt3/measured.csv";
  CsvFile file = parse_csv(read_file(name), name);
  const ValidationTarget target{"ndr-rail", "h100", "h100-cuda"};
  const Validation validation = validate_training(file, target, shipped());
  REQUIRE(validation.cases.size() == 7);
  CHECK(validation.skipped.empty());

  file.records.front().cells["value"] = "24.148";
  const Validation doubled = validate_training(file, target, shipped());
  CHECK(doubled.cases.front().predicted == validation.cases.front().predicted);
  CHECK(doubled.cases.front().error < validation.cases.front().error);
}

TEST_CASE("validate: what is not simulated is listed with the reason, bad cells are errors with their line",
          "[study]") {
  const std::string header =
      "id,source,model,gpus,gpu_type,tp,pp,vpp,micro_batch,global_batch_seqs,seq,cp,ep,fsdp_or_zero,recompute,"
      "precision,metric,value\n";
  const ValidationTarget target{"ndr-rail", "h100", "h100-cuda"};
  const auto run = [&](const std::string& row) {
    return validate_training(parse_csv(header + row + "\n", "v.csv"), target, shipped());
  };
  CHECK(run("a,s,gpt3-175b,512,A100,4,8,12,1,2048,2048,1,1,zero1,none,bf16,step_time_s,12").skipped.front().reason ==
        "GPU A100");
  CHECK(run("a,s,gpt3-175b,512,H100,4,8,12,1,2048,2048,1,1,lora,none,bf16,step_time_s,12").skipped.front().reason ==
        "lora is not supported yet");
  CHECK(run("a,s,gpt3-175b,512,H100,4,8,12,1,2048,2048,1,1,zero1,none,mxfp8,step_time_s,12").skipped.front().reason ==
        "precision mxfp8 is not supported yet");
  CHECK(run("a,s,gpt3-175b,512,H100,4,8,12,1,2048,2048,1,1,zero1,none,bf16,time_to_train_min,12")
            .skipped.front()
            .reason == "metric time_to_train_min");
  CHECK_THROWS_WITH(run("a,s,gpt3-175b,512,H100,four,8,12,1,2048,2048,1,1,zero1,none,bf16,step_time_s,12"),
                    "v.csv:2:1: error: tp: found 'four'\n   expected a whole number above zero\n");
  CHECK_THROWS_WITH(validate_training(parse_csv("id,source\n", "v.csv"), target, shipped()),
                    ContainsSubstring("the column 'model' is missing"));
}

TEST_CASE("validate: tokens a second and GPU are the time of a step by the tokens of its batch", "[study]") {
  // 16 sequences of 8192 tokens on 16 GPUs at 4096 tokens a second each: 2 s.
  const std::string header =
      "id,source,model,gpus,gpu_type,tp,pp,vpp,micro_batch,global_batch_seqs,seq,cp,ep,fsdp_or_zero,recompute,"
      "precision,metric,value\n";
  const std::string row = "a,s,llama3-8b,16,H100,1,1,1,1,16,8192,1,1,fsdp_full (zero3),full,bf16,";
  const auto run = [&](const std::string& metric) {
    return validate_training(parse_csv(header + row + metric + "\n", "v.csv"), {"ndr-rail", "h100", "h100-cuda"},
                             shipped());
  };
  const Validation tokens = run("tokens_per_s_per_gpu,4096");
  REQUIRE(tokens.cases.size() == 1);
  CHECK_THAT(tokens.cases.front().published.measured.in(second), WithinRel(2, 1e-12));
  CHECK(tokens.cases.front().published.strategy.zero == 3);
  CHECK(tokens.cases.front().error == run("step_time_s,2").cases.front().error);
}

TEST_CASE("validate: a target that nothing can run on is an error, a table of nothing says so", "[study]") {
  const CsvFile empty = parse_csv("id,source,model,gpus,gpu_type,precision,metric,value\n", "v.csv");
  const auto run = [&](const ValidationTarget& target) { return validate_training(empty, target, shipped()); };
  CHECK_THROWS_WITH(run({"ndr-rail", "h100", "mi300x-rocm-vip"}),
                    ContainsSubstring("was measured on mi300x, not on h100"));
  CHECK_THROWS_WITH(run({"hdr-rail", "h100", "h100-cuda"}), ContainsSubstring("h100"));
  CHECK_THROWS_WITH(run({"ndr-rail", "h100", "h100-cuda"}), ContainsSubstring("no rows below the header"));
}
