// SPDX-License-Identifier: Apache-2.0
// The records of do_bench JSON that are neither products nor memory kernels: attention by backend, and collectives by
// operation, each a run of its own. Private to the room.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "calibrate/import/importer.h"
#include "calibrate/import/json_text.h"

namespace railyard::import_detail {

// Rates of time and count may differ by how a harness counts its own overhead.
inline constexpr double do_bench_slack = 0.01;

class DoBenchGroups {
 public:
  explicit DoBenchGroups(Statistic statistic) : statistic_(statistic) {}

  /// True when the text may hold such records.
  [[nodiscard]] static bool recognises(std::string_view text);
  /// Takes a record of attention or of a collective; false when it is neither.
  bool read(const Json& record);
  /// The runs, each with tool, GPU, software and date of `common`. Ranks are recovered from busbw/algbw where no record
  /// tells them.
  [[nodiscard]] Runs runs(const ImportedRun& common) const;

 private:
  bool read_attention(const Json& record);
  bool read_collective(const Json& record);

  Statistic statistic_;
  std::map<std::string, ImportedRun> attention_, collectives_;  // by backend, by operation
};

}  // namespace railyard::import_detail
