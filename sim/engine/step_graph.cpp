// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/step_graph.h"

#include <algorithm>
#include <map>

#include "sim/engine/task_maker.h"
#include "sim/engine/traffic_times.h"

namespace railyard {
namespace {

class StepBuilder {
 public:
  StepBuilder(const Model& model, const Strategy& strategy, const StepCosts& costs, const StepTraffic& traffic,
              const Schedule& schedule, std::int64_t micro_batches, Resolution resolution)
      : model_(model),
        strategy_(strategy),
        traffic_(traffic),
        schedule_(schedule),
        micro_batches_(micro_batches),
        tasks_(costs, traffic.gap, strategy.pp, resolution) {
    const auto passes = static_cast<std::size_t>(micro_batches * strategy.pp * strategy.vpp);
    if (resolution == Resolution::chunks) tasks_.reserve(4 * passes + 64, 6 * passes + 256);
    forward_.resize(passes);
    backward_.resize(passes);
    forward_send_.assign(passes, no_task);
    backward_send_.assign(passes, no_task);
    for (int chunk = 0; chunk < strategy.vpp; ++chunk) {
      for (int stage = 0; stage < strategy.pp; ++stage) {
        layers_.push_back(chunk_layers(model, strategy, stage, chunk));
      }
    }
  }

  StepGraph take() {
    if (strategy_.shards_gradients()) {
      lay_out_units();
    } else {
      for (int stage = 0; stage < strategy_.pp; ++stage) lay_out(stage);
      connect();
    }
    finish_step();
    StepGraph step = tasks_.take();
    step.dp_algorithm = traffic_.dp_algorithm;
    return step;
  }

 private:
  // Part `part` of `parts` equal parts of a chunk.
  Span pass(int stage, int chunk, bool forward, int part, int parts, bool beside_data) {
    const bool first = stage == 0 && chunk == 0 && part == 0;
    const bool last = stage == strategy_.pp - 1 && chunk == strategy_.vpp - 1 && part == parts - 1;
    ChunkLayers layers = layers_[static_cast<std::size_t>(chunk * strategy_.pp + stage)];
    if (parts > 1) {
      const int each = layers.total() / parts;
      const int dense = std::clamp(layers.dense - part * each, 0, each);
      layers = {dense, each - dense};
    }
    return tasks_.pass(stage, layers, first, last, forward, beside_data);
  }

  // A whole pass, cut at the buckets of the parameters that it waits for and casts, or whose gradients it completes.
  // Transformer Engine casts weights in the first forward pass itself, hence after its input has come.
  struct Buckets {
    std::vector<TaskId> gathers;
    double cast = 0;
    std::vector<double> reductions;
    bool beside_data = false;  // parameters or gradients of any chunk of the stage are under way
  };
  Span pass(int stage, int chunk, bool forward, const Buckets& buckets) {
    const int parts = static_cast<int>(std::max({std::size_t{1}, buckets.gathers.size(), buckets.reductions.size()}));
    Span whole;
    for (int i = 0; i < parts; ++i) {
      const int part = forward ? i : parts - 1 - i;
      TaskId first = no_task;
      if (buckets.cast > 0) first = tasks_.kernel(stage, "cast weights", Part::compute, buckets.cast / parts);
      const Span span = pass(stage, chunk, forward, part, parts, buckets.beside_data);
      if (first == no_task) first = span.first;
      if (!buckets.gathers.empty()) tasks_.depend(first, buckets.gathers[static_cast<std::size_t>(part)]);
      if (!buckets.reductions.empty()) reduce(stage, buckets.reductions[static_cast<std::size_t>(part)], span);
      if (i == 0) whole.first = first;
      whole.last = span.last;
    }
    return whole;
  }

  std::size_t place(int stage, int chunk, std::int64_t micro_batch) const {
    const std::int64_t part = static_cast<std::int64_t>(chunk) * strategy_.pp + stage;
    return static_cast<std::size_t>(part * micro_batches_ + micro_batch);
  }

  void after(TaskId later, const Span& span) { tasks_.depend(later, span.last); }

