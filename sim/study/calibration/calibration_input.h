// SPDX-License-Identifier: Apache-2.0
// What the commands of `calibrate` take: a profile by name or file, a samples file, or a benchmark log.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "sim/study/calibration/sample_set.h"
#include "sim/study/catalogue.h"

namespace railyard {

struct CalibrationInput {
  std::string name;
  std::optional<Profile> profile;
  std::optional<SampleSet> samples;  // of a profile: those beside its file, if there
};

/// YAML is a profile or samples, any other file a log, anything else the name of a shipped profile. Throws InputError,
/// also for a log whose runs are all refused, with the reasons.
[[nodiscard]] CalibrationInput read_calibration_input(const std::string& name, const Catalogue& catalogue);

/// "profile.samples.yaml" beside "profile.yaml".
[[nodiscard]] std::filesystem::path samples_path(const std::filesystem::path& profile);

/// Throws InputError with file and reason of every run when none is accepted.
void require_accepted(std::span<const ImportedFile> files);

}  // namespace railyard
