// SPDX-License-Identifier: Apache-2.0
// Examples are tests: what the command of each examples/NAME/command prints equals its expected.txt. Numbers change
// only in a commit that says so (scripts/refresh_outputs.py writes them).
#include <filesystem>
#include <vector>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace {

const std::filesystem::path examples = std::filesystem::path(RAILYARD_SOURCE_DIR) / "examples";

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    if (std::filesystem::exists(entry.path() / "command")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Longest line in characters, UTF-8 taken into account.
std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0, current = 0;
  for (const char c : text) {
    if (c == '\n') {
      current = 0;
    } else if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) {
      longest = std::max(longest, ++current);
    }
  }
  return longest;
}

}  // namespace

TEST_CASE("examples print what they are expected to, within 80 columns", "[app][slow]") {
  const std::vector<std::string> names = example_names();
  CHECK(names.size() >= 2);
  for (const std::string& name : names) {
    INFO(name);
    std::string command = railyard::read_file((examples / name / "command").string());
    REQUIRE(command.starts_with("railyard "));
    command = command.substr(9, command.find('\n') - 9);
    const std::string folder = fresh_folder("examples") + "/";
    for (std::size_t at; (at = command.find(" out/")) != std::string::npos;) command.replace(at + 1, 4, folder);
    const ProgramRun run = run_program(command);
    CHECK(run.exit_code == 0);
    CHECK(run.output == railyard::read_file((examples / name / "expected.txt").string()));
    CHECK(longest_line(run.output) <= 80);
  }
}

TEST_CASE("report: the same input gives the same bytes in every file", "[app]") {
  const std::string folder = fresh_folder("twice");
  for (const char* name : {"/first", "/second"}) {
    CHECK(
        run_program("report examples/h100-mi300x/study.yaml --set 'gpus=[1024, 4096]' -o " + folder + name).exit_code ==
        0);
  }
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/first")) {
    const std::string name = entry.path().filename().string();
    CHECK(railyard::read_file(folder + "/first/" + name) == railyard::read_file(folder + "/second/" + name));
    ++compared;
  }
  CHECK(compared >= 4);
}
