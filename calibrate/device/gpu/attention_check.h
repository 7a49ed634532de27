// SPDX-License-Identifier: Apache-2.0
// Checks attention against sums of our own, row by row.
#pragma once

#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {

/// `rows` rows of the output, or backward of all three gradients, spread over batch, heads and sequence: writes the
/// largest difference over the largest entry of its row to *error, a float on the device that is set to 0 before. That
/// the weights of a row add up to one is checked too: a wrong statistic is an error of its size.
void launch_attention_check(const WorkRequest& work, const AttentionOperands& operands, int rows, float* error,
                            gpuStream stream);

}  // namespace railyard::device::gpu
