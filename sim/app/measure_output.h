// SPDX-License-Identifier: Apache-2.0
// Measurements of a device as text, CSV and JSON.
#pragma once

#include <string>

#include "calibrate/device/link_shape.h"
#include "calibrate/device/measure.h"
#include "calibrate/device/slow_devices.h"
#include "sim/report/table.h"

namespace railyard {

/// Copies between the GPUs of the first node, as link_shape takes them.
[[nodiscard]] device::NodeLinks node_links(const device::MeasureReport& report);
/// "8 x NVIDIA H200", or "2 nodes of 8 x NVIDIA H200".
[[nodiscard]] std::string devices_text(const device::DeviceFacts& facts);
/// The device, then a table of each group within 80 columns, then what was waived and why.
[[nodiscard]] std::string measure_text(const device::MeasureReport& report);
/// One row a measurement, with everything that is known of it.
[[nodiscard]] Table measure_table(const device::MeasureReport& report);
[[nodiscard]] std::string measure_json(const device::MeasureReport& report);
/// What the study of method found: each way of measuring against the compatible one.
[[nodiscard]] std::string method_study_text(const device::MeasureReport& report);

}  // namespace railyard
