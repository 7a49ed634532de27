// SPDX-License-Identifier: Apache-2.0
// A transformer and what one token of it costs. Data: sim/workload/models/*.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

struct Model {
  std::string id, description, source;
  int layers = 0, hidden = 0, ffn_hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, vocab = 0;
  int positions = 0;             // learned position embeddings; 0 for rotary
  bool gated_mlp = false;        // SwiGLU: three matrices
  bool biases = false;           // linear layers and norms carry biases
  bool tied_embeddings = false;  // output matrix shared with the input embedding

  /// All parameters, and those that 6N counts: without the input embedding (and positions), logits even when tied.
  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] std::int64_t active_parameters_without_embedding() const;
  [[nodiscard]] std::int64_t layer_parameters() const;
};

/// How a source counts FLOP; figures of ours always use causal_halved (DESIGN 5.1).
enum class FlopConvention { causal_halved, full_attention, six_n };

/// Model FLOP of one token, forward and backward; recompute never counts.
[[nodiscard]] Flops model_flops_per_token(const Model& model, int sequence,
                                          FlopConvention convention = FlopConvention::causal_halved);

[[nodiscard]] Model read_model(const YamlDocument& document);
[[nodiscard]] std::vector<std::string> model_names(const std::filesystem::path& folder);
[[nodiscard]] Model load_model(const std::filesystem::path& folder, std::string_view id);

}  // namespace railyard
