// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"
#include "tests/catch.h"
#include "tests/workload/models.h"

using namespace railyard;

TEST_CASE("model: Llama 3 70B has the published 70.6 billion parameters", "[workload]") {
  // Hand: a layer is 8192*(64+2*8)*128 + 8192*8192 + 3*8192*28672 + 2*8192 = 855 654 400; 80 of them, two tables of
  // 128256*8192 and a norm are 70 553 706 496, printed as 70.6B on the model card.
  CHECK(llama3_70b().layer_parameters() == 855'654'400);
  CHECK(llama3_70b().parameters() == 70'553'706'496);
}

TEST_CASE("model: GPT-3 175B follows the parameter count of Megatron", "[workload]") {
  // P = 12 L h^2 (1 + 13/(12 h) + (V + s)/(12 L h)), Narayanan et al. (arXiv:2104.04473) eq. 2, and the final norm, 2
  // h.
  const double h = 12288;
  const double layers = 96;
  const double published = 12 * layers * h * h * (1 + 13 / (12 * h) + (51200 + 2048) / (12 * layers * h));
  CHECK_THAT(static_cast<double>(gpt3_175b().parameters()), WithinRel(published + 2 * h, 1e-12));
  CHECK_THAT(static_cast<double>(gpt3_175b().parameters()), WithinRel(174.6e9, 5e-4));  // arXiv:2005.14165, table D.1
}

TEST_CASE("model: FLOP of a token are those Megatron-Bridge and NeMo print", "[workload]") {
  // validation/training-notes.md: Bridge 449 GFLOP (causal halved), NeMo 481.6 (full attention), both at 8192 tokens.
  CHECK_THAT(model_flops_per_token(llama3_70b(), 8192).in(1e9 * flop), WithinAbs(449, 0.5));
  CHECK_THAT(model_flops_per_token(llama3_70b(), 8192, FlopConvention::full_attention).in(1e9 * flop),
             WithinAbs(481.6, 0.2));
  CHECK_THAT(model_flops_per_token(llama3_70b(), 8192, FlopConvention::six_n).in(flop),
             WithinRel(6.0 * (70'553'706'496.0 - 128256.0 * 8192.0), 1e-12));
}

TEST_CASE("model: FLOP of GPT-3 follow 72 B s L h^2 (1 + s/6h + V/12Lh)", "[workload]") {
  // Korthikanti et al. (arXiv:2205.05198), appendix A; attention in full, without norms and biases (2e-4 of the whole).
  const double h = 12288, layers = 96, s = 2048, vocab = 51200;
  const double published = 72 * layers * h * h * (1 + s / (6 * h) + vocab / (12 * layers * h));
  CHECK_THAT(model_flops_per_token(gpt3_175b(), 2048, FlopConvention::full_attention).in(flop),
             WithinRel(published, 3e-4));
}

TEST_CASE("model: logits count even when they share the embedding's matrix", "[workload]") {
  Model model = gpt3_175b();
  const Flops tied = model_flops_per_token(model, 2048);
  const std::int64_t parameters = model.parameters();
  model.tied_embeddings = false;
  CHECK(model_flops_per_token(model, 2048) == tied);
  CHECK(model.parameters() - parameters == 51200LL * 12288);
}

TEST_CASE("model: a file is read strictly", "[workload]") {
  const auto read = [](const std::string& text) { return read_model(YamlDocument::parse(text, "m.yaml")); };
  const std::string good =
      "description: d\nsource: a\nlayers: 2\nhidden: 8\nffn_hidden: 16\nheads: 4\nkv_heads: 2\nhead_dim: 2\nvocab: 10\n"
      "sources: {a: {title: T, date: 2024-01}}\n";
  CHECK(read(good).layers == 2);
  CHECK_FALSE(read(good).gated_mlp);
  CHECK_THROWS_WITH(read(good + "layer: 3\n"), ContainsSubstring("m.yaml:11:1: error: layer: unknown key") &&
                                                   ContainsSubstring("did you mean 'layers'?"));
  std::string bad = good;
  bad.replace(bad.find("kv_heads: 2"), 11, "kv_heads: 3");
  CHECK_THROWS_WITH(read(bad), ContainsSubstring("m.yaml:7:11: error: kv_heads: the heads are no multiple"));
  bad = good;
  bad.replace(bad.find("source: a"), 9, "source: b");
  CHECK_THROWS_WITH(read(bad), ContainsSubstring("m.yaml:2:9"));
  CHECK_THROWS_WITH(load_model(model_folder(), "llama3-7b"), ContainsSubstring("did you mean 'llama3-70b'?"));
}
