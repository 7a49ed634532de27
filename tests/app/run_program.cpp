// SPDX-License-Identifier: Apache-2.0
#include "tests/app/run_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"

std::string fresh_folder(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("railyard-test-" + std::to_string(getpid())) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

ProgramRun run_program(const std::string& arguments) {
  const std::string folder = fresh_folder("streams");
  const std::string command = std::string("cd '") + RAILYARD_SOURCE_DIR + "' && '" + RAILYARD_PROGRAM + "' " +
                              arguments + " > '" + folder + "/out' 2> '" + folder + "/err' < /dev/null";
  ProgramRun run;
  const int status = std::system(command.c_str());  // NOLINT: the tests' own commands
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.output = railyard::read_file(folder + "/out");
  run.errors = railyard::read_file(folder + "/err");
  return run;
}
