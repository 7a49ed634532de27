// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/task_maker.h"

namespace railyard {
namespace {

// What a pass is made of, in the order in which it runs.
std::vector<const Segments*> parts_of(const StepCosts& costs, ChunkLayers layers, bool first, bool last, bool forward) {
  std::vector<const Segments*> parts;
  if (forward && first) parts.push_back(&costs.embedding_forward.segments);
  if (!forward && last) parts.push_back(&costs.head_backward.segments);
  for (int layer = 0; layer < layers.total(); ++layer) {
    const bool dense = forward ? layer < layers.dense : layer >= layers.experts;
    parts.push_back(&costs.layer(dense ? LayerKind::dense : LayerKind::experts, forward).segments);
  }
  if (forward && last) parts.push_back(&costs.head_forward.segments);
  if (!forward && first) parts.push_back(&costs.embedding_backward.segments);
  return parts;
}

}  // namespace

int TaskMaker::label(std::string_view name, std::array<double, part_count> parts, Part slowed_by) {
  step_.labels.push_back({name, parts, slowed_by});
  return static_cast<int>(step_.labels.size()) - 1;
}

int TaskMaker::label(std::string_view name, Part part, double seconds) {
  std::array<double, part_count> parts{};
  parts[at(part)] = seconds;
  return label(name, parts);
}

TaskId TaskMaker::communicate(int stage, Queue queue, std::string_view name, Part part, double seconds) {
  const auto [place, fresh] = known_.try_emplace({name, seconds}, 0);
  if (fresh) place->second = label(name, part, seconds);
  const bool collective = queue != Queue::pipeline;
  return step_.graph.add(stage, queue, seconds, {0, collective ? 1.0F : 0.0F}, place->second);
}

TaskId TaskMaker::kernel(int stage, std::string_view name, Part part, double seconds) {
  std::array<double, part_count> parts{};
  parts[at(part)] = seconds / costs_.slowest;
  parts[at(Part::straggler)] = seconds - parts[at(part)];
  parts[at(Part::host)] = gap_;
  const double work = seconds + gap_;
  const float share = work > 0 ? static_cast<float>(seconds / work) : 0;
  return step_.graph.add(stage, Queue::compute, work, {share, share}, label(name, parts));
}

TaskMaker::ChunkTask TaskMaker::make_chunk_task(const WorkCost& cost, std::string_view name) {
  std::array<double, part_count> parts{};
  parts[at(Part::compute)] = cost.compute;
  parts[at(Part::straggler)] = cost.straggler;
  parts[at(Part::host)] = cost.host;
  parts[at(Part::tp)] = cost.tp;
  parts[at(Part::cp)] = cost.cp;
  parts[at(Part::ep)] = cost.ep;
  ChunkTask task{.label = label(name, parts), .work = cost.total()};
  if (task.work > 0) {
    task.contact = {static_cast<float>((cost.active - cost.paired) / task.work),
                    static_cast<float>(cost.active / task.work)};
  }
  return task;
}

const TaskMaker::ChunkTask& TaskMaker::chunk_task(ChunkLayers layers, bool first, bool last, bool forward) {
  ChunkTask& task = chunk_tasks_[{layers, first, last, forward}];
  if (task.label < 0) {
    task = make_chunk_task(chunk_cost(costs_, layers, first, last, forward), forward ? "forward" : "backward");
  }
  return task;
}

// The pass cut where tokens go to experts and come back: no kernel runs meanwhile, for a large share of the layer.
const std::vector<TaskMaker::ChunkTask>& TaskMaker::pieces(ChunkLayers layers, bool first, bool last, bool forward) {
  const auto [place, fresh] = pieces_.try_emplace({layers, first, last, forward});
  if (!fresh) return place->second;
  std::vector<WorkCost> costs(1);
  for (const Segments* part : parts_of(costs_, layers, first, last, forward)) {
    for (const Segment& segment : *part) {
      costs.back() += segment.cost;
      if (segment.group != Group::expert || segment.tail <= 0) continue;
      costs.back().ep -= segment.tail;
      costs.emplace_back().ep = segment.tail;
      costs.emplace_back();
    }
  }
  for (const WorkCost& cost : costs) {
    if (cost.total() > 0) place->second.push_back(make_chunk_task(cost, forward ? "forward" : "backward"));
  }
  return place->second;
}

TaskId TaskMaker::compute(int stage, const Segment& segment, double seconds, double gap, Part slowed_by) {
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
}

void TaskMaker::link(TaskId task, Span& span) {
  if (span.first == no_task) span.first = task;
  depend(task, span.last);
  depend(task, span.beside);
}

void TaskMaker::operators(int stage, const Segments& segments, Span& span) {
  for (const Segment& segment : segments) {
    const Part part = part_of(segment.group);
    if (segment.head + segment.gap > 0) {
      const TaskId task = compute(stage, segment, segment.head, segment.gap, Part::dp);
      link(task, span);
      span.last = task;
      span.beside = no_task;
    }
    if (segment.traffic > 0 || segment.beside > 0) {
      const TaskId traffic = communicate(stage, Queue::tensor, segment.traffic_name, part, segment.traffic);
      const TaskId task = compute(stage, segment, segment.beside, 0, part);
      link(traffic, span);
      link(task, span);
      span.last = task;
      span.beside = traffic;
    }
    if (segment.tail > 0) {
      const TaskId task = communicate(stage, Queue::tensor, segment.traffic_name, part, segment.tail);
      link(task, span);
      span.last = task;
      span.beside = no_task;
    }
  }
}

Span TaskMaker::pass(int stage, ChunkLayers layers, bool first, bool last, bool forward, bool beside_data) {
  Span span;
  if (resolution_ == Resolution::chunks) {
    const auto add = [&](const ChunkTask& task) {
      span.last = step_.graph.add(stage, Queue::compute, task.work, task.contact, task.label);
      if (span.first == no_task) span.first = span.last;
    };
    if (beside_data && layers.experts > 0) {
      for (const ChunkTask& task : pieces(layers, first, last, forward)) add(task);
    } else {
      add(chunk_task(layers, first, last, forward));
    }
    return span;
  }
  for (const Segments* part : parts_of(costs_, layers, first, last, forward)) operators(stage, *part, span);
  assert(span.beside == no_task);  // every pass ends with a kernel, so the next one follows all of it
  return span;
}

}  // namespace railyard
