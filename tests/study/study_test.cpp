// SPDX-License-Identifier: Apache-2.0
#include "sim/study/study.h"

#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

namespace {
std::string message_of(const std::string& text) {
  try {
    (void)Study(YamlDocument::parse(text, "s.yaml"), shipped());
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
}  // namespace

TEST_CASE("study: a value replaced by its key path changes just that", "[study]") {
  const Study study(YamlDocument::parse(small_study(), "s.yaml"), shipped());
  const Study changed = study.with("owner.wacc", "20 %/year effective", shipped());
  CHECK(changed.owner().wacc.value.typical.per_year == Approx(0.20));
  CHECK(study.owner().wacc.value.typical != changed.owner().wacc.value.typical);
  CHECK(changed.clusters()[0].design == study.clusters()[0].design);
  CHECK(changed.fingerprint() != study.fingerprint());

  const Study sizes = study.with("gpus", "[64, 128]", shipped()).with("clusters[1].name", "C", shipped());
  CHECK(sizes.gpus() == std::vector<int>{64, 128});
  CHECK(sizes.clusters()[1].name == "C");
}

TEST_CASE("study: a replacement is checked as a file is, and named in the message", "[study]") {
  const Study study(YamlDocument::parse(small_study(), "s.yaml"), shipped());
  CHECK_THROWS_WITH(
      study.with("clusters[0].design", "ndr-rial", shipped()),
      ContainsSubstring("clusters[0].design=ndr-rial:1:1: error: clusters[0].design: unknown design 'ndr-rial'") &&
          ContainsSubstring("did you mean 'ndr-rail'?"));
  CHECK_THROWS_WITH(study.with("owner.wac", "3", shipped()), ContainsSubstring("did you mean 'wacc'?"));
  CHECK_THROWS_WITH(study.with("clusters[7].gpu", "h100", shipped()), ContainsSubstring("'clusters' has no item 7"));
}

TEST_CASE("study: wrong names, units and counts are answered with place and remedy", "[study]") {
  CHECK_THAT(message_of(replaced(small_study(), "gpu: h100", "gpu: h1000")),
             ContainsSubstring("s.yaml:7:38: error: clusters[0].gpu: unknown GPU 'h1000'") &&
                 ContainsSubstring("did you mean 'h100'?"));
  CHECK_THAT(message_of(replaced(small_study(), "512 sequence", "512.5 sequence")),
             ContainsSubstring("expected a whole number of sequences above zero, such as '2048 sequence'"));
  CHECK_THAT(message_of(replaced(small_study(), "512 sequence", "512 tokens")),
             ContainsSubstring("workload.global_batch: found '512 tokens'"));
  CHECK_THAT(message_of(replaced(small_study(), "buyer: neocloud", "buyer: neocloud, colo: 184 $/kWh")),
             ContainsSubstring("owner.colo: found '184 $/kWh'") && ContainsSubstring("184 $/kW/month"));
  CHECK_THAT(message_of(replaced(small_study(), "name: B", "name: A")),
             ContainsSubstring("two clusters have this name"));
  CHECK_THAT(message_of(replaced(small_study(), "[512]", "[512, 512]")), ContainsSubstring("a count stands twice"));
  CHECK_THAT(message_of(replaced(small_study(), "gpus: [512]", "gpus: []")), ContainsSubstring("found an empty list"));
  CHECK_THAT(message_of(replaced(small_study(), "precision: bf16", "precision: fp32")),
             ContainsSubstring("expected one of: bf16, fp8, fp16"));
}

TEST_CASE("study: a strategy may not contradict the workload", "[study]") {
  const std::string with_strategy =
      replaced(small_study(), "profile: h100-cuda", "profile: h100-cuda, strategy: tp=8 pp=2 mbs=1 seq=4096");
  CHECK_THAT(message_of(with_strategy), ContainsSubstring("seq, gbs or precision differ from the workload's"));
}

TEST_CASE("study: what is not possible is told while reading, at its place", "[study]") {
  CHECK_THAT(message_of(replaced(small_study(), "profile: h100-cuda", "profile: mi300x-rocm-vip")),
             ContainsSubstring(
                 "s.yaml:7:53: error: clusters[0].profile: the profile 'mi300x-rocm-vip' was measured on mi300x"));
  CHECK_THAT(message_of(replaced(small_study(), "[512]", "[512, 12]")),
             ContainsSubstring("clusters[0].gpu: 12 GPUs are no whole nodes of 8") && ContainsSubstring("use 8 or 16"));
  CHECK_THAT(message_of(replaced(small_study(), "design: ndr-rail", "design: hdr-rail")),
             ContainsSubstring("clusters[0].gpu:"));
  CHECK_THAT(
      message_of(replaced(small_study(), "profile: h100-cuda", "profile: h100-cuda, strategy: tp=3 pp=1 mbs=1")),
      ContainsSubstring("clusters[0].strategy: the strategy") && ContainsSubstring("is not possible on 512 GPUs"));
  CHECK_THAT(message_of(replaced(small_study(), "profile: h100-cuda",
                                 "profile: h100-cuda, strategy: tp=8 pp=4 mbs=1 precision=fp8")),
             ContainsSubstring("seq, gbs or precision differ"));
}

TEST_CASE("study: the keys of a strategy's text", "[study]") {
  CHECK(strategy_keys(" tp=8  vpp=2 gbs=64") == std::vector<std::string>{"tp", "vpp", "gbs"});
  CHECK(strategy_keys("").empty());
}

TEST_CASE("study: the starter study is valid", "[study]") {
  const Study study(YamlDocument::parse(starter_study(), "study.yaml"), shipped());
  CHECK(study.clusters().size() == 2);
}