  // The tasks of one stage in the order of its queues.
  void lay_out(int stage) {
    const StepTraffic::Stage& own = traffic_.stages[static_cast<std::size_t>(stage)];
    std::vector<std::vector<TaskId>> gathers(static_cast<std::size_t>(strategy_.vpp));
    for (std::size_t chunk = 0; chunk < own.gather.size(); ++chunk) {
      for (const double seconds : own.gather[chunk]) {
        if (seconds <= 0) continue;  // no data-parallel group, or nothing sharded
        gathers[chunk].push_back(tasks_.communicate(stage, Queue::data, "gather parameters", Part::dp, seconds));
      }
    }
    std::vector<bool> begun(static_cast<std::size_t>(strategy_.vpp));
    std::vector<std::int64_t> backwards(static_cast<std::size_t>(strategy_.vpp));
    bool reducing = false;
    TaskId blocking = no_task;  // a send that the next pass waits for
    for (const Slot& slot : schedule_[static_cast<std::size_t>(stage)]) {
      const auto chunk = static_cast<std::size_t>(slot.chunk);
      Buckets buckets;
      const bool gathering = std::ranges::find(begun, false) != begun.end();
      if (slot.forward && !begun[chunk]) {
        begun[chunk] = true;
        buckets.gathers = gathers[chunk];
        if (!own.cast.empty()) buckets.cast = own.cast[chunk];
      }
      if (!slot.forward && ++backwards[chunk] == micro_batches_ && !own.reduce.empty()) {
        buckets.reductions = own.reduce[chunk];
        reducing = true;
      }
      buckets.beside_data = (gathering && !gathers[0].empty()) || reducing;
      const Span span = pass(stage, slot.chunk, slot.forward, buckets);
      if (blocking != no_task) tasks_.depend(span.first, blocking);
      blocking = no_task;
      (slot.forward ? forward_ : backward_)[place(stage, slot.chunk, slot.micro_batch)] = span;
      const bool edge =
          slot.forward ? stage == strategy_.pp - 1 && slot.chunk == strategy_.vpp - 1 : stage == 0 && slot.chunk == 0;
      if (!edge && strategy_.pp > 1) {
        const TaskId send = tasks_.communicate(stage, Queue::pipeline, slot.forward ? "send forward" : "send backward",
                                               Part::pp_send, traffic_.send);
        after(send, span);
        (slot.forward ? forward_send_ : backward_send_)[place(stage, slot.chunk, slot.micro_batch)] = send;
        // Megatron-Core hides sends under compute in the interleaved schedule only (p2p_communication.py).
        if (strategy_.vpp == 1) blocking = send;
      }
      ends_[stage] = span;
    }
    if (own.reduce_all > 0) reduce(stage, own.reduce_all, ends_[stage]);
  }

  TaskId data(std::string_view name, double seconds) {
    return seconds > 0 ? tasks_.communicate(0, Queue::data, name, Part::dp, seconds) : no_task;
  }

  // One GPU whose parameters, or only gradients, lie sharded over the data-parallel group layer by layer, as PyTorch's
  // FSDP runs it: a layer is gathered while the one before works, freed after it, gathered again backward (not with
  // ZeRO-2), and its gradients are reduced while the next one works. All this traffic shares one queue.
  void lay_out_units() {
    const ChunkLayers all = chunk_layers(model_, strategy_, 0, 0);
    const int layers = all.total();
    const auto kind = [&](int layer) { return layer < all.dense ? LayerKind::dense : LayerKind::experts; };
    const auto work = [&](int layer, bool forward) {
      const bool dense = kind(layer) == LayerKind::dense;
      return tasks_.pass(0, ChunkLayers{dense ? 1 : 0, dense ? 0 : 1}, layer == 0, layer == layers - 1, forward, true);
    };
    TaskId ended = no_task;    // the pass before
    TaskId earlier = no_task;  // the one before that
    for (std::int64_t micro_batch = 0; micro_batch < micro_batches_; ++micro_batch) {
      const TaskId edge = data("gather embedding and head", traffic_.edge.gather);
      tasks_.depend(edge, ended);
      TaskId next = data("gather parameters", traffic_.layer(kind(0)).gather);
      tasks_.depend(next, ended);
      const auto gather = [&](int layer) {
        next = data("gather parameters", traffic_.layer(kind(layer)).gather);
        tasks_.depend(next, strategy_.dp_overlap ? earlier : ended);
      };
      for (int layer = 0; layer < layers; ++layer) {
        const TaskId own = next;
        if (layer + 1 < layers && strategy_.dp_overlap) gather(layer + 1);
        const Span span = work(layer, true);
        tasks_.depend(span.first, own);
        if (layer == 0) tasks_.depend(span.first, edge);
        earlier = ended;
        ended = span.last;
        if (layer + 1 < layers && !strategy_.dp_overlap) gather(layer + 1);
      }
      const bool again = strategy_.zero == 3;
      next = no_task;
      if (again) gather(layers - 1);
      TaskId reduced = no_task;
      for (int layer = layers - 1; layer >= 0; --layer) {
        const TaskId own = next;
        if (again && layer > 0 && strategy_.dp_overlap) gather(layer - 1);
        const Span span = work(layer, false);
        tasks_.depend(span.first, own);
        if (!strategy_.dp_overlap) tasks_.depend(span.first, reduced);
        earlier = ended;
        ended = span.last;
        reduced = data("reduce gradients", traffic_.layer(kind(layer)).reduce);
        tasks_.depend(reduced, span.last);
        if (again && layer > 0 && !strategy_.dp_overlap) gather(layer - 1);
        ends_[0] = span;
      }
      reduced = data("reduce gradients", traffic_.edge.reduce);
      tasks_.depend(reduced, ended);
      if (reduced != no_task) reductions_[0] = reduced;
    }
  }

