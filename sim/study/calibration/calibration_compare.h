// SPDX-License-Identifier: Apache-2.0
// Two calibrations side by side, operation by operation and size by size. Only differences beyond the noise are marked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/study/calibration/calibration_input.h"

namespace railyard {

struct CalibrationRow {
  std::string operation, size;
  bool flops = false;     // rates are FLOP/s, else B/s
  double a = 0, b = 0;    // medians
  double difference = 0;  // b / a - 1: negative where b is slower
  double noise = 0;       // in the direction of the difference, relative
  bool marked = false;    // |difference| > noise; the same the other way round
};

struct CalibrationComparison {
  std::string a, b;
  std::vector<CalibrationRow> rows;
  std::vector<std::string> only_a, only_b;  // operations, or sizes of them, that the other lacks
  std::vector<std::string> gone;            // operations that were measured for a and not at all for b
};

/// How `noise` is made, for people and for the format page.
inline constexpr std::string_view noise_rule =
    "noise: twice the combined standard error of the logarithms. A side's is that of its repeats: between runs, else "
    "within one run and "
    "then at least 1 %; of a profile: half its range. Without repeats on both sides: the scatter of the differences of "
    "the operation's sizes about their median or the fits' left-out error, the smaller, at least 1 %; without either "
    "5 %, assumed.";

/// Matches by operation, ranks, nodes (where both know them) and size. Throws InputError when nothing matches.
[[nodiscard]] CalibrationComparison compare(const CalibrationInput& a, const CalibrationInput& b);

/// Marked differences that break a condition such as 'gemm>=-3 %', a sentence each, and operations of its that are
/// gone. The name is the start of an operation. Throws InputError for conditions that cannot be read or match no row.
[[nodiscard]] std::vector<std::string> unmet(const std::vector<std::string>& conditions,
                                             const CalibrationComparison& comparison);
/// Reads the conditions alone, so that a mistake stops before any work.
void check_conditions(const std::vector<std::string>& conditions);

}  // namespace railyard
