// SPDX-License-Identifier: Apache-2.0
// The profiles that are shipped.
#pragma once

#include <filesystem>
#include <string>

#include "calibrate/profile/profile.h"

namespace railyard {

inline const std::filesystem::path profile_folder = RAILYARD_SOURCE_DIR "/calibrate/profiles";

inline Profile shipped_profile(const std::string& id) { return load_profile(profile_folder, id); }

}  // namespace railyard
