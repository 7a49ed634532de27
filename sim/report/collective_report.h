// SPDX-License-Identifier: Apache-2.0
// What a person or a program reads of collectives: their times on a cluster, a log judged, the validation table.
#pragma once

#include <span>
#include <string>

#include "sim/report/table.h"
#include "sim/study/collective_study.h"
#include "sim/study/collective_validation.h"
#include "sim/study/expect.h"

namespace railyard {

/// One cluster and number of GPUs of a question.
struct NamedAnswer {
  std::string name;  // of the cluster
  CollectiveAnswer answer;
};
/// A table for each: time, bandwidths, algorithm, protocol, limit.
[[nodiscard]] std::string collective_text(std::span<const NamedAnswer> answers);
[[nodiscard]] Table collective_table(std::span<const NamedAnswer> answers);
/// `rows: [{op, bytes, gpus, nodes, time_s, algbw_bytes_per_s, busbw_bytes_per_s, algorithm, protocol, limit}]`;
/// several clusters or sizes: `clusters`, each with its rows.
[[nodiscard]] std::string collective_json(std::span<const NamedAnswer> answers);
/// Bus bandwidth by size, a line for each.
[[nodiscard]] std::string collective_svg(std::span<const NamedAnswer> answers);

/// Verdict, reason and rows of each run.
[[nodiscard]] std::string expect_text(std::span<const ExpectedRun> runs);
[[nodiscard]] Table expect_table(std::span<const ExpectedRun> runs);
/// `verdict, reason, rows: [{bytes, measured_busbw_bytes_per_s, expected_busbw_bytes_per_s, ratio}]`; several runs:
/// `runs`.
[[nodiscard]] std::string expect_json(std::span<const ExpectedRun> runs);

/// Error by source and size class, the fitted figures, and what was left out and why.
[[nodiscard]] std::string collective_validation_text(const CollectiveValidation& validation);
/// Every case, and every row left out with its reason.
[[nodiscard]] Table collective_validation_table(const CollectiveValidation& validation);
/// `cases: [{id, source, op, bytes, gpus, measured, predicted, error}]`, in the `unit` of each: seconds up to 64 KiB,
/// bytes per second of bus bandwidth above.
[[nodiscard]] std::string collective_validation_json(const CollectiveValidation& validation);

}  // namespace railyard
