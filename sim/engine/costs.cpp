// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/costs.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace railyard {
namespace {

double normal_quantile(double probability) {
  double low = -40;
  double high = 40;
  while (high - low > 1e-12) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Time in which `compute` and `traffic` run together, each slowed by its factor, until the shorter ends.
double together(double compute, double traffic, const Laws& laws) {
  return std::min(compute * laws.compute_slowdown(), traffic * laws.collective_slowdown());
}

// Both started together, until the longer ends: what is left of the longer runs at full speed.
double both(double compute, double traffic, const Laws& laws) {
  const double shared = together(compute, traffic, laws);
  return shared +
         std::max({0.0, compute - shared / laws.compute_slowdown(), traffic - shared / laws.collective_slowdown()});
}

class Timer {
 public:
  // Queries and values of different dimension cost what their mean does.
  Timer(const Model& model, const Strategy& strategy, const Laws& laws, const Communication& communication,
        double slowest)
      : strategy_(strategy),
        laws_(laws),
        communication_(communication),
        slowest_(slowest),
        head_dim_((model.query_dim() + model.value_dim()) / 2) {}

  Work time(const Operators& operators) const {
    Work work;
    work.segments = segments(operators);
    for (Segment& segment : work.segments) {
      segment.cost = cost(segment);
      work.cost += segment.cost;
    }
    return work;
  }

 private:
  // Seconds of a kernel, or of a GEMM cut into `pieces` along its rows: small pieces fill the GPU badly, as the law
  // says and an H200 confirms (2048 rows in four pieces: law 1.06 to 1.11 times the whole, measured 1.05 to 1.11,
  // streams side by side or not; 4096 rows and more: 1.00 to 1.02, measured 0.98 to 1.10).
  double kernel(const Operator& op, int pieces) const {
    switch (op.kind) {
      case OperatorKind::gemm: {
        GemmShape piece = op.gemm;
        piece.m = std::max<std::int64_t>(1, piece.m / pieces);
        const double slowed = op.split_accumulator ? laws_.backward_slowdown(op.precision) : 1;
        const Seconds product = laws_.gemm(piece, op.precision, op.output_size) * (pieces * slowed);
        return (product + laws_.memory(op.traffic)).in(second);
      }
      case OperatorKind::attention_forward:
        return laws_.attention_forward(op.flops, op.keys, head_dim_).in(second);
      case OperatorKind::attention_backward:
        return laws_.attention_backward(op.flops, op.keys, head_dim_).in(second);
      case OperatorKind::memory:
      case OperatorKind::collective:
        break;
    }
    return laws_.memory(op.traffic).in(second);
  }

  GroupLayout layout(Group group) const {
    switch (group) {
      case Group::context:
        return {strategy_.cp, strategy_.tp};
      case Group::expert:
        return {strategy_.ep, 1};
      case Group::tensor:
        break;
    }
    return {strategy_.tp, 1};
  }

  // Across nodes and on within them at the same time, piece by piece (DeepEP docs/legacy.md: the slower of the two
  // links sets the pace).
  double traffic(const Operator& op) const {
    if (op.crossing <= Bytes()) {
      return communication_.collective(op.collective, op.message, layout(op.group)).time.in(second);
    }
    const int local = strategy_.ep_local;
    const TrafficTime across = communication_.collective(op.collective, op.crossing, {strategy_.ep / local, local});
    const TrafficTime within = communication_.collective(op.collective, op.message, {local, 1});
    return std::max(across.time, within.time).in(second);
  }

  Segments segments(const Operators& operators) const {
    Segments result;
    result.reserve(operators.size());
    const Operator* waiting = nullptr;  // a collective that runs beside the next GEMM
    double waiting_time = 0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const Operator& op = operators[i];
      if (op.kind != OperatorKind::collective) {
        Segment segment{.name = op.name, .gap = laws_.kernel_gap().in(second)};
        const bool shards = waiting != nullptr && waiting->overlap == Overlap::gather;
        const bool splits = i + 1 < operators.size() && operators[i + 1].overlap == Overlap::scatter;
        const double time = kernel(op, shards ? strategy_.tp : splits ? scatter_splits : 1) * slowest_;
        segment.head = time;
        if (waiting != nullptr) {
          // A ring exchange starts with the shard at hand; bulk traffic has no bond with the GEMM.
          segment.head = shards ? time / strategy_.tp : 0;
          segment.beside = time - segment.head;
          segment.traffic = waiting_time;
          segment.traffic_name = waiting->name;
          segment.group = waiting->group;
          waiting = nullptr;
        }
        result.push_back(segment);
        continue;
      }
      assert(waiting == nullptr);
      const double time = traffic(op);
      if (op.overlap == Overlap::none) {
        result.push_back({.traffic_name = op.name, .tail = time, .group = op.group});
      } else if (op.overlap == Overlap::scatter) {
        Segment& segment = result.back();
        assert(segment.beside <= 0 && segment.head > 0);
        segment.traffic_name = op.name;
        segment.beside = segment.head * (scatter_splits - 1) / scatter_splits;
        segment.head -= segment.beside;
        segment.tail = time / scatter_splits;
        segment.traffic = time - segment.tail;
      } else {
        waiting = &op;
        waiting_time = time;
      }
    }
    assert(waiting == nullptr);
    return result;
  }

  WorkCost cost(const Segment& segment) const {
    WorkCost cost;
    const double busy = segment.head + segment.beside;
    const double shared = together(segment.beside, segment.traffic, laws_);
    cost.compute = busy / slowest_;
    cost.straggler = busy - cost.compute;
    cost.host = segment.gap;
    cost.traffic_of(segment.group) = both(segment.beside, segment.traffic, laws_) - segment.beside + segment.tail;
    cost.paired = shared;
    cost.active = busy + shared * (1 - 1 / laws_.compute_slowdown());
    return cost;
  }

  const Strategy& strategy_;
  const Laws& laws_;
  const Communication& communication_;
  double slowest_;
  int head_dim_;
};

}  // namespace

