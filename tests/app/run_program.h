// SPDX-License-Identifier: Apache-2.0
// Runs the program railyard as a user would, from the source folder.
#pragma once

#include <string>

struct ProgramRun {
  int exit_code = -1;
  std::string output, errors;
};

/// `arguments` is shell text, quotes and all.
ProgramRun run_program(const std::string& arguments);

/// A fresh, empty folder of this test run.
std::string fresh_folder(const std::string& name);
