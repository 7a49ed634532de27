// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"
#include "base/files.h"
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

TEST_CASE("model: shipped models have the published numbers of parameters", "[workload]") {
  // Released checkpoints: sums of their tensors' sizes (safetensors indices); DeepSeek-V3's 671 026 419 200 hold 256
  // routing biases a layer that are not trained, and no prediction layer. MPT: last column of llm-foundry's table.
  // Megatron: P = 12 L h^2 (1 + 13/(12 h) + (V + s)/(12 L h)) (arXiv:2104.04473, eq. 2) and the final norm.
  const auto [id, count] = GENERATE(table<const char*, std::int64_t>({
      {"gpt2-1.5b", 1'557'611'200},
      {"llama2-70b", 68'976'648'192},
      {"llama3-8b", 8'030'261'248},
      {"llama3-405b", 405'853'388'800},
      {"mistral-7b", 7'241'732'096},
      {"mixtral-8x7b", 46'702'792'704},
      {"mixtral-8x22b", 140'620'634'112},
      {"deepseek-v3", 671'026'419'200 - 58 * 256},
      {"qwen3-235b-a22b", 235'093'634'560},
      {"mpt-1b", 1'315'950'592},
      {"mpt-3b", 2'651'837'440},
      {"mpt-7b", 6'658'859'008},
      {"mpt-13b", 12'853'954'560},
      {"mpt-30b", 29'975'214'080},
      {"mpt-70b", 64'862'437'376},
      {"mpt-3b-64k", 2'814'366'720},
      {"mpt-7b-64k", 6'918'905'856},
      {"megatron-22b", 22'074'273'792},
      {"megatron-530b", 529'600'819'200},
      {"megatron-1t", 1'008'038'758'400},
      // Four layers of 855 654 400, two tables and a norm.
      {"llama3-70b-proxy", 4 * 855'654'400LL + 2 * 128256LL * 8192 + 8192},
  }));
  INFO(id);
  CHECK(shipped(id).parameters() == count);
}

TEST_CASE("model: parameters that a token passes are the published ones", "[workload]") {
  // Mixtral of Experts (arXiv:2401.04088): 13B; Mistral AI on 8x22B: 39B; DeepSeek-V3 (arXiv:2412.19437): 37B; Qwen3
  // (arXiv:2505.09388): 22B. All with the input embedding; printed to two figures.
  const auto [id, active] = GENERATE(table<const char*, double>(
      {{"mixtral-8x7b", 13e9}, {"mixtral-8x22b", 39e9}, {"deepseek-v3", 37e9}, {"qwen3-235b-a22b", 22e9}}));
  INFO(id);
  const Model model = shipped(id);
  const double counted = static_cast<double>(model.active_parameters_without_embedding()) +
                         static_cast<double>(model.vocab) * model.hidden;
  CHECK_THAT(counted, WithinRel(active, 0.016));
}

TEST_CASE("model: FLOP of a token are those of Megatron-Bridge for dense, latent and expert models", "[workload]") {
  // validation/training-notes.md: Llama 3 8B 51.47 and 405B 2524 GFLOP at 8192 tokens; DeepSeek-V3 at 4096 tokens 250
  // without and 260 with the prediction layer.
  CHECK_THAT(model_flops_per_token(shipped("llama3-8b"), 8192).in(1e9 * flop), WithinAbs(51.47, 0.01));
  CHECK_THAT(model_flops_per_token(shipped("llama3-405b"), 8192).in(1e9 * flop), WithinAbs(2524, 0.6));
  const Model deepseek = shipped("deepseek-v3");
  const Flops plain = model_flops_per_token(deepseek, 4096);
  CHECK_THAT(plain.in(1e9 * flop), WithinAbs(250, 0.5));
  CHECK_THAT((plain + prediction_flops_per_token(deepseek, 4096)).in(1e9 * flop), WithinAbs(260, 0.7));
  CHECK(prediction_flops_per_token(shipped("llama3-8b"), 8192) == Flops());
}

TEST_CASE("model: a sliding window leaves w(w+1)/2 + (s-w)w of s^2 scores", "[workload]") {
  // s = 4, w = 2: rows of 1, 2, 2, 2 scores are 7 of 16. A window as long as the sequence masks nothing more.
  Model model = shipped("mistral-7b");
  CHECK(model.density(4096) == 0.5);
  CHECK(model.density(8192) < 0.5);
  model.window = 2;
  CHECK(model.density(4) == 7.0 / 16);
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
  CHECK_THROWS_WITH(load_model(model_folder(), "llama3-70"), ContainsSubstring("did you mean 'llama3-70b'?"));
  // All layers with experts: no MLP to size.
  bad = good;
  bad.replace(bad.find("ffn_hidden: 16\n"), 15, "experts: {count: 4, per_token: 5, ffn_hidden: 3}\n");
  CHECK_THROWS_WITH(read(bad), ContainsSubstring("m.yaml:5:32: error: experts.per_token: a token cannot pass more"));
  bad.replace(bad.find("per_token: 5"), 12, "per_token: 2");
  CHECK(read(bad).experts->count == 4);
}

TEST_CASE("model: the example of FORMAT.md is a model", "[workload]") {
  const std::string format =
      read_file((std::filesystem::path(RAILYARD_SOURCE_DIR) / "sim" / "workload" / "FORMAT.md").string());
  const std::string fence = "```yaml\n";
  const std::size_t begin = format.find(fence) + fence.size();
  const Model written = read_model(YamlDocument::parse(format.substr(begin, format.find("```", begin) - begin), "f"));
  CHECK(written.parameters() == shipped("mixtral-8x7b").parameters());
}
