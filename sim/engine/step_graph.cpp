// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/step_graph.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

#include "sim/engine/traffic_times.h"

namespace railyard {
namespace {

std::size_t at(Part part) { return static_cast<std::size_t>(part); }

// The first and the last task of some work, and what else must end before what follows.
struct Span {
  TaskId first = no_task, last = no_task, beside = no_task;
};

class StepBuilder {
 public:
  StepBuilder(const Model& model, const Strategy& strategy, const StepCosts& costs, const StepTraffic& traffic,
              const Schedule& schedule, std::int64_t micro_batches, Resolution resolution)
      : model_(model),
        strategy_(strategy),
        costs_(costs),
        traffic_(traffic),
        schedule_(schedule),
        micro_batches_(micro_batches),
        resolution_(resolution) {
    step_.graph = TaskGraph(strategy.pp);
    const auto passes = static_cast<std::size_t>(micro_batches * strategy.pp * strategy.vpp);
    if (resolution == Resolution::chunks) step_.graph.reserve(4 * passes + 64, 6 * passes + 256);
    forward_.resize(passes);
    backward_.resize(passes);
    forward_send_.assign(passes, no_task);
    backward_send_.assign(passes, no_task);
  }

  StepGraph take() {
    for (int stage = 0; stage < strategy_.pp; ++stage) lay_out(stage);
    connect();
    finish_step();
    step_.dp_algorithm = traffic_.dp_algorithm;
    return std::move(step_);
  }

 private:
  int label(std::string_view name, std::array<double, part_count> parts, Part slowed_by = Part::dp) {
    step_.labels.push_back({name, parts, slowed_by});
    return static_cast<int>(step_.labels.size()) - 1;
  }
  int label(std::string_view name, Part part, double seconds) {
    std::array<double, part_count> parts{};
    parts[at(part)] = seconds;
    return label(name, parts);
  }

  // A communication task; collectives slow compute, sends occupy few multiprocessors and do not.
  TaskId communicate(int stage, Queue queue, std::string_view name, Part part, double seconds) {
    const auto [place, fresh] = known_.try_emplace({name, seconds}, 0);
    if (fresh) place->second = label(name, part, seconds);
    const bool collective = queue != Queue::pipeline;
    return step_.graph.add(stage, queue, seconds, {0, collective ? 1.0F : 0.0F}, place->second);
  }

  // A kernel once a step: `seconds` at the pace of the slowest GPU.
  TaskId kernel(int stage, std::string_view name, Part part, double seconds) {
    std::array<double, part_count> parts{};
    parts[at(part)] = seconds / costs_.slowest;
    parts[at(Part::straggler)] = seconds - parts[at(part)];
    parts[at(Part::host)] = traffic_.gap;
    const double work = seconds + traffic_.gap;
    const float share = work > 0 ? static_cast<float>(seconds / work) : 0;
    return step_.graph.add(stage, Queue::compute, work, {share, share}, label(name, parts));
  }

  // One task for a whole chunk.
  struct ChunkTask {
    int label = -1;
    double work = 0;
    Contact contact;
  };
  const ChunkTask& chunk_task(int layers, bool first, bool last, bool forward) {
    ChunkTask& task = chunk_tasks_[{layers, first, last, forward}];
    if (task.label < 0) {
      const WorkCost cost = chunk_cost(costs_, layers, first, last, forward);
      std::array<double, part_count> parts{};
      parts[at(Part::compute)] = cost.compute;
      parts[at(Part::straggler)] = cost.straggler;
      parts[at(Part::host)] = cost.host;
      parts[at(Part::tp)] = cost.tp;
      task.work = cost.total();
      task.label = label(forward ? "forward" : "backward", parts);
      if (task.work > 0) {
        task.contact = {static_cast<float>((cost.active - cost.paired) / task.work),
                        static_cast<float>(cost.active / task.work)};
      }
    }
    return task;
  }

