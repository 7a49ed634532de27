// SPDX-License-Identifier: Apache-2.0
// The README tells the truth: each `$ railyard ...` of its console blocks is run, and its output compared.
#include <sstream>
#include <vector>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace {

struct Session {
  std::string command;  // after "$ "
  std::string output;
};

/// Commands of ```console blocks, each with the lines that follow it; "..." lines stand for output left out.
std::vector<Session> sessions_of(const std::string& markdown) {
  std::vector<Session> sessions;
  std::istringstream lines(markdown);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      sessions.push_back({line.substr(2), {}});
    } else if (inside && !sessions.empty()) {
      sessions.back().output += line + "\n";
    }
  }
  return sessions;
}

/// True when `shown` equals `whole`, where a line "..." of `shown` matches any number of lines.
bool matches(const std::string& shown, const std::string& whole) {
  std::size_t at = 0;
  bool gap = false;
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) {
    if (line == "...") {
      gap = true;
      continue;
    }
    line += '\n';
    const std::size_t found = gap ? whole.find(line, at) : at;
    if (found == std::string::npos || whole.compare(found, line.size(), line) != 0) return false;
    at = found + line.size();
    gap = false;
  }
  return gap || at == whole.size();
}

}  // namespace

TEST_CASE("README: every command runs and prints what the page shows", "[app][slow]") {
  const std::vector<Session> sessions =
      sessions_of(railyard::read_file(std::string(RAILYARD_SOURCE_DIR) + "/README.md"));
  std::size_t run_count = 0;
  for (const Session& session : sessions) {
    if (!session.command.starts_with("railyard ")) continue;  // scripts are run by CI itself
    INFO(session.command);
    std::string arguments = session.command.substr(9);
    const std::string folder = fresh_folder("readme");
    for (std::size_t at; (at = arguments.find("out/")) != std::string::npos;) arguments.replace(at, 4, folder + "/");
    const ProgramRun run = run_program(arguments);
    CHECK(run.exit_code == 0);
    if (!session.output.empty()) {
      INFO(run.output);
      CHECK(matches(session.output, run.output));
    }
    ++run_count;
  }
  CHECK(run_count >= 4);
}

TEST_CASE("README: the matcher can fail", "[app]") {
  CHECK(matches("a\n...\nc\n", "a\nb\nc\n"));
  CHECK_FALSE(matches("a\nc\n", "a\nb\nc\n"));
  CHECK_FALSE(matches("a\n", "a\nb\n"));
  CHECK_FALSE(matches("a\n...\nd\n", "a\nb\nc\n"));
}
