// SPDX-License-Identifier: Apache-2.0
// Private to sim/engine: tasks of a step with their labels, one for each kernel and collective or one for a whole pass,
// as the resolution wants. In which order passes run is not known here.
#pragma once

#include <cassert>
#include <map>
#include <tuple>
#include <utility>

#include "sim/engine/step_graph.h"

namespace railyard {

/// The first and the last task of some work, and what else must end before what follows.
struct Span {
  TaskId first = no_task, last = no_task, beside = no_task;
};

class TaskMaker {
 public:
  /// `gap` is the host's before a kernel, in seconds; `costs` must outlive the maker.
  TaskMaker(const StepCosts& costs, double gap, int stages, Resolution resolution)
      : costs_(costs), gap_(gap), resolution_(resolution) {
    step_.graph = TaskGraph(stages);
  }

  /// A communication task; collectives slow compute, sends occupy few multiprocessors and do not.
  TaskId communicate(int stage, Queue queue, std::string_view name, Part part, double seconds);
  /// A kernel once a step: `seconds` at the pace of the slowest GPU.
  TaskId kernel(int stage, std::string_view name, Part part, double seconds);
  /// A pass of one micro-batch through some layers of a chunk, with the embedding (`first`) and the head (`last`).
  /// `beside_data`: parameters or gradients travel meanwhile, so that it matters when kernels run and when not.
  Span pass(int stage, ChunkLayers layers, bool first, bool last, bool forward, bool beside_data);
  /// `later` starts after `earlier`; nothing when either does not exist.
  void depend(TaskId later, TaskId earlier) {
    if (later != no_task && earlier != no_task) step_.graph.depend(later, earlier);
  }
  void reserve(std::size_t tasks, std::size_t dependencies) { step_.graph.reserve(tasks, dependencies); }
  [[nodiscard]] StepGraph take() { return std::move(step_); }

 private:
  struct ChunkTask {
    int label = -1;
    double work = 0;
    Contact contact;
  };
  int label(std::string_view name, std::array<double, part_count> parts, Part slowed_by = Part::dp);
  int label(std::string_view name, Part part, double seconds);
  ChunkTask make_chunk_task(const WorkCost& cost, std::string_view name);
  const ChunkTask& chunk_task(ChunkLayers layers, bool first, bool last, bool forward);
  const std::vector<ChunkTask>& pieces(ChunkLayers layers, bool first, bool last, bool forward);
  TaskId compute(int stage, const Segment& segment, double seconds, double gap, Part slowed_by);
  void operators(int stage, const Segments& segments, Span& span);
  void link(TaskId task, Span& span);

  const StepCosts& costs_;
  double gap_;
  Resolution resolution_;
  StepGraph step_;
  using PassKey = std::tuple<ChunkLayers, bool, bool, bool>;
  std::map<PassKey, ChunkTask> chunk_tasks_;
  std::map<PassKey, std::vector<ChunkTask>> pieces_;
  std::map<std::pair<std::string_view, double>, int> known_;
  std::map<std::tuple<std::string_view, double, double>, int> kernels_;
};

}  // namespace railyard