  // One task for each kernel and each collective.
  void operators(int stage, const Segments& segments, Span& span) {
    const auto link = [&](TaskId task) {
      if (span.first == no_task) span.first = task;
      if (span.last != no_task) step_.graph.depend(task, span.last);
      if (span.beside != no_task) step_.graph.depend(task, span.beside);
    };
    const auto compute = [&](const Segment& segment, double seconds, double gap, Part slowed_by) {
      const auto [place, fresh] = kernels_.try_emplace({segment.name, seconds, gap}, 0);
      if (fresh) {
        std::array<double, part_count> parts{};
        parts[at(Part::compute)] = seconds / costs_.slowest;
        parts[at(Part::straggler)] = seconds - parts[at(Part::compute)];
        parts[at(Part::host)] = gap;
        place->second = label(segment.name, parts, slowed_by);
      }
      const double work = seconds + gap;
      const float share = work > 0 ? static_cast<float>(seconds / work) : 0;
      return step_.graph.add(stage, Queue::compute, work, {share, share}, place->second);
    };
    for (const Segment& segment : segments) {
      if (segment.head + segment.gap > 0) {
        const TaskId task = compute(segment, segment.head, segment.gap, Part::dp);
        link(task);
        span.last = task;
        span.beside = no_task;
      }
      if (segment.traffic > 0 || segment.beside > 0) {
        const TaskId traffic = communicate(stage, Queue::tensor, segment.traffic_name, Part::tp, segment.traffic);
        const TaskId task = compute(segment, segment.beside, 0, Part::tp);
        link(traffic);
        link(task);
        span.last = task;
        span.beside = traffic;
      }
      if (segment.tail > 0) {
        const TaskId task = communicate(stage, Queue::tensor, segment.traffic_name, Part::tp, segment.tail);
        link(task);
        span.last = task;
        span.beside = no_task;
      }
    }
  }

  // A pass of one micro-batch through part `part` of `parts` equal parts of a chunk's layers.
  Span pass(int stage, int chunk, bool forward, int part, int parts) {
    const bool first = stage == 0 && chunk == 0 && part == 0;
    const bool last = stage == strategy_.pp - 1 && chunk == strategy_.vpp - 1 && part == parts - 1;
    const int layers = model_.layers / (strategy_.pp * strategy_.vpp) / parts;
    if (resolution_ == Resolution::chunks) {
      const ChunkTask& task = chunk_task(layers, first, last, forward);
      const TaskId id = step_.graph.add(stage, Queue::compute, task.work, task.contact, task.label);
      return {id, id, no_task};
    }
    Span span;
    if (forward && first) operators(stage, costs_.embedding_forward.segments, span);
    if (!forward && last) operators(stage, costs_.head_backward.segments, span);
    for (int layer = 0; layer < layers; ++layer) {
      operators(stage, (forward ? costs_.layer_forward : costs_.layer_backward).segments, span);
    }
    if (forward && last) operators(stage, costs_.head_forward.segments, span);
    if (!forward && first) operators(stage, costs_.embedding_backward.segments, span);
    assert(span.beside == no_task);  // every pass ends with a kernel, so the next one follows all of it
    return span;
  }

