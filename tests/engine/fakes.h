// SPDX-License-Identifier: Apache-2.0
// Invented laws, networks and costs whose results can be derived by hand.
#pragma once

#include "sim/engine/communication.h"
#include "sim/engine/costs.h"

namespace railyard {

/// Seconds at `latency` plus bytes over `bandwidth`, whatever the groups.
class FakeCommunication final : public Communication {
 public:
  FakeCommunication(Bandwidth bandwidth, Seconds latency) : bandwidth_(bandwidth), latency_(latency) {}
  [[nodiscard]] TrafficTime collective(Collective, Bytes bytes, const GroupLayout& groups) const override {
    if (groups.size == 1) return {};
    return {latency_ + bytes / bandwidth_, latency_, "fake", {}};
  }
  [[nodiscard]] TrafficTime send(Bytes bytes, int) const override {
    return {latency_ + bytes / bandwidth_, latency_, "fake", {}};
  }

 private:
  Bandwidth bandwidth_;
  Seconds latency_;
};

struct Slowdowns {
  double compute = 1, collective = 1, spread = 0;
};

/// A GPU of round numbers.
inline Profile fake_profile(Slowdowns slow = {}, Seconds gap = {}, Bandwidth memory = 3e12 * byte / second) {
  const auto figure = [](auto value) {
    Figure<decltype(value)> result;
    result.value = Range<decltype(value)>::exactly(value);
    return result;
  };
  Profile profile;
  profile.id = "fake";
  profile.compute_units = 100;
  for (const Precision precision : all_precisions) {
    const double rate = precision == Precision::fp8 ? 1300 : 700;
    profile.gemm[precision] = {figure(rate * teraflop_per_second), figure(100.0), figure(0.8), figure(30.0)};
  }
  profile.attention[128] = {figure(500 * teraflop_per_second), figure(450 * teraflop_per_second), figure(400.0),
                            figure(700.0)};
  profile.memory = figure(memory);
  profile.kernel_gap = figure(gap);
  profile.compute_slowdown = figure(slow.compute);
  profile.collective_slowdown = figure(slow.collective);
  profile.speed_spread = figure(slow.spread);
  return profile;
}

/// Layers that take `forward` and `backward` seconds of compute and nothing else; no embedding, no head.
inline StepCosts uniform_costs(const Model& model, const Strategy& strategy, const Laws& laws, double forward,
                               double backward) {
  StepCosts costs(model, strategy, laws, FreeCommunication(), 1);
  const auto work = [](double seconds) {
    Work result;
    result.segments = {{.name = "layer", .head = seconds}};
    result.cost.compute = seconds;
    result.cost.active = seconds;
    return result;
  };
  costs.layer_forward = work(forward);
  costs.layer_backward = work(backward);
  costs.embedding_forward = costs.embedding_backward = costs.head_forward = costs.head_backward = work(0);
  return costs;
}

}  // namespace railyard