WorkCost& WorkCost::operator+=(const WorkCost& other) {
  compute += other.compute;
  straggler += other.straggler;
  host += other.host;
  tp += other.tp;
  cp += other.cp;
  ep += other.ep;
  active += other.active;
  paired += other.paired;
  return *this;
}

WorkCost operator*(WorkCost cost, double factor) {
  cost.compute *= factor;
  cost.straggler *= factor;
  cost.host *= factor;
  cost.tp *= factor;
  cost.cp *= factor;
  cost.ep *= factor;
  cost.active *= factor;
  cost.paired *= factor;
  return cost;
}

double& WorkCost::traffic_of(Group group) {
  switch (group) {
    case Group::context:
      return cp;
    case Group::expert:
      return ep;
    case Group::tensor:
      break;
  }
  return tp;
}

Part part_of(Group group) {
  switch (group) {
    case Group::context:
      return Part::cp;
    case Group::expert:
      return Part::ep;
    case Group::tensor:
      break;
  }
  return Part::tp;
}

double straggler_factor(const Laws& laws, int gpus) {
  if (gpus < 2) return 1;
  return 1 + laws.speed_spread() * normal_quantile((gpus - 0.375) / (gpus + 0.25));
}

StepCosts::StepCosts(const Model& model, const Strategy& strategy, const Laws& laws, const Communication& communication,
                     int gpus)
    : slowest(straggler_factor(laws, gpus)), main_(model.main_kind()) {
  const Timer timer(model, strategy, laws, communication, slowest);
  const auto backward = [&](LayerKind kind) {
    Operators operators = layer_recompute(model, strategy, kind);
    for (const Operator& op : railyard::layer_backward(model, strategy, kind)) operators.push_back(op);
    return timer.time(operators);
  };
  layer_forward = timer.time(railyard::layer_forward(model, strategy));
  layer_backward = backward(main_);
  if (main_ != LayerKind::dense && model.dense_layers() > 0) {
    dense_forward = timer.time(railyard::layer_forward(model, strategy, LayerKind::dense));
    dense_backward = backward(LayerKind::dense);
  }
  embedding_forward = timer.time(railyard::embedding_forward(model, strategy));
  embedding_backward = timer.time(railyard::embedding_backward(model, strategy));
  head_forward = timer.time(railyard::head_forward(model, strategy));
  head_backward = timer.time(railyard::head_backward(model, strategy));
}

const Work& StepCosts::layer(LayerKind kind, bool forward) const {
  if (kind == main_) return forward ? layer_forward : layer_backward;
  return forward ? dense_forward : dense_backward;
}

WorkCost chunk_cost(const StepCosts& costs, ChunkLayers layers, bool first, bool last, bool forward) {
  WorkCost cost = costs.layer(LayerKind::dense, forward).cost * layers.dense;
  cost += costs.layer(LayerKind::experts, forward).cost * layers.experts;
  if (first) cost += (forward ? costs.embedding_forward : costs.embedding_backward).cost;
  if (last) cost += (forward ? costs.head_forward : costs.head_backward).cost;
  return cost;
}

}  // namespace railyard
