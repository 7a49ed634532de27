// SPDX-License-Identifier: Apache-2.0
// The blocks of a profile's file: what was measured as fitted, what was not as another profile has it.
#pragma once

#include <string>
#include <string_view>

#include "sim/study/calibration/measured_laws.h"
#include "sim/study/calibration/profile_draft.h"
#include "sim/study/calibration/profile_writer.h"

namespace railyard {

inline constexpr double unbounded = 1e30;  // where no data sheet bounds a figure
inline constexpr std::string_view section_indent = "    ";

/// `gpu` bounds what the fits give by the data sheet; it may be none.
[[nodiscard]] std::string gemm_section(ProfileDraft& draft, const MeasuredLaws& measured, const GpuPart* gpu);
[[nodiscard]] std::string attention_section(ProfileDraft& draft, const MeasuredLaws& measured);
/// `memory` to `speed_spread`, direct figures of the request before those of the other profile.
[[nodiscard]] std::string kernel_section(ProfileDraft& draft, const MeasuredLaws& measured,
                                         const ProfileRequest& request, const GpuPart* gpu);
/// Throws InputError when the measured collectives are faster than the line rate of the request.
[[nodiscard]] std::string collective_section(ProfileDraft& draft, const MeasuredLaws& measured,
                                             const ProfileRequest& request, const GpuPart* gpu);

}  // namespace railyard
