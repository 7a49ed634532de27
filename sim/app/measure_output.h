// SPDX-License-Identifier: Apache-2.0
// Measurements of a device as text, CSV and JSON.
#pragma once

#include <string>

#include "calibrate/device/measure.h"
#include "sim/report/table.h"

namespace railyard {

/// The device, then a table of each group within 80 columns, then what was waived and why.
[[nodiscard]] std::string measure_text(const device::MeasureReport& report);
/// One row a measurement, with everything that is known of it.
[[nodiscard]] Table measure_table(const device::MeasureReport& report);
[[nodiscard]] std::string measure_json(const device::MeasureReport& report);
/// What the study of method found: each way of measuring against the compatible one.
[[nodiscard]] std::string method_study_text(const device::MeasureReport& report);

}  // namespace railyard
