// SPDX-License-Identifier: Apache-2.0
// A study result of invented figures: what the page writes does not change with the shipped data.
#pragma once

#include <string>

#include "sim/study/result.h"

/// Two clusters that differ in the switch at 64 and 128 GPUs; `name` is the first one's.
[[nodiscard]] railyard::StudyResult tiny_result(const std::string& name = "Alpha");
