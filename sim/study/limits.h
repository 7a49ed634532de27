// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace railyard {

/// GPUs that a command, a study or a published table has at most.
inline constexpr int largest_cluster = 131072;

}  // namespace railyard
