// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/events.h"

#include <algorithm>
#include <random>

#include "tests/catch.h"

using namespace railyard;

namespace {

constexpr Rates frozen;

// Random tasks on three devices; dependencies point from earlier to later tasks, so there is no cycle.
TaskGraph random_graph(unsigned seed, int count = 200) {
  std::mt19937 generator(seed);
  const auto below = [&](int limit) { return static_cast<int>(generator() % static_cast<unsigned>(limit)); };
  TaskGraph graph(3);
  for (int i = 0; i < count; ++i) {
    const auto queue = static_cast<Queue>(below(queue_count));
    graph.add(below(3), queue, below(1000) / 16.0, {0.5F, 0.5F}, 0);
    for (int edge = below(3); edge > 0 && i > 0; --edge) graph.depend(i, below(i));
  }
  return graph;
}

}  // namespace

TEST_CASE("events: a queue runs in order, a dependency waits", "[engine]") {
  // Device 0 computes 3, then 2; device 1 computes 1, then 4 after the first of device 0. Ends 3, 5; 1, 7.
  TaskGraph graph(2);
  const TaskId a = graph.add(0, Queue::compute, 3, {}, 0);
  const TaskId b = graph.add(0, Queue::compute, 2, {}, 0);
  const TaskId c = graph.add(1, Queue::compute, 1, {}, 0);
  const TaskId d = graph.add(1, Queue::compute, 4, {}, 0);
  graph.depend(d, a);
  const Timeline timeline = run(graph, frozen);
  CHECK(timeline.end == std::vector<double>{3, 5, 1, 7});
  CHECK(timeline.makespan == 7);
  CHECK(critical_path(timeline) == std::vector<TaskId>{a, d});
  CHECK(slack(graph, timeline) == std::vector<double>{0, 2, 2, 0});
  CHECK(timeline.cause[static_cast<std::size_t>(b)] == a);
  CHECK(timeline.cause[static_cast<std::size_t>(c)] == no_task);
}

TEST_CASE("events: compute and a collective beside each other slow each other", "[engine]") {
  // Compute 10 at factor 1.5, collective 4 at factor 2. The collective ends at 8; compute has done 8/1.5, the other
  // 10 - 16/3 = 14/3 follow at full speed: 38/3.
  TaskGraph graph(1);
  graph.add(0, Queue::compute, 10, {1, 1}, 0);
  graph.add(0, Queue::data, 4, {0, 1}, 0);
  const Timeline timeline = run(graph, {1.5, 2, 1});
  CHECK_THAT(timeline.end[1], WithinRel(8.0, 1e-12));
  CHECK_THAT(timeline.end[0], WithinRel(38.0 / 3, 1e-12));
}

TEST_CASE("events: only the touched share of a task is slowed", "[engine]") {
  // Half of the compute task is slowed by 1.5: factor 1.25. A quarter of it slows the collective by 2: factor 1.25.
  TaskGraph graph(1);
  graph.add(0, Queue::compute, 8, {0.5F, 0.25F}, 0);
  graph.add(0, Queue::tensor, 8, {0, 1}, 0);
  const Timeline timeline = run(graph, {1.5, 2, 1});
  CHECK_THAT(timeline.end[0], WithinRel(10.0, 1e-12));
  CHECK_THAT(timeline.end[1], WithinRel(10.0, 1e-12));
}

TEST_CASE("events: a send and a data collective share the NIC, compute and a send do not meet", "[engine]") {
  // Both of 4 s at half speed: the send (2 s of work) ends at 4, when 2 s of the collective are left: 6.
  TaskGraph graph(1);
  graph.add(0, Queue::data, 4, {0, 1}, 0);
  graph.add(0, Queue::pipeline, 2, {}, 0);
  const Timeline shared = run(graph, {1, 1, 2});
  CHECK(shared.end == std::vector<double>{6, 4});
  TaskGraph other(1);
  other.add(0, Queue::compute, 4, {1, 1}, 0);
  other.add(0, Queue::pipeline, 2, {}, 0);
  CHECK(run(other, {1.5, 2, 2}).end == std::vector<double>{4, 2});
}

TEST_CASE("events: with rates frozen the makespan is the longest path", "[engine]") {
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U);
  const TaskGraph graph = random_graph(seed);
  // Longest path by relaxation in order of adding, which is topological here.
  std::vector<double> start(graph.tasks().size());
  double longest = 0;
  for (std::size_t i = 0; i < graph.tasks().size(); ++i) {
    const TaskGraph::Task& task = graph.tasks()[i];
    const double end = start[i] + task.work;
    longest = std::max(longest, end);
    const auto push = [&](TaskId later) {
      double& from = start[static_cast<std::size_t>(later)];
      from = std::max(from, end);
    };
    if (task.next_in_queue != no_task) push(task.next_in_queue);
    for (std::int32_t edge = task.first_edge; edge >= 0; edge = graph.edge(edge).next) push(graph.edge(edge).later);
  }
  const Timeline timeline = run(graph, frozen);
  CHECK(timeline.makespan == longest);
  CHECK(timeline.start == start);
}

TEST_CASE("events: delaying a task by d moves the end by what its slack does not cover", "[engine]") {
  const TaskGraph graph = random_graph(GENERATE(11U, 12U, 13U));
  const Timeline before = run(graph, frozen);
  const std::vector<double> free = slack(graph, before);
  for (const TaskId task : critical_path(before)) CHECK(free[static_cast<std::size_t>(task)] == 0);
  for (std::size_t i = 0; i < free.size(); ++i) {
    TaskGraph delayed = graph;
    delayed.delay(static_cast<TaskId>(i), 5);
    CHECK(run(delayed, frozen).makespan == before.makespan + std::max(0.0, 5 - free[i]));
  }
}

TEST_CASE("events: the same graph gives the same timeline, bit for bit", "[engine]") {
  const TaskGraph graph = random_graph(21);
  const Rates rates{1.2, 1.4, 2};
  const Timeline first = run(graph, rates);
  const Timeline second = run(graph, rates);
  CHECK(first.end == second.end);
  CHECK(first.order == second.order);
  // Slowing down never makes the whole shorter here than with rates frozen, and never longer than everything slowed.
  const double alone = run(graph, frozen).makespan;
  CHECK(first.makespan >= alone);
  CHECK(first.makespan <= alone * 1.4 * 2);
}
