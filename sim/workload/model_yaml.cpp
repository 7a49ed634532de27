// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "sim/workload/model.h"

namespace railyard {
namespace {

// Far above any model, and low enough for products of all of them to be counted.
constexpr std::int64_t most_of_layers = 1 << 12;
constexpr std::int64_t most_of_width = 1 << 18;
constexpr std::int64_t most_of_tokens = 1 << 27;

int count(YamlMap& map, std::string_view key, std::int64_t most) { return static_cast<int>(map.integer(key, 1, most)); }
int count_or_none(YamlMap& map, std::string_view key, std::int64_t most) {
  return static_cast<int>(map.integer(key, 0, most, 0));
}

Experts read_experts(YamlMap& map, int layers) {
  Experts experts;
  experts.count = count(map, "count", most_of_layers);
  experts.per_token = count(map, "per_token", most_of_layers);
  experts.ffn_hidden = count(map, "ffn_hidden", most_of_width);
  experts.shared = count_or_none(map, "shared", most_of_layers);
  experts.dense_layers = count_or_none(map, "dense_layers", most_of_layers);
  experts.groups = count_or_none(map, "groups", most_of_layers);
  if (experts.groups > 0) experts.groups_per_token = count(map, "groups_per_token", most_of_layers);
  if (experts.per_token > experts.count) {
    map.fail("per_token", "a token cannot pass more experts than there are", "at most count");
  }
  if (experts.groups > 0 && experts.groups_per_token > experts.groups) {
    map.fail("groups_per_token", "a token cannot use more groups than there are", "at most groups");
  }
  if (experts.dense_layers >= layers && layers > 0) {
    map.fail("dense_layers", "no layer is left for the experts", "fewer than layers");
  }
  map.finish();
  return experts;
}

LatentAttention read_latent(YamlMap& map) {
  LatentAttention latent;
  latent.query_rank = count(map, "query_rank", most_of_width);
  latent.key_value_rank = count(map, "key_value_rank", most_of_width);
  latent.position_dim = count(map, "position_dim", most_of_width);
  latent.value_dim = count(map, "value_dim", most_of_width);
  map.finish();
  return latent;
}

Evidence read_source(YamlMap& map) {
  const std::string source = map.text("source");
  const Sources sources = map.sources();
  if (const auto found = sources.find(source); found != sources.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, evidence] : sources) names.push_back(name);
  map.fail_unknown("source", "source", names);
  return {};
}

}  // namespace

Model read_model(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap map = document.root(diagnostics);
  Model model;
  model.description = map.text("description");
  const Evidence evidence = read_source(map);
  model.source = evidence.source;
  model.date = evidence.date;
  model.layers = count(map, "layers", most_of_layers);
  model.hidden = count(map, "hidden", most_of_width);
  model.heads = count(map, "heads", most_of_layers);
  model.kv_heads = count(map, "kv_heads", most_of_layers);
  model.head_dim = count(map, "head_dim", most_of_layers);
  model.vocab = count(map, "vocab", most_of_tokens);
  model.positions = count_or_none(map, "positions", most_of_tokens);
  model.window = count_or_none(map, "window", most_of_tokens);
  model.gated_mlp = map.flag("gated_mlp", false);
  model.biases = map.flag("biases", false);
  model.tied_embeddings = map.flag("tied_embeddings", false);
  model.qk_norm = map.flag("qk_norm", false);
  model.prediction_layers = count_or_none(map, "prediction_layers", most_of_layers);
  if (auto experts = map.optional_map("experts")) model.experts = read_experts(*experts, model.layers);
  if (auto latent = map.optional_map("latent_attention")) model.latent = read_latent(*latent);
  if (model.dense_layers() > 0) model.ffn_hidden = count(map, "ffn_hidden", most_of_width);
  if (model.kv_heads > 0 && model.heads % model.kv_heads != 0) {
    map.fail("kv_heads", "the heads are no multiple of the key-value heads", "a divisor of heads");
  }
  if (model.biases && (model.experts || model.latent)) {
    map.fail("biases", "experts and latent attention have no biases here", "no biases");
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
