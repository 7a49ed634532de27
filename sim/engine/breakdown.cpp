// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/engine/step_graph.h"

namespace railyard {
namespace {

class Attribution {
 public:
  Attribution(const StepGraph& step, const Timeline& timeline) : step_(step), timeline_(timeline) {}

  void own(TaskId id) {
    const TaskGraph::Task& task = step_.graph.task(id);
    const TaskLabel& label = step_.labels[static_cast<std::size_t>(task.label)];
    for (std::size_t part = 0; part < parts_.size(); ++part) parts_[part] += label.parts[part];
    // Exactly zero when nothing slowed the task, as `run` forms the end by this sum.
    parts_[at(label.slowed_by)] += end(id) - (start(id) + task.work);
  }

  // The wait from `from` to `to`, laid on what was under way: back along the causes, each for its time.
  void wait(double from, double to, TaskId cause) {
    for (; to > from && cause != no_task; cause = timeline_.cause[static_cast<std::size_t>(cause)]) {
      const double begin = std::max(from, start(cause));
      if (begin < to) parts_[at(blame(cause))] += to - begin;
      to = std::min(to, begin);
    }
    if (to > from) parts_[at(Part::pp_bubble)] += to - from;
  }

  [[nodiscard]] double start(TaskId id) const { return timeline_.start[static_cast<std::size_t>(id)]; }
  [[nodiscard]] double end(TaskId id) const { return timeline_.end[static_cast<std::size_t>(id)]; }

  [[nodiscard]] Breakdown take() const {
    Breakdown breakdown;
    for (std::size_t part = 0; part < parts_.size(); ++part) breakdown[part] = parts_[part] * second;
    return breakdown;
  }

 private:
  // Waiting for compute is waiting for another stage. A communication label has one part that is not zero.
  [[nodiscard]] Part blame(TaskId id) const {
    const TaskGraph::Task& task = step_.graph.task(id);
    if (task.queue == Queue::compute) return Part::pp_bubble;
    const auto& parts = step_.labels[static_cast<std::size_t>(task.label)].parts;
    const auto found = std::ranges::find_if(parts, [](double seconds) { return seconds > 0; });
    return found == parts.end() ? Part::dp : static_cast<Part>(found - parts.begin());
  }

  const StepGraph& step_;
  const Timeline& timeline_;
  std::array<double, part_count> parts_{};
};

}  // namespace

Breakdown breakdown_of(const StepGraph& step, const Timeline& timeline, int device) {
  Attribution attribution(step, timeline);
  double now = 0;
  TaskId last = no_task;  // of the device, on any queue
  const auto& tasks = step.graph.tasks();
  // Tasks of a queue were added in the order in which they run.
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].device != device) continue;
    const auto id = static_cast<TaskId>(i);
    if (last == no_task || attribution.end(id) > attribution.end(last)) last = id;
    if (tasks[i].queue != Queue::compute) continue;
    attribution.wait(now, attribution.start(id), timeline.cause[i]);
    attribution.own(id);
    now = attribution.end(id);
  }
  attribution.wait(now, timeline.makespan, attribution.end(last) < timeline.makespan ? timeline.last : last);
  return attribution.take();
}

}  // namespace railyard
