// SPDX-License-Identifier: Apache-2.0
// The command line of `wiring`. Private to sim/app.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/app/options.h"

namespace railyard {

class WiringCommandLine {
 public:
  /// Adds the command to `app`, which takes GPU counts up to `most_gpus`.
  WiringCommandLine(CLI::App& app, int most_gpus);
  /// Sets the command of `line` when it was given.
  void choose(CommandLine& line) const;

 private:
  CLI::App* command_;
  WiringOptions options_;
};

}  // namespace railyard
