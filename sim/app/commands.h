// SPDX-License-Identifier: Apache-2.0
// The commands: each takes its options and the catalogue and gives what to print and how to end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/app/options.h"
#include "sim/study/catalogue.h"
#include "sim/study/pipeline.h"

namespace railyard {

struct Outcome {
  std::string output;  // for stdout: results only
  std::string notes;   // for stderr
  int exit_code = 0;   // 0 done, 2 bad input, 3 a requirement or check is not met, 77 no GPU
};

struct Context {
  const Catalogue& catalogue;
  Format format = Format::text;
  Progress progress;
};

/// Reads a study with all KEY=VALUE replacements made before the first reading, so that one may mend what another
/// breaks. Throws InputError for a key that is replaced twice.
[[nodiscard]] Study read_study(const std::string& file, const std::vector<std::string>& settings,
                               const Catalogue& catalogue);

/// The size that a command looks at: that of --gpus, or the study's largest. Throws InputError where --gpus and a
/// setting both say it.
[[nodiscard]] int size_of(const Study& study, int gpus, const std::vector<std::string>& settings);

/// Writes the one file that `option` names and gives the note about it. Throws InputError where it names a folder.
[[nodiscard]] std::string write_file(std::string_view option, const std::string& file, std::string content);

[[nodiscard]] Outcome run(const ReportOptions& options, const Context& context);
[[nodiscard]] Outcome run(const SimulateOptions& options, const Context& context);
[[nodiscard]] Outcome run(const BomOptions& options, const Context& context);
[[nodiscard]] Outcome run(const DesignOptions& options, const Context& context);
[[nodiscard]] Outcome run(const PriceOptions& options, const Context& context);
[[nodiscard]] Outcome run(const DiffOptions& options, const Context& context);
[[nodiscard]] Outcome run(const WhatIfOptions& options, const Context& context);
[[nodiscard]] Outcome run(const ValidateOptions& options, const Context& context);
[[nodiscard]] Outcome run(const WiringOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CollectiveOptions& options, const Context& context);
[[nodiscard]] Outcome run(const ExpectOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CheckOptions& options, const Context& context);
[[nodiscard]] Outcome run(const ListOptions& options, const Context& context);
[[nodiscard]] Outcome run(const InitOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CalibrateImportOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CalibrateFitOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CalibrateShowOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CalibrateCompareOptions& options, const Context& context);
[[nodiscard]] Outcome run(const CalibrateMeasureOptions& options, const Context& context);

}  // namespace railyard
