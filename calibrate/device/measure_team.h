// SPDX-License-Identifier: Apache-2.0
// Carries out a plan with all processes of a launch: what one device does is measured by rank 0, what is exchanged by
// all together, and every GPU is timed apart at the same time.
#pragma once

#include "calibrate/device/measure.h"
#include "calibrate/device/team/team_device.h"

namespace railyard::device {

/// Groups of rank 0 alone are planned for its own node's devices, the others for those of all nodes; all processes give
/// the same options.
[[nodiscard]] std::vector<PlannedMeasurement> team_plan(const DeviceFacts& local, const DeviceFacts& all,
                                                        const PlanOptions& options);

/// On rank 0 the report; elsewhere its facts alone. Throws DeviceError when a device or another process fails.
[[nodiscard]] MeasureReport measure(Device& local, TeamDevice& all, const Team& team,
                                    const std::vector<PlannedMeasurement>& plan, const MeasureProgress& progress = {});

}  // namespace railyard::device
