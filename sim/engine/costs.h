// SPDX-License-Identifier: Apache-2.0
// Times of the operators of one GPU: laws and network applied to the lists of sim/workload, and their sums by cause.
#pragma once

#include <string_view>
#include <vector>

#include "calibrate/profile/profile.h"
#include "sim/engine/communication.h"
#include "sim/engine/step.h"
#include "sim/workload/operators.h"

namespace railyard {

/// Times of a segment, or their sum over many, in seconds.
struct WorkCost {
  double compute = 0;    // at the pace of an average GPU
  double straggler = 0;  // more, because the job waits for its slowest GPU
  double host = 0;       // kernel gaps
  // Traffic of the tensor, context and expert groups that is not hidden, and what hidden traffic slows the kernel
  // above.
  double tp = 0, cp = 0, ep = 0;
  double active = 0;  // time in which kernels run
  double paired = 0;  // of that, time in which such traffic runs beside them
  [[nodiscard]] double total() const { return compute + straggler + host + tp + cp + ep; }
  double& traffic_of(Group group);
  WorkCost& operator+=(const WorkCost& other);
  friend WorkCost operator*(WorkCost cost, double factor);
};

/// An operator with its times in seconds, or a kernel with the collective hidden under it: `head` runs alone, then
/// `beside` and `traffic` run together, then `tail`. `gap` is the host's, before the kernel.
struct Segment {
  std::string_view name, traffic_name;
  double gap = 0, head = 0, beside = 0;  // compute queue; head and beside at the pace of the job's slowest GPU
  double traffic = 0, tail = 0;          // tensor queue
  Group group = Group::tensor;           // of the traffic
  WorkCost cost;
};
using Segments = std::vector<Segment>;

/// Factor on compute: the expected slowest of `gpus` GPUs whose speeds are normal with the laws' spread. Expected
/// maximum of n standard normals by Blom (1958): quantile of (n - 3/8) / (n + 1/4).
[[nodiscard]] double straggler_factor(const Laws& laws, int gpus);

/// All work of one kind (a layer's forward pass, ...).
struct Work {
  Segments segments;
  WorkCost cost;
};

/// Which part of the step's breakdown traffic of a group belongs to.
[[nodiscard]] Part part_of(Group group);

/// What the chunks of a strategy are made of. Depends on tp, sp, cp, ep, micro-batch, sequence, precision, recompute,
/// attention, gradients, whether they are sharded, and overlap; not on pp, vpp or the batch.
struct StepCosts {
  StepCosts(const Model& model, const Strategy& strategy, const Laws& laws, const Communication& communication,
            int gpus);
  double slowest = 1;                  // straggler factor
  Work layer_forward, layer_backward;  // of the main kind; the latter with what is recomputed
  Work dense_forward, dense_backward;  // of dense layers in front of those with experts
  Work embedding_forward, embedding_backward, head_forward, head_backward;

  [[nodiscard]] const Work& layer(LayerKind kind, bool forward) const;

 private:
  LayerKind main_;
};

/// Cost of one pass of one micro-batch through so many layers, with the embedding (`first`) and the head (`last`).
[[nodiscard]] WorkCost chunk_cost(const StepCosts& costs, ChunkLayers layers, bool first, bool last, bool forward);

}  // namespace railyard
