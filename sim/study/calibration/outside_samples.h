// SPDX-License-Identifier: Apache-2.0
// Where a step uses the laws of a profile outside the samples they were fitted to.
#pragma once

#include <string>
#include <vector>

#include "sim/workload/operators.h"

namespace railyard {

/// A sentence for each kind of operator of the step that lies outside, as "qkv: the bf16 GEMM law of ...". Operators of
/// one name are told once, by the first of them that lies outside.
[[nodiscard]] std::vector<std::string> outside_samples(const Profile& profile, const Model& model,
                                                       const Strategy& strategy);

}  // namespace railyard
