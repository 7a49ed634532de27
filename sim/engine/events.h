// SPDX-License-Identifier: Apache-2.0
// A discrete-event core that knows nothing of training: tasks on in-order queues of devices, dependencies, and rates
// that change while computation and communication run beside each other. Same input, same timeline, bit for bit.
// Seconds are raw doubles in here; callers convert once on entry and once on exit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace railyard {

enum class Queue : std::uint8_t { compute, tensor, data, pipeline };
inline constexpr int queue_count = 4;

using TaskId = std::int32_t;
inline constexpr TaskId no_task = -1;

/// How a task and its neighbours on the device slow each other, as shares of the task's time.
struct Contact {
  float slowed = 0;  // compute: share that a collective beside it slows
  float slows = 0;   // compute: share that slows a collective beside it; collectives: above 0 when it slows compute
};

/// Tasks of one queue of one device run in the order in which they were added.
class TaskGraph {
 public:
  explicit TaskGraph(int devices);

  /// `work` is the time of the task when nothing slows it, in seconds, not negative; `label` is the caller's.
  TaskId add(int device, Queue queue, double work, Contact contact, int label);
  /// `later` starts after `earlier` has ended.
  void depend(TaskId later, TaskId earlier);
  void reserve(std::size_t tasks, std::size_t dependencies);
  /// Makes a task longer by `seconds` (what-if on a finished graph).
  void delay(TaskId task, double seconds) { tasks_[static_cast<std::size_t>(task)].work += seconds; }

  struct Task {
    double work;
    Contact contact;
    std::int32_t label;
    std::int32_t device;
    Queue queue;
    TaskId next_in_queue;
    std::int32_t first_edge;  // into edges
    std::int32_t waits_for;   // tasks that must end first, the queue's predecessor included
  };
  struct Edge {
    TaskId later;
    std::int32_t next;
  };
  [[nodiscard]] const Task& task(TaskId id) const { return tasks_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const std::vector<Task>& tasks() const { return tasks_; }
  [[nodiscard]] const Edge& edge(std::int32_t index) const { return edges_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] int devices() const { return static_cast<int>(last_.size()); }

 private:
  std::vector<Task> tasks_;
  std::vector<Edge> edges_;
  std::vector<std::array<TaskId, queue_count>> last_;
};

/// Factors of at least 1 on the time of a task while the other kind is active on its device. All 1: rates are frozen.
struct Rates {
  double compute_slowdown = 1;     // of compute beside a collective
  double collective_slowdown = 1;  // of a collective beside compute
  double shared_link = 1;          // of data and pipeline traffic beside each other: both leave by the same NIC
};

struct Timeline {
  std::vector<double> start, end;
  std::vector<TaskId> cause;  // the task whose end let this one start; no_task when it started at once
  std::vector<TaskId> order;  // tasks as they started: a topological order
  double makespan = 0;
  TaskId last = no_task;  // the first task that ends at the makespan
};

/// Runs the graph. All dependencies together must be free of cycles (asserted).
[[nodiscard]] Timeline run(const TaskGraph& graph, const Rates& rates);

/// The chain of causes that ends with the last task, in order of time.
[[nodiscard]] std::vector<TaskId> critical_path(const Timeline& timeline);

/// For every task, how much longer it may take before the makespan grows, with rates frozen.
[[nodiscard]] std::vector<double> slack(const TaskGraph& graph, const Timeline& timeline);

}  // namespace railyard
