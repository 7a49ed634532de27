// SPDX-License-Identifier: Apache-2.0
// What a person or a program reads of collectives: the validation table.
#pragma once

#include <string>

#include "sim/report/table.h"
#include "sim/study/collective_validation.h"

namespace railyard {

/// Error by source and size class, the fitted figures, and what was left out and why.
[[nodiscard]] std::string collective_validation_text(const CollectiveValidation& validation);
/// Every case, and every row left out with its reason.
[[nodiscard]] Table collective_validation_table(const CollectiveValidation& validation);
/// `cases: [{id, source, op, bytes, gpus, measured, predicted, error}]`, in the `unit` of each: seconds up to 64 KiB,
/// bytes per second of bus bandwidth above.
[[nodiscard]] std::string collective_validation_json(const CollectiveValidation& validation);

}  // namespace railyard
