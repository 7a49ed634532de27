// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/outside_samples.h"

#include <set>

namespace railyard {

std::vector<std::string> outside_samples(const Profile& profile, const Model& model, const Strategy& strategy) {
  std::vector<Operators> lists{head_forward(model, strategy), head_backward(model, strategy)};
  std::set<LayerKind> kinds{model.main_kind()};
  if (model.dense_layers() > 0) kinds.insert(LayerKind::dense);
  for (const LayerKind kind : kinds) {
    lists.push_back(layer_forward(model, strategy, kind));
    lists.push_back(layer_backward(model, strategy, kind));
  }
  const int head_dim = (model.query_dim() + model.value_dim()) / 2;
  std::vector<std::string> sentences;
  std::set<std::string> told;
  for (const Operators& list : lists) {
    for (const Operator& each : list) {
      std::string sentence;
      if (each.kind == OperatorKind::gemm) sentence = profile.outside_samples(each.precision, each.gemm);
      if (each.kind == OperatorKind::attention_forward || each.kind == OperatorKind::attention_backward) {
        sentence = profile.outside_samples(head_dim, each.keys);
      }
      if (sentence.empty() || !told.insert(std::string(each.name)).second) continue;
      sentences.push_back(std::string(each.name) + ": " + sentence);
    }
  }
  return sentences;
}

}  // namespace railyard
