// SPDX-License-Identifier: Apache-2.0
// All that a profile knows, as one list: keys of its file with ranges and evidence, and its fits.
#pragma once

#include <string>
#include <vector>

#include "calibrate/profile/profile.h"

namespace railyard {

struct ProfileLine {
  std::string key;  // dotted, as in the file
  Range<double> value;
  std::string unit;  // of `value`; empty for plain numbers
  Evidence evidence;
};
[[nodiscard]] std::vector<ProfileLine> profile_lines(const Profile& profile);

struct ProfileFit {
  std::string key;  // "gemm.bf16"
  FitQuality quality;
};
[[nodiscard]] std::vector<ProfileFit> profile_fits(const Profile& profile);

}  // namespace railyard
