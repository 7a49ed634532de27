// SPDX-License-Identifier: Apache-2.0
// report.html: a study's answer as one self-contained page (inline SVG, styles and script inside, no request to
// anywhere), for screen, phone, dark mode and print.
#pragma once

#include <string>

#include "sim/study/result.h"

namespace railyard::html {

/// Equal results give equal bytes. Needs a row.
[[nodiscard]] std::string study_page(const StudyResult& result);

}  // namespace railyard::html
