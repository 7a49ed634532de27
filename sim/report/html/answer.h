// SPDX-License-Identifier: Apache-2.0
// The first sentences of the report: the answer and how certain it is.
#pragma once

#include <string>
#include <vector>

#include "sim/study/result.h"

namespace railyard::html {

struct Answer {
  enum class Certainty { resolved, partly, not_resolved, single };
  Certainty certainty = Certainty::single;
  std::string badge;                    // "Not resolved."
  std::string sentence;                 // the answer
  std::vector<std::string> conditions;  // what it rests on, one sentence each
};

/// From the verdicts, never from typical figures alone: a cluster is called cheapest only where its verdict is
/// resolved (DESIGN 5.4). Needs a row.
[[nodiscard]] Answer answer_of(const StudyResult& result);

}  // namespace railyard::html
