// SPDX-License-Identifier: Apache-2.0
// report.css and report.js as text, put in by CMake.
#pragma once

#include <string_view>

namespace railyard::html {

[[nodiscard]] std::string_view report_style();
[[nodiscard]] std::string_view report_script();

}  // namespace railyard::html
