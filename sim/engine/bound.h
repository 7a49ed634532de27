// SPDX-License-Identifier: Apache-2.0
// A time that no simulation of a strategy can beat, without simulating it.
#pragma once

#include "sim/engine/communication.h"
#include "sim/engine/costs.h"

namespace railyard {

/// For every stage s: the first micro-batch must come through the stages before it, then s does all its passes, and the
/// last backward pass must go back through the stages before it, whatever the schedule; then the gradients of the last
/// chunk are reduced and the optimizer runs. The largest of these. Holds for any schedule, at any rates (slowing down
/// never makes a pass shorter).
[[nodiscard]] Seconds lower_bound(const StepCosts& costs, const Model& model, const Strategy& strategy,
                                  const Laws& laws, const Communication& communication, int gpus);

}  // namespace railyard
