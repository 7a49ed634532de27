// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/events.h"

#include <algorithm>
#include <cassert>
#include <queue>

namespace railyard {
namespace {

struct Event {
  double time;
  TaskId task;
  std::int32_t version;
  // The heap gives the earliest event first, ties in the order in which the tasks were added.
  bool operator<(const Event& other) const { return time != other.time ? time > other.time : task > other.task; }
};

struct Progress {
  double remaining = 0;
  double since = 0;   // when `remaining` was right
  double factor = 0;  // time per work; 0 before the start
  std::int32_t version = 0;
};

class Simulation {
 public:
  Simulation(const TaskGraph& graph, const Rates& rates) : graph_(graph), rates_(rates) {
    const std::size_t count = graph.tasks().size();
    timeline_.start.assign(count, 0);
    timeline_.end.assign(count, 0);
    timeline_.cause.assign(count, no_task);
    timeline_.order.reserve(count);
    progress_.resize(count);
    waits_for_.reserve(count);
    for (const TaskGraph::Task& task : graph.tasks()) waits_for_.push_back(task.waits_for);
    active_.assign(static_cast<std::size_t>(graph.devices()), {no_task, no_task, no_task, no_task});
  }

  Timeline take() {
    for (std::size_t i = 0; i < waits_for_.size(); ++i) {
      if (waits_for_[i] == 0) start(static_cast<TaskId>(i), no_task, 0);
    }
    for (int device = 0; device < graph_.devices(); ++device) settle(device, 0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (progress_[index(event.task)].version == event.version) finish(event.task, event.time);
    }
    assert(timeline_.order.size() == graph_.tasks().size());
    return std::move(timeline_);
  }

 private:
  static std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }
  std::array<TaskId, queue_count>& active(int device) { return active_[static_cast<std::size_t>(device)]; }

  void start(TaskId id, TaskId cause, double now) {
    const TaskGraph::Task& task = graph_.task(id);
    timeline_.start[index(id)] = now;
    timeline_.cause[index(id)] = cause;
    timeline_.order.push_back(id);
    progress_[index(id)].remaining = task.work;
    progress_[index(id)].since = now;
    active(task.device)[static_cast<std::size_t>(task.queue)] = id;
  }

  void release(TaskId id, TaskId cause, double now) {
    if (--waits_for_[index(id)] == 0) {
      start(id, cause, now);
      touched_.push_back(graph_.task(id).device);
    }
  }

  void finish(TaskId id, double now) {
    const TaskGraph::Task& task = graph_.task(id);
    timeline_.end[index(id)] = now;
    if (now > timeline_.makespan || timeline_.last == no_task) {
      timeline_.makespan = now;
      timeline_.last = id;
    }
    active(task.device)[static_cast<std::size_t>(task.queue)] = no_task;
    touched_.clear();
    if (task.next_in_queue != no_task) release(task.next_in_queue, id, now);
    for (std::int32_t edge = task.first_edge; edge >= 0; edge = graph_.edge(edge).next) {
      release(graph_.edge(edge).later, id, now);
    }
    settle(task.device, now);
    for (const int device : touched_) settle(device, now);
  }

  // Time per work of the task in `queue`, given what else is active on the device.
  double factor(const std::array<TaskId, queue_count>& on, Queue queue) const {
    const auto contact = [&](Queue other) {
      const TaskId id = on[static_cast<std::size_t>(other)];
      return id == no_task ? Contact{} : graph_.task(id).contact;
    };
    const bool data = on[static_cast<std::size_t>(Queue::data)] != no_task;
    const bool pipeline = on[static_cast<std::size_t>(Queue::pipeline)] != no_task;
    if (queue == Queue::compute) {
      if (contact(Queue::tensor).slows <= 0 && contact(Queue::data).slows <= 0) return 1;
      return 1 + (rates_.compute_slowdown - 1) * static_cast<double>(contact(Queue::compute).slowed);
    }
    if (queue == Queue::pipeline) return data ? rates_.shared_link : 1;
    double result = 1;
    if (contact(queue).slows > 0) {
      result += (rates_.collective_slowdown - 1) * static_cast<double>(contact(Queue::compute).slows);
    }
    return queue == Queue::data && pipeline ? result * rates_.shared_link : result;
  }

