// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/sample.h"

#include <cassert>
#include <utility>

namespace railyard {

std::string_view to_string(Statistic statistic) {
  switch (statistic) {
    case Statistic::mean:
      return "mean";
    case Statistic::median:
      return "median";
    case Statistic::best:
      return "best";
    case Statistic::unknown:
      return "unknown";
  }
  assert(false);
  return {};
}

std::string_view to_string(BufferPlacement placement) {
  return placement == BufferPlacement::in_place ? "in_place" : "out_of_place";
}

std::string_view to_string(RefusalReason reason) {
  switch (reason) {
    case RefusalReason::unrecognised:
      return "unrecognised";
    case RefusalReason::no_rows:
      return "no_rows";
    case RefusalReason::run_failed:
      return "run_failed";
    case RefusalReason::one_rank:
      return "one_rank";
    case RefusalReason::shared_device:
      return "shared_device";
    case RefusalReason::wrong_results:
      return "wrong_results";
    case RefusalReason::interleaved:
      return "interleaved";
    case RefusalReason::timeout_floor:
      return "timeout_floor";
    case RefusalReason::best_of_few:
      return "best_of_few";
    case RefusalReason::ranks_unknown:
      return "ranks_unknown";
    case RefusalReason::ranks_disagree:
      return "ranks_disagree";
    case RefusalReason::operation_unknown:
      return "operation_unknown";
    case RefusalReason::inconsistent:
      return "inconsistent";
    case RefusalReason::cpu_time:
      return "cpu_time";
    case RefusalReason::summary_only:
      return "summary_only";
    case RefusalReason::type_unknown:
      return "type_unknown";
    case RefusalReason::loopback:
      return "loopback";
    case RefusalReason::not_a_gpu:
      return "not_a_gpu";
    case RefusalReason::not_a_benchmark:
      return "not_a_benchmark";
  }
  assert(false);
  return {};
}

void ImportedRun::refuse(RefusalReason reason, std::string sentence, int line) {
  if (!refusal) refusal = Refusal{reason, std::move(sentence), line};
}

}  // namespace railyard
