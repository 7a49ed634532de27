// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/outside_samples.h"

#include "tests/catch.h"
#include "tests/study/fixture.h"

namespace railyard {
namespace {

TEST_CASE("outside samples: a step beyond the samples names operator, size and range", "[calibration]") {
  Profile profile = shipped().profile("h100-cuda");
  const Model model = shipped().model("llama3-70b");
  Strategy strategy = parse_strategy("tp=8 sp=1 pp=4 mbs=1 gbs=512 seq=8192 recompute=none zero=1 precision=bf16");
  // The samples of h100-cuda reach n = 65536 and k = 16384; llama's logits of one rank are 128256 / 8 wide, and its
  // largest k in a backward product is the 8192 tokens of a micro-batch or the 28672 / 8 of the MLP.
  CHECK(outside_samples(profile, model, strategy).empty());
  profile.gemm.at(Precision::bf16).fit->ranges["k"] = {4096, 16384};
  const std::vector<std::string> sentences = outside_samples(profile, model, strategy);
  REQUIRE_FALSE(sentences.empty());
  for (const std::string& sentence : sentences) {
    CHECK_THAT(sentence, ContainsSubstring("bf16 GEMM law of 'h100-cuda'") && ContainsSubstring("(4096 to 16384)"));
  }
  profile.attention.at(128).fit->ranges["sequence"] = {512, 4096};
  const std::vector<std::string> more = outside_samples(profile, model, strategy);
  CHECK(more.size() > sentences.size());
}

}  // namespace
}  // namespace railyard
