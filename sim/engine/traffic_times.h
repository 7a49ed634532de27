// SPDX-License-Identifier: Apache-2.0
// Seconds of the traffic and the once-a-step work of a strategy, each asked for once.
#pragma once

#include <string_view>
#include <vector>

#include "sim/engine/costs.h"

namespace railyard {

struct StepTraffic {
  StepTraffic(const Model& model, const Strategy& strategy, const Laws& laws, const Communication& communication,
              double slowest, int gpus);

  /// Of one stage, for each chunk, or as one message when nothing overlaps. A chunk's parameters travel as one bucket,
  /// those of the first chunk of the model as one for each layer, as in Megatron-Core (training.py turns bucketing off
  /// for other chunks, whose traffic hides under the pipeline anyway).
  struct Stage {
    std::vector<std::vector<double>> reduce, gather;  // gradients, parameters; by chunk and bucket
    double reduce_all = 0, gather_all = 0;
    std::vector<double> cast;  // FP8 copies of the weights, once a step, by chunk
    double norm = 0;           // reading the gradients
    double optimizer = 0;
  };
  std::vector<Stage> stages;
  /// Of one unit when every micro-batch reduces its gradients (ZeRO-2 and 3): layers by kind, and what lies outside
  /// them.
  struct Unit {
    double gather = 0, reduce = 0;
  };
  Unit dense, experts, edge;
  [[nodiscard]] const Unit& layer(LayerKind kind) const { return kind == LayerKind::dense ? dense : experts; }
  double send = 0;       // activations or their gradients of one micro-batch to the neighbouring stage
  double norm = 0;       // all-reduce of the gradient norm over the job
  double embedding = 0;  // tied embedding: gradients summed between first and last stage
  double slowest = 1, gap = 0;
  std::string_view dp_algorithm;
};

}  // namespace railyard
