// SPDX-License-Identifier: Apache-2.0
// Results of the commands of `calibrate` as JSON, schema railyard/1: base units.
#pragma once

#include <span>
#include <string>

#include "calibrate/import/import.h"
#include "sim/study/calibration/calibration_compare.h"
#include "sim/study/calibration/sample_fit.h"

namespace railyard {

[[nodiscard]] std::string import_json(std::span<const ImportedFile> files);
[[nodiscard]] std::string fit_json(const SampleFit& fit);
[[nodiscard]] std::string profile_json(const Profile& profile);
[[nodiscard]] std::string samples_json(const SampleSet& set);
/// Rows {operation, size, a, b, unit, difference, noise, marked}.
[[nodiscard]] std::string calibration_comparison_json(const CalibrationComparison& comparison);

}  // namespace railyard
