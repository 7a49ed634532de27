// SPDX-License-Identifier: Apache-2.0
// The command line of `wiring`. Private to sim/app.
#pragma once

#include <CLI/CLI.hpp>

#include "sim/app/options.h"

namespace railyard {

class WiringCommandLine {
 public:
  /// Adds the command to `app`, which takes GPU counts that `gpu_count` lets pass.
  WiringCommandLine(CLI::App& app, const CLI::Validator& gpu_count);
  /// Sets the command of `line` when it was given.
  void choose(CommandLine& line) const;

 private:
  CLI::App* command_;
  WiringOptions options_;
};

}  // namespace railyard
