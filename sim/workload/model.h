// SPDX-License-Identifier: Apache-2.0
// A transformer and what one token of it costs. Data: sim/workload/models/*.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

/// Feed-forward experts in place of the MLP of a layer; a router sends each token to some of them.
struct Experts {
  int count = 0, per_token = 0, ffn_hidden = 0;
  int shared = 0;        // more of the same width that every token passes
  int dense_layers = 0;  // leading layers that keep the MLP
  // Group-limited routing: the experts lie in `groups` groups, and a token's in `groups_per_token` of them; 0 for none.
  int groups = 0, groups_per_token = 0;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): queries, keys and values come out of narrow vectors;
/// each head's query and key have `position_dim` rotary elements beside their `head_dim`.
struct LatentAttention {
  int query_rank = 0, key_value_rank = 0, position_dim = 0, value_dim = 0;
};

enum class LayerKind { dense, experts };

struct Model {
  std::string id, description, source, date;  // date: of the source
  int layers = 0, hidden = 0, ffn_hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, vocab = 0;
  int positions = 0;             // learned position embeddings; 0 for rotary
  int window = 0;                // keys that a query sees at most; 0 for all before it
  bool gated_mlp = false;        // SwiGLU: three matrices
  bool biases = false;           // linear layers and norms carry biases
  bool tied_embeddings = false;  // output matrix shared with the input embedding
  bool qk_norm = false;          // queries and keys are normed by head
  int prediction_layers = 0;     // layers that predict further tokens (MTP), counted apart and not simulated
  std::optional<Experts> experts;
  std::optional<LatentAttention> latent;

  /// All parameters, and those that 6N counts: active ones without the input embedding (and positions), logits even
  /// when tied.
  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] std::int64_t active_parameters_without_embedding() const;
  /// Of one layer: the attention with its norms, and all with it.
  [[nodiscard]] std::int64_t attention_parameters() const;
  [[nodiscard]] std::int64_t layer_parameters(LayerKind kind) const;
  [[nodiscard]] std::int64_t layer_parameters() const { return layer_parameters(main_kind()); }
  /// One expert.
  [[nodiscard]] std::int64_t expert_parameters() const;
  /// Of one norm of the hidden size.
  [[nodiscard]] std::int64_t norm_parameters() const { return std::int64_t{hidden} * (biases ? 2 : 1); }

  [[nodiscard]] LayerKind main_kind() const { return experts ? LayerKind::experts : LayerKind::dense; }
  [[nodiscard]] int dense_layers() const { return experts ? experts->dense_layers : layers; }
  /// Elements of a query or key, and of a value, of one head.
  [[nodiscard]] int query_dim() const { return head_dim + (latent ? latent->position_dim : 0); }
  [[nodiscard]] int value_dim() const { return latent ? latent->value_dim : head_dim; }
  /// Share of the scores of a sequence that is not masked: half of them, less under a sliding window.
  [[nodiscard]] double density(int sequence) const;
};

/// How a source counts FLOP; figures of ours always use causal_halved (DESIGN 5.1).
enum class FlopConvention { causal_halved, full_attention, six_n };

/// Model FLOP of one token, forward and backward; recompute never counts, nor do layers that predict further tokens.
[[nodiscard]] Flops model_flops_per_token(const Model& model, int sequence,
                                          FlopConvention convention = FlopConvention::causal_halved);
/// What those layers add (DeepSeek-V3, arXiv:2412.19437, 2.2: two norms, a projection of twice the hidden size, a layer
/// and the logits again).
[[nodiscard]] Flops prediction_flops_per_token(const Model& model, int sequence);

[[nodiscard]] Model read_model(const YamlDocument& document);
[[nodiscard]] std::vector<std::string> model_names(const std::filesystem::path& folder);
[[nodiscard]] Model load_model(const std::filesystem::path& folder, std::string_view id);

}  // namespace railyard