  void reduce(int stage, double seconds, const Span& span) {
    if (seconds <= 0) return;
    const TaskId task = tasks_.communicate(stage, Queue::data, "reduce gradients", Part::dp, seconds);
    after(task, span);
    reductions_[stage] = task;
  }

  // Dependencies between stages.
  void connect() {
    const int parts = strategy_.pp * strategy_.vpp;
    for (int part = 0; part < parts; ++part) {
      const int stage = part % strategy_.pp;
      const int chunk = part / strategy_.pp;
      for (std::int64_t micro_batch = 0; micro_batch < micro_batches_; ++micro_batch) {
        const std::size_t here = place(stage, chunk, micro_batch);
        const auto row = static_cast<std::size_t>(micro_batches_);
        if (part > 0) tasks_.depend(forward_[here].first, forward_send_[here - row]);
        if (part < parts - 1) {
          tasks_.depend(backward_[here].first, backward_send_[here + row]);
        } else {
          after(backward_[here].first, forward_[here]);
        }
      }
    }
  }

  // Gradient norm over all stages, optimizer, and the gather where it does not overlap.
  void finish_step() {
    std::vector<TaskId> embedding;
    if (traffic_.embedding > 0) {
      for (const int stage : {0, strategy_.pp - 1}) {
        embedding.push_back(
            tasks_.communicate(stage, Queue::data, "reduce tied embedding", Part::pp_send, traffic_.embedding));
      }
      for (const TaskId task : embedding) {
        for (const int stage : {0, strategy_.pp - 1}) after_gradients(task, stage);
      }
    }
    std::vector<TaskId> norms;
    for (int stage = 0; stage < strategy_.pp; ++stage) {
      const TaskId task =
          tasks_.kernel(stage, "gradient norm", Part::optimizer, traffic_.stages[static_cast<std::size_t>(stage)].norm);
      after_gradients(task, stage);
      if (!embedding.empty() && stage == 0) tasks_.depend(task, embedding.front());
      if (!embedding.empty() && stage == strategy_.pp - 1) tasks_.depend(task, embedding.back());
      norms.push_back(task);
    }
    for (int stage = 0; stage < strategy_.pp; ++stage) {
      const StepTraffic::Stage& own = traffic_.stages[static_cast<std::size_t>(stage)];
      const TaskId sum = tasks_.communicate(stage, Queue::data, "reduce gradient norm", Part::dp, traffic_.norm);
      for (const TaskId norm : norms) tasks_.depend(sum, norm);
      const TaskId optimizer = tasks_.kernel(stage, "optimizer", Part::optimizer, own.optimizer);
      tasks_.depend(optimizer, sum);
      if (own.gather_all > 0) {
        const TaskId gather = tasks_.communicate(stage, Queue::data, "gather parameters", Part::dp, own.gather_all);
        tasks_.depend(gather, optimizer);
      }
    }
  }

  void after_gradients(TaskId task, int stage) {
    after(task, ends_[stage]);
    if (const auto found = reductions_.find(stage); found != reductions_.end()) tasks_.depend(task, found->second);
  }

  const Model& model_;
  const Strategy& strategy_;
  const StepTraffic& traffic_;
  const Schedule& schedule_;
  std::int64_t micro_batches_;
  TaskMaker tasks_;
  std::vector<ChunkLayers> layers_;       // by part of the model
  std::vector<Span> forward_, backward_;  // by part of the model, then micro-batch
  std::vector<TaskId> forward_send_, backward_send_;
  std::map<int, Span> ends_;          // last pass of each stage
  std::map<int, TaskId> reductions_;  // last gradient reduction of each stage
};

}  // namespace

StepGraph build_step(const Model& model, const Strategy& strategy, const Laws& laws, const StepCosts& costs,
                     const Communication& communication, const Schedule& schedule, int gpus, Resolution resolution) {
  const StepTraffic traffic(model, strategy, laws, communication, costs.slowest, gpus);
  return StepBuilder(model, strategy, costs, traffic, schedule, strategy.micro_batches(gpus), resolution).take();
}

Schedule schedule_of(const Strategy& strategy, int gpus) {
  const std::int64_t micro_batches = strategy.micro_batches(gpus);
  return strategy.vpp == 1 ? one_forward_one_backward(strategy.pp, micro_batches)
                           : interleaved(strategy.pp, strategy.vpp, micro_batches);
}

Rates rates_of(const Laws& laws) { return {laws.compute_slowdown(), laws.collective_slowdown(), 2}; }

}  // namespace railyard
