// SPDX-License-Identifier: Apache-2.0
// `collective` and `expect` on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/app/options.h"

namespace railyard {

/// Options filled while parsing; afterwards `choose` gives the one that was asked for.
class CollectiveCommandLine {
 public:
  /// Adds both commands. This object must outlive the parsing.
  CollectiveCommandLine(CLI::App& app, int most_gpus);
  /// Puts the options of the parsed command into the line, if one was.
  void choose(CommandLine& line) const;

 private:
  CollectiveOptions collective_;
  ExpectOptions expect_;
  CLI::App *collective_command_, *expect_command_;
};

}  // namespace railyard
