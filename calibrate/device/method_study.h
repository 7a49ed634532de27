// SPDX-License-Identifier: Apache-2.0
// The shapes of a published benchmark of GPUs, and the study of what the way of measuring does to their figures: cold
// or back to back, warm-up, inputs, the best of many instead of the median, the library's choice of kernel, power.
#pragma once

#include "calibrate/device/plan_builder.h"

namespace railyard::device {

/// The five products in both readings of their triples, as (M, N, K) and as layers, by the trusted rule.
void add_published(PlanBuilder& plan, bool quick);

void add_method_study(PlanBuilder& plan);

/// How many of the library's choices the study tries.
inline constexpr int studied_choices = 8;

}  // namespace railyard::device
