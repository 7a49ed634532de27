// SPDX-License-Identifier: Apache-2.0
// The files of a report folder.
#pragma once

#include <map>
#include <string>

#include "sim/study/result.h"

namespace railyard {

/// File name -> content: report.html, results.json, results.csv, capex.csv, owner.csv.
[[nodiscard]] std::map<std::string, std::string> study_files(const StudyResult& result);

}  // namespace railyard
