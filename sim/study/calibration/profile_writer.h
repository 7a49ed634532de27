// SPDX-License-Identifier: Apache-2.0
// Makes a profile of fitted laws. What was measured is sourced with tool, version, GPU, date, samples and errors; what
// was not comes from another profile and is marked as assumed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/study/calibration/sample_fit.h"
#include "topologies/parts.h"

namespace railyard {

/// A figure that a device tells without a law: `key` as kernel_gap, `value` in base units.
struct DirectFigure {
  std::string key;
  Range<double> value;
  std::string how;
};

/// How a run was made, for people: "driver", "580.159.04".
struct RunFact {
  std::string key, text;
};

/// What the logs cannot say.
struct ProfileRequest {
  std::string id;
  const Profile* like = nullptr;  // may be none: then everything must be measured, or it is an error
  std::string fabric;             // of runs over several nodes; empty: their share of the line rate is not measured
  std::optional<Bandwidth> nic;   // line rate of a GPU's port on that fabric
  std::vector<DirectFigure> direct;
  std::vector<RunFact> run;
  std::string gpu_name;    // behind the direct figures
  bool data_sheet = true;  // of `like`'s GPU bounds the speeds; a host is no part and has none
};

struct WrittenProfile {
  std::string yaml;                            // read back and checked against the part's data sheet
  std::vector<std::string> measured, assumed;  // keys of the profile
  std::vector<std::string> unused;             // laws that were fitted, but are not in it, and why, a sentence each
};

/// Throws InputError naming what is missing without `like`, for logs of several GPUs or of another one than `like`, for
/// speeds above the data sheet, and when no figure is measured.
[[nodiscard]] WrittenProfile write_profile(const ProfileRequest& request, const SampleSet& set, const SampleFit& fit,
                                           const Parts& parts);

}  // namespace railyard
