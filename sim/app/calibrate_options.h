// SPDX-License-Identifier: Apache-2.0
// The subcommands of `calibrate` on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/app/options.h"

namespace railyard {

/// Options filled while parsing; afterwards `choose` gives the one that was asked for.
class CalibrateCommandLine {
 public:
  /// Adds `calibrate` with its subcommands. This object must outlive the parsing.
  explicit CalibrateCommandLine(CLI::App& app);
  /// Puts the options of the parsed subcommand into the line, if one was.
  void choose(CommandLine& line) const;

 private:
  CalibrateImportOptions import_;
  CalibrateFitOptions fit_;
  CalibrateShowOptions show_;
  CalibrateCompareOptions compare_;
  CalibrateMeasureOptions measure_;
  CLI::App *import_command_, *fit_command_, *show_command_, *compare_command_, *measure_command_;
};

}  // namespace railyard
