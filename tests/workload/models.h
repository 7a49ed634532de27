// SPDX-License-Identifier: Apache-2.0
// The shipped models, for tests.
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/workload/model.h"

namespace railyard {

inline std::filesystem::path model_folder() {
  return std::filesystem::path(RAILYARD_SOURCE_DIR) / "sim" / "workload" / "models";
}
inline Model shipped(std::string_view id) { return load_model(model_folder(), id); }
inline Model llama3_70b() { return load_model(model_folder(), "llama3-70b"); }
inline Model gpt3_175b() { return load_model(model_folder(), "gpt3-175b"); }

}  // namespace railyard
