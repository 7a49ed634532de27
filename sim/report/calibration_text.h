// SPDX-License-Identifier: Apache-2.0
// What the commands of `calibrate` print: text within 80 columns, and tables for CSV.
#pragma once

#include <span>
#include <string>

#include "calibrate/import/import.h"
#include "sim/report/table.h"
#include "sim/study/calibration/calibration_compare.h"
#include "sim/study/calibration/profile_writer.h"
#include "sim/study/calibration/sample_fit.h"

namespace railyard {

[[nodiscard]] std::string import_text(std::span<const ImportedFile> files);
[[nodiscard]] Table import_table(std::span<const ImportedFile> files);

/// Parameters, errors and the largest residuals; with `samples` all of them.
[[nodiscard]] std::string fit_text(const SampleFit& fit, bool samples);
/// One row a parameter, error or sample.
[[nodiscard]] Table fit_table(const SampleFit& fit);

[[nodiscard]] std::string profile_text(const Profile& profile);
[[nodiscard]] Table profile_table(const Profile& profile);
/// The series of a sample set.
[[nodiscard]] std::string samples_text(const SampleSet& set);
[[nodiscard]] Table samples_table(const SampleSet& set);

[[nodiscard]] std::string calibration_comparison_text(const CalibrationComparison& comparison);
[[nodiscard]] Table calibration_comparison_table(const CalibrationComparison& comparison);

}  // namespace railyard
