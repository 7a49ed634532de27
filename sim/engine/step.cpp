// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/step.h"

#include <array>

#include "sim/engine/bound.h"
#include "sim/engine/step_graph.h"

namespace railyard {
namespace {

constexpr std::array<std::string_view, part_count> part_names = {"compute", "tp", "cp",        "ep",   "pp_bubble",
                                                                 "pp_send", "dp", "optimizer", "host", "straggler"};

}  // namespace

std::string_view to_string(Part part) { return part_names[at(part)]; }

TrafficTime NetworkCommunication::collective(Collective collective, Bytes bytes, const GroupLayout& groups) const {
  return network_.collective(collective, bytes, groups);
}

TrafficTime NetworkCommunication::send(Bytes bytes, int stride) const { return network_.send(bytes, stride); }

StepResult simulate_step(const Model& model, const Strategy& strategy, const Laws& laws,
                         const Communication& communication, const StepCosts& costs, int gpus, Resolution resolution) {
  const StepGraph step =
      build_step(model, strategy, laws, costs, communication, schedule_of(strategy, gpus), gpus, resolution);
  const Timeline timeline = run(step.graph, rates_of(laws));
  StepResult result;
  result.step_time = timeline.makespan * second;
  result.slowest_stage = step.graph.task(timeline.last).device;
  result.breakdown = breakdown_of(step, timeline, result.slowest_stage);
  result.dp_algorithm = step.dp_algorithm;
  result.tasks = step.graph.tasks().size();
  return result;
}

StepResult simulate_step(const Model& model, const Strategy& strategy, const Laws& laws, const Network& network,
                         int gpus, Resolution resolution) {
  const NetworkCommunication communication(network);
  const StepCosts costs(model, strategy, laws, communication, gpus);
  return simulate_step(model, strategy, laws, communication, costs, gpus, resolution);
}

Seconds step_lower_bound(const Model& model, const Strategy& strategy, const Laws& laws, int gpus) {
  const FreeCommunication free;
  return lower_bound(StepCosts(model, strategy, laws, free, gpus), model, strategy, laws, free, gpus);
}

}  // namespace railyard
