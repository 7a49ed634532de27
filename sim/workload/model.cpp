// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/model.h"

#include "base/files.h"

namespace railyard {

std::int64_t Model::layer_parameters() const {
  const std::int64_t width = hidden;
  const std::int64_t ffn = ffn_hidden;
  const std::int64_t inner = static_cast<std::int64_t>(heads) * head_dim;
  const std::int64_t qkv = (static_cast<std::int64_t>(heads) + std::int64_t{2} * kv_heads) * head_dim;
  const std::int64_t matrices = width * qkv + inner * width + (gated_mlp ? 3 : 2) * width * ffn;
  const std::int64_t norms = 2 * width * (biases ? 2 : 1);
  const std::int64_t bias_terms = biases ? qkv + width + ffn * (gated_mlp ? 2 : 1) + width : 0;
  return matrices + norms + bias_terms;
}

std::int64_t Model::active_parameters_without_embedding() const {
  const std::int64_t width = hidden;
  return layers * layer_parameters() + width * (biases ? 2 : 1) + vocab * width;
}

std::int64_t Model::parameters() const {
  const std::int64_t width = hidden;
  return active_parameters_without_embedding() + positions * width + (tied_embeddings ? 0 : vocab * width);
}

Flops model_flops_per_token(const Model& model, int sequence, FlopConvention convention) {
  const double weights = 6.0 * static_cast<double>(model.active_parameters_without_embedding());
  const double attention = 12.0 * model.layers * model.heads * model.head_dim * sequence;
  switch (convention) {
    case FlopConvention::causal_halved:
      return (weights + 0.5 * attention) * flop;
    case FlopConvention::full_attention:
      return (weights + attention) * flop;
    case FlopConvention::six_n:
      break;
  }
  return weights * flop;
}

Model read_model(const YamlDocument& document) {
  constexpr std::int64_t most = 1 << 24;
  Diagnostics diagnostics;
  YamlMap map = document.root(diagnostics);
  Model model;
  const auto count = [&map](std::string_view key) { return static_cast<int>(map.integer(key, 1, most)); };
  model.description = map.text("description");
  const std::string source = map.text("source");
  model.layers = count("layers");
  model.hidden = count("hidden");
  model.ffn_hidden = count("ffn_hidden");
  model.heads = count("heads");
  model.kv_heads = count("kv_heads");
  model.head_dim = count("head_dim");
  model.vocab = count("vocab");
  model.positions = static_cast<int>(map.integer("positions", 1, most, 0));
  model.gated_mlp = map.flag("gated_mlp", false);
  model.biases = map.flag("biases", false);
  model.tied_embeddings = map.flag("tied_embeddings", false);
  const Sources sources = map.sources();
  if (const auto found = sources.find(source); found != sources.end()) {
    model.source = found->second.source;
  } else {
    std::vector<std::string> names;
    for (const auto& [name, evidence] : sources) names.push_back(name);
    map.fail_unknown("source", "source", names);
  }
  if (model.kv_heads > 0 && model.heads % model.kv_heads != 0) {
    map.fail("kv_heads", "the heads are no multiple of the key-value heads", "a divisor of heads");
  }
  map.finish();
  diagnostics.throw_if_any();
  return model;
}

std::vector<std::string> model_names(const std::filesystem::path& folder) { return yaml_names(folder); }

Model load_model(const std::filesystem::path& folder, std::string_view id) {
  Model model = read_model(YamlDocument::load(yaml_path(folder, "model", id)));
  model.id = id;
  return model;
}

}  // namespace railyard