  // Brings the rates of a device's active tasks up to date and schedules their ends.
  void settle(int device, double now) {
    const std::array<TaskId, queue_count>& on = active(device);
    for (int queue = 0; queue < queue_count; ++queue) {
      const TaskId id = on[static_cast<std::size_t>(queue)];
      if (id == no_task) continue;
      Progress& progress = progress_[index(id)];
      const double next = factor(on, static_cast<Queue>(queue));
      if (next == progress.factor) continue;
      if (progress.factor > 0) {
        progress.remaining = std::max(0.0, progress.remaining - (now - progress.since) / progress.factor);
      }
      progress.since = now;
      progress.factor = next;
      events_.push({now + progress.remaining * next, id, ++progress.version});
    }
  }

  const TaskGraph& graph_;
  const Rates& rates_;
  Timeline timeline_;
  std::vector<Progress> progress_;
  std::vector<std::int32_t> waits_for_;
  std::vector<std::array<TaskId, queue_count>> active_;
  std::vector<int> touched_;
  std::priority_queue<Event> events_;
};

}  // namespace

TaskGraph::TaskGraph(int devices) : last_(static_cast<std::size_t>(devices), {no_task, no_task, no_task, no_task}) {}

void TaskGraph::reserve(std::size_t tasks, std::size_t dependencies) {
  tasks_.reserve(tasks);
  edges_.reserve(dependencies);
}

TaskId TaskGraph::add(int device, Queue queue, double work, Contact contact, int label) {
  assert(work >= 0);
  const auto id = static_cast<TaskId>(tasks_.size());
  TaskId& last = last_[static_cast<std::size_t>(device)][static_cast<std::size_t>(queue)];
  tasks_.push_back({work, contact, label, device, queue, no_task, -1, last == no_task ? 0 : 1});
  if (last != no_task) tasks_[static_cast<std::size_t>(last)].next_in_queue = id;
  last = id;
  return id;
}

void TaskGraph::depend(TaskId later, TaskId earlier) {
  Task& from = tasks_[static_cast<std::size_t>(earlier)];
  edges_.push_back({later, from.first_edge});
  from.first_edge = static_cast<std::int32_t>(edges_.size()) - 1;
  ++tasks_[static_cast<std::size_t>(later)].waits_for;
}

Timeline run(const TaskGraph& graph, const Rates& rates) { return Simulation(graph, rates).take(); }

std::vector<TaskId> critical_path(const Timeline& timeline) {
  std::vector<TaskId> path;
  for (TaskId id = timeline.last; id != no_task; id = timeline.cause[static_cast<std::size_t>(id)]) path.push_back(id);
  std::ranges::reverse(path);
  return path;
}

std::vector<double> slack(const TaskGraph& graph, const Timeline& timeline) {
  // Latest end of each task that leaves the makespan alone, from the last started to the first.
  std::vector<double> latest(graph.tasks().size(), timeline.makespan);
  std::vector<double> result(graph.tasks().size());
  for (auto id = timeline.order.rbegin(); id != timeline.order.rend(); ++id) {
    const TaskGraph::Task& task = graph.task(*id);
    double& end = latest[static_cast<std::size_t>(*id)];
    const auto before = [&](TaskId later) {
      end = std::min(end, latest[static_cast<std::size_t>(later)] - graph.task(later).work);
    };
    if (task.next_in_queue != no_task) before(task.next_in_queue);
    for (std::int32_t edge = task.first_edge; edge >= 0; edge = graph.edge(edge).next) before(graph.edge(edge).later);
    result[static_cast<std::size_t>(*id)] = end - timeline.end[static_cast<std::size_t>(*id)];
  }
  return result;
}

}  // namespace railyard
