// SPDX-License-Identifier: Apache-2.0
// Which GPU is it that a log names? Logs write "NVIDIA H100 80GB HBM3" or "AMD Instinct MI300X", parts h100 and mi300x.
#pragma once

#include <string>
#include <string_view>

#include "sim/study/calibration/sample_set.h"
#include "topologies/parts.h"

namespace railyard {

/// The model number in a GPU's name that parts have too ("h100"; of a100-40gb it is a100); empty when none is known.
[[nodiscard]] std::string named_model(std::string_view name, const Parts& parts);

/// Throws InputError when the series are of several GPUs, or of another one than `like`. Names without a known model
/// number prove nothing.
void check_gpus(const SampleSet& set, const Profile& like, const Parts& parts);

/// A line for people about a GPU's name that proves nothing; empty when there is none.
[[nodiscard]] std::string unproven_gpu(const SampleSet& set, const Profile& like, const Parts& parts);

}  // namespace railyard
