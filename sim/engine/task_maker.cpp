// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/task_maker.h"

namespace railyard {
namespace {

std::size_t at(Part part) { return static_cast<std::size_t>(part); }

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

const TaskMaker::ChunkTask& TaskMaker::chunk_task(ChunkLayers layers, bool first, bool last, bool forward) {
  ChunkTask& task = chunk_tasks_[{layers, first, last, forward}];
  if (task.label < 0) {
    const WorkCost cost = chunk_cost(costs_, layers, first, last, forward);
    std::array<double, part_count> parts{};
    parts[at(Part::compute)] = cost.compute;
    parts[at(Part::straggler)] = cost.straggler;
    parts[at(Part::host)] = cost.host;
    parts[at(Part::tp)] = cost.tp;
    parts[at(Part::cp)] = cost.cp;
    parts[at(Part::ep)] = cost.ep;
    task.work = cost.total();
    task.label = label(forward ? "forward" : "backward", parts);
    if (task.work > 0) {
      task.contact = {static_cast<float>((cost.active - cost.paired) / task.work),
                      static_cast<float>(cost.active / task.work)};
    }
  }
  return task;
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

Span TaskMaker::pass(int stage, ChunkLayers layers, bool first, bool last, bool forward) {
  if (resolution_ == Resolution::chunks) {
    const ChunkTask& task = chunk_task(layers, first, last, forward);
    const TaskId id = step_.graph.add(stage, Queue::compute, task.work, task.contact, task.label);
    return {id, id, no_task};
  }
  Span span;
  if (forward && first) operators(stage, costs_.embedding_forward.segments, span);
  if (!forward && last) operators(stage, costs_.head_backward.segments, span);
  for (int layer = 0; layer < layers.total(); ++layer) {
    const bool dense = forward ? layer < layers.dense : layer >= layers.experts;
    operators(stage, costs_.layer(dense ? LayerKind::dense : LayerKind::experts, forward).segments, span);
  }
  if (forward && last) operators(stage, costs_.head_forward.segments, span);
  if (!forward && first) operators(stage, costs_.embedding_backward.segments, span);
  assert(span.beside == no_task);  // every pass ends with a kernel, so the next one follows all of it
  return span;
}

}  // namespace railyard
