// SPDX-License-Identifier: Apache-2.0
// Examples are tests: their output equals expected.txt. Numbers change only in a commit that says so.
#include <filesystem>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace {
std::string expected(const std::string& example) {
  return railyard::read_file(std::string(RAILYARD_SOURCE_DIR) + "/examples/" + example + "/expected.txt");
}
}  // namespace

TEST_CASE("example h100-mi300x equals its expected output", "[app]") {
  const std::string folder = fresh_folder("example");
  const ProgramRun run = run_program("report examples/h100-mi300x/study.yaml -o " + folder + "/out");
  CHECK(run.exit_code == 0);
  CHECK(run.output == expected("h100-mi300x"));
  // Lines fit a terminal of 80 columns.
  std::size_t begin = 0;
  while (begin < run.output.size()) {
    const std::size_t end = run.output.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
  // The same input gives the same bytes.
  const ProgramRun again = run_program("report examples/h100-mi300x/study.yaml -o " + folder + "/again");
  for (const char* file : {"results.json", "results.csv", "capex.csv", "owner.csv"}) {
    CHECK(railyard::read_file(folder + "/out/" + file) == railyard::read_file(folder + "/again/" + file));
  }
}

TEST_CASE("example mlperf-gpt3 equals its expected output", "[app]") {
  const ProgramRun run = run_program(
      "validate --training examples/mlperf-gpt3/measured.csv --design ndr-rail --gpu h100 --profile h100-cuda");
  CHECK(run.exit_code == 0);
  CHECK(run.output == expected("mlperf-gpt3"));
}