  // A whole pass, cut at the buckets of the parameters that it waits for and casts, or whose gradients it completes.
  // Transformer Engine casts weights in the first forward pass itself, hence after its input has come.
  struct Buckets {
    std::vector<TaskId> gathers;
    double cast = 0;
    std::vector<double> reductions;
  };
  Span pass(int stage, int chunk, bool forward, const Buckets& buckets) {
    const int parts = static_cast<int>(std::max({std::size_t{1}, buckets.gathers.size(), buckets.reductions.size()}));
    Span whole;
    for (int i = 0; i < parts; ++i) {
      const int part = forward ? i : parts - 1 - i;
      TaskId first = no_task;
      if (buckets.cast > 0) first = kernel(stage, "cast weights", Part::compute, buckets.cast / parts);
      const Span span = pass(stage, chunk, forward, part, parts);
      if (first == no_task) first = span.first;
      if (!buckets.gathers.empty()) step_.graph.depend(first, buckets.gathers[static_cast<std::size_t>(part)]);
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

  void after(TaskId later, const Span& span) { step_.graph.depend(later, span.last); }

  // The tasks of one stage in the order of its queues.
  void lay_out(int stage) {
    const StepTraffic::Stage& own = traffic_.stages[static_cast<std::size_t>(stage)];
    std::vector<std::vector<TaskId>> gathers(static_cast<std::size_t>(strategy_.vpp));
    for (std::size_t chunk = 0; chunk < own.gather.size(); ++chunk) {
      for (const double seconds : own.gather[chunk]) {
        if (seconds <= 0) continue;  // no data-parallel group, or nothing sharded
        gathers[chunk].push_back(communicate(stage, Queue::data, "gather parameters", Part::dp, seconds));
      }
    }
    std::vector<bool> begun(static_cast<std::size_t>(strategy_.vpp));
    std::vector<std::int64_t> backwards(static_cast<std::size_t>(strategy_.vpp));
    TaskId blocking = no_task;  // a send that the next pass waits for
    for (const Slot& slot : schedule_[static_cast<std::size_t>(stage)]) {
      const auto chunk = static_cast<std::size_t>(slot.chunk);
      Buckets buckets;
      if (slot.forward && !begun[chunk]) {
        begun[chunk] = true;
        buckets.gathers = gathers[chunk];
        if (!own.cast.empty()) buckets.cast = own.cast[chunk];
      }
      if (!slot.forward && ++backwards[chunk] == micro_batches_ && !own.reduce.empty()) {
        buckets.reductions = own.reduce[chunk];
      }
      const Span span = pass(stage, slot.chunk, slot.forward, buckets);
      if (blocking != no_task) step_.graph.depend(span.first, blocking);
      blocking = no_task;
      (slot.forward ? forward_ : backward_)[place(stage, slot.chunk, slot.micro_batch)] = span;
      const bool edge =
          slot.forward ? stage == strategy_.pp - 1 && slot.chunk == strategy_.vpp - 1 : stage == 0 && slot.chunk == 0;
      if (!edge && strategy_.pp > 1) {
        const TaskId send = communicate(stage, Queue::pipeline, slot.forward ? "send forward" : "send backward",
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

  void reduce(int stage, double seconds, const Span& span) {
    if (seconds <= 0) return;
    const TaskId task = communicate(stage, Queue::data, "reduce gradients", Part::dp, seconds);
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
        if (part > 0) step_.graph.depend(forward_[here].first, forward_send_[here - row]);
        if (part < parts - 1) {
          step_.graph.depend(backward_[here].first, backward_send_[here + row]);
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
            communicate(stage, Queue::data, "reduce tied embedding", Part::pp_send, traffic_.embedding));
      }
      for (const TaskId task : embedding) {
        for (const int stage : {0, strategy_.pp - 1}) after_gradients(task, stage);
      }
    }
    std::vector<TaskId> norms;
    for (int stage = 0; stage < strategy_.pp; ++stage) {
      const TaskId task =
          kernel(stage, "gradient norm", Part::optimizer, traffic_.stages[static_cast<std::size_t>(stage)].norm);
      after_gradients(task, stage);
      if (!embedding.empty() && stage == 0) step_.graph.depend(task, embedding.front());
      if (!embedding.empty() && stage == strategy_.pp - 1) step_.graph.depend(task, embedding.back());
      norms.push_back(task);
    }
    for (int stage = 0; stage < strategy_.pp; ++stage) {
      const StepTraffic::Stage& own = traffic_.stages[static_cast<std::size_t>(stage)];
      const TaskId sum = communicate(stage, Queue::data, "reduce gradient norm", Part::dp, traffic_.norm);
      for (const TaskId norm : norms) step_.graph.depend(sum, norm);
      const TaskId optimizer = kernel(stage, "optimizer", Part::optimizer, own.optimizer);
      step_.graph.depend(optimizer, sum);
      if (own.gather_all > 0) {
        const TaskId gather = communicate(stage, Queue::data, "gather parameters", Part::dp, own.gather_all);
        step_.graph.depend(gather, optimizer);
      }
    }
  }

  void after_gradients(TaskId task, int stage) {
    after(task, ends_[stage]);
    if (const auto found = reductions_.find(stage); found != reductions_.end()) step_.graph.depend(task, found->second);
  }

  const Model& model_;
  const Strategy& strategy_;
  const StepCosts& costs_;
  const StepTraffic& traffic_;
  const Schedule& schedule_;
  std::int64_t micro_batches_;
  Resolution resolution_;
  StepGraph step_;
  std::map<std::tuple<int, bool, bool, bool>, ChunkTask> chunk_tasks_;
  std::map<std::pair<std::string_view, double>, int> known_;
  std::map<std::tuple<std::string_view, double, double>, int> kernels_;
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
