// SPDX-License-Identifier: Apache-2.0
// Is my cluster as fast as it should be? A log of nccl-tests or rccl-tests against what the collective law expects, and
// against what it would expect of a cluster with one of the usual faults.
#pragma once

#include <string>
#include <vector>

#include "calibrate/import/import.h"
#include "sim/study/catalogue.h"
#include "sim/study/collective_runs.h"

namespace railyard {

/// What the log does not tell. Empty or zero: taken from the log, or from the GPU's usual server.
struct ExpectContext {
  std::string gpu, fabric = "infiniband";
  int nodes = 0, nics = 0;
  Bandwidth nic;
};

struct ExpectedRow {
  double bytes = 0;
  double measured = 0, expected = 0;  // bus bandwidth, bytes per second
  [[nodiscard]] double ratio() const { return measured / expected; }
};

enum class Expectation { as_expected, faster, slow, refused };
[[nodiscard]] std::string_view to_string(Expectation expectation);

/// One run of a log.
struct ExpectedRun {
  std::string file, operation, gpu;
  int line = 0, ranks = 0, nodes = 0;
  Expectation verdict = Expectation::refused;
  std::string reason;   // in a sentence or two
  double ratio = 0;     // measured over expected, the median that the verdict rests on; 0: refused
  std::string setting;  // what was judged against: GPUs, NICs, fabric, where the figures come from
  std::vector<ExpectedRow> rows;
};

/// Every run of a log that is a collective, judged. Figures are fitted to the shipped measurements of the same kind of
/// GPU and network; a measurement that is this very run is left out of them.
[[nodiscard]] std::vector<ExpectedRun> expect_log(const ImportedFile& log, const ExpectContext& context,
                                                  const Catalogue& catalogue);

}  // namespace railyard
