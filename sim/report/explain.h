// SPDX-License-Identifier: Apache-2.0
// Why a row is what it is: what limits, which figures it rests on, and their sources.
#pragma once

#include <string>

#include "sim/study/catalogue.h"
#include "sim/study/result.h"

namespace railyard {

[[nodiscard]] std::string explain_row(const ResultRow& row, const Catalogue& catalogue);

}  // namespace railyard
