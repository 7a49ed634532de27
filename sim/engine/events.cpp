// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/events.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace railyard {
namespace {

// When the next task of each device ends: a tournament whose root is the earliest of all, ties in the order in which
// the tasks were added. Each of `devices` holds one place, so nothing in it is ever out of date.
class NextEnds {
 public:
  struct End {
    double time = std::numeric_limits<double>::infinity();
    TaskId task = std::numeric_limits<TaskId>::max();
    [[nodiscard]] bool before(const End& other) const {
      return time < other.time || (time == other.time && task < other.task);
    }
    bool operator==(const End&) const = default;
  };

  explicit NextEnds(int devices) : leaves_(std::bit_ceil(static_cast<std::size_t>(std::max(devices, 1)))) {
    ends_.resize(2 * leaves_);
  }

  void set(int device, const End& end) {
    std::size_t node = leaves_ + static_cast<std::size_t>(device);
    ends_[node] = end;
    while (node > 1) {
      node /= 2;
      const End& left = ends_[2 * node];
      const End& right = ends_[2 * node + 1];
      const End& first = right.before(left) ? right : left;
      if (first == ends_[node]) return;
      ends_[node] = first;
    }
  }

  [[nodiscard]] const End& first() const { return ends_[1]; }

 private:
  std::size_t leaves_;
  std::vector<End> ends_;  // a heap-ordered tree: node i has the children 2 i and 2 i + 1; a single device is its root
};

// A task under way on one queue of a device.
struct Active {
  TaskId task = no_task;
  Contact contact;
  double remaining = 0;
  double since = 0;   // when `remaining` was right
  double factor = 0;  // time per work; 0 before the first rate is set
  double end = 0;
};
using OnDevice = std::array<Active, queue_count>;

class Simulation {
 public:
  Simulation(const TaskGraph& graph, const Rates& rates) : graph_(graph), rates_(rates), next_(graph.devices()) {
    const std::size_t count = graph.tasks().size();
    timeline_.start.assign(count, 0);
    timeline_.end.assign(count, 0);
    timeline_.cause.assign(count, no_task);
    timeline_.order.reserve(count);
    waits_for_.reserve(count);
    for (const TaskGraph::Task& task : graph.tasks()) waits_for_.push_back(task.waits_for);
    devices_.resize(static_cast<std::size_t>(graph.devices()));
  }

  Timeline take() {
    for (std::size_t i = 0; i < waits_for_.size(); ++i) {
      if (waits_for_[i] == 0) start(static_cast<TaskId>(i), no_task, 0);
    }
    for (int device = 0; device < graph_.devices(); ++device) settle(device, 0);
    while (next_.first().time < std::numeric_limits<double>::infinity()) {
      const NextEnds::End end = next_.first();
      finish(end.task, end.time);
    }
    assert(timeline_.order.size() == graph_.tasks().size());
    return std::move(timeline_);
  }

 private:
  static std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }
  OnDevice& on(int device) { return devices_[static_cast<std::size_t>(device)]; }
  static const Active& at(const OnDevice& on, Queue queue) { return on[static_cast<std::size_t>(queue)]; }

  void start(TaskId id, TaskId cause, double now) {
    const TaskGraph::Task& task = graph_.task(id);
    timeline_.start[index(id)] = now;
    timeline_.cause[index(id)] = cause;
    timeline_.order.push_back(id);
    on(task.device)[static_cast<std::size_t>(task.queue)] = {id, task.contact, task.work, now, 0, 0};
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
    on(task.device)[static_cast<std::size_t>(task.queue)] = {};
    touched_.clear();
    if (task.next_in_queue != no_task) release(task.next_in_queue, id, now);
    for (std::int32_t edge = task.first_edge; edge >= 0; edge = graph_.edge(edge).next) {
      release(graph_.edge(edge).later, id, now);
    }
    settle(task.device, now);
    for (const int device : touched_) {
      if (device != task.device) settle(device, now);
    }
  }

  // Time per work of the task in `queue`, given what else is active on the device.
  [[nodiscard]] double factor(const OnDevice& on, Queue queue) const {
    const bool data = at(on, Queue::data).task != no_task;
    const bool pipeline = at(on, Queue::pipeline).task != no_task;
    if (queue == Queue::compute) {
      if (at(on, Queue::tensor).contact.slows <= 0 && at(on, Queue::data).contact.slows <= 0) return 1;
      return 1 + (rates_.compute_slowdown - 1) * static_cast<double>(at(on, Queue::compute).contact.slowed);
    }
    if (queue == Queue::pipeline) return data ? rates_.shared_link : 1;
    double result = 1;
    if (at(on, queue).contact.slows > 0) {
      result += (rates_.collective_slowdown - 1) * static_cast<double>(at(on, Queue::compute).contact.slows);
    }
    return queue == Queue::data && pipeline ? result * rates_.shared_link : result;
  }

  // Brings the rates of a device's active tasks up to date, and with them when its next task ends.
  void settle(int device, double now) {
    OnDevice& tasks = on(device);
    NextEnds::End first;
    for (int queue = 0; queue < queue_count; ++queue) {
      Active& active = tasks[static_cast<std::size_t>(queue)];
      if (active.task == no_task) continue;
      const double next = factor(tasks, static_cast<Queue>(queue));
      if (next != active.factor) {
        if (active.factor > 0) {
          active.remaining = std::max(0.0, active.remaining - (now - active.since) / active.factor);
        }
        active.since = now;
        active.factor = next;
        active.end = now + active.remaining * next;
      }
      const NextEnds::End end{active.end, active.task};
      if (end.before(first)) first = end;
    }
    next_.set(device, first);
  }

  const TaskGraph& graph_;
  const Rates& rates_;
  Timeline timeline_;
  std::vector<std::int32_t> waits_for_;
  std::vector<OnDevice> devices_;
  std::vector<int> touched_;
  NextEnds next_;
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
