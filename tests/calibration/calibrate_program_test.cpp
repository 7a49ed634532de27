// SPDX-License-Identifier: Apache-2.0
// The commands as a nightly job uses them.
#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/calibration/ring_log.h"
#include "tests/catch.h"

namespace railyard {
namespace {

std::string write_log(const std::string& name, const std::string& text) {
  const std::string folder = fresh_folder("log-" + name);
  write_files(folder, {{name, text}});
  return folder + "/" + name;
}

TEST_CASE("calibrate: from a log to a profile that check accepts and fit repeats", "[calibration]") {
  const std::string log = write_log("ring.log", fixture::ring_log(4) + fixture::ring_log(8));
  const std::string folder = fresh_folder("profile");
  const ProgramRun run = run_program("calibrate import " + log + " --like h100-cuda -o " + folder + "/mine.yaml");
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, ContainsSubstring("all_reduce") && ContainsSubstring("accepted"));
  const ProgramRun check = run_program("check " + folder + "/mine.yaml " + folder + "/mine.samples.yaml");
  CHECK(check.exit_code == 0);
  const ProgramRun again =
      run_program("calibrate fit " + folder + "/mine.samples.yaml -o " + folder + "/mine.yaml --format json");
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsSubstring("\"left_out_error\""));
  const ProgramRun show = run_program("calibrate show " + folder + "/mine.yaml --svg " + folder + "/mine.svg");
  CHECK(show.exit_code == 0);
  CHECK_THAT(show.output, ContainsSubstring("ASSUMED: as h100-cuda; not measured here"));
  const std::string svg = read_file(folder + "/mine.svg");
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK_THAT(svg, ContainsSubstring("all_reduce, 8 ranks, 1 node") && ContainsSubstring("class=\"law\""));
}

TEST_CASE("calibrate: logs that are all refused exit 2 with the reasons and leave nothing", "[calibration]") {
  const std::string log = write_log("one.log", fixture::settings() + fixture::devices(1, 1) + fixture::header() +
                                                   fixture::rows(fixture::three_rows, 0) + fixture::footer());
  const std::string folder = fresh_folder("nothing");
  const ProgramRun run = run_program("calibrate import " + log + " --like h100-cuda -o " + folder + "/mine.yaml");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("refused, one_rank"));
  CHECK(std::filesystem::is_empty(folder));
  CHECK(run_program("calibrate import " + log + " --lik h100-cuda").exit_code == 2);
}

TEST_CASE("calibrate: a nightly job fails by exit 3 on a marked regression, and only then", "[calibration]") {
  const std::string before = write_log("before.log", fixture::ring_log(8));
  const std::string after = write_log("after.log", fixture::ring_log(8, 350, 1.1));
  const std::string command = "calibrate compare " + before + " ";
  CHECK(run_program(command + before + " --require 'all_reduce>=-3 %'").exit_code == 0);
  const ProgramRun broken = run_program(command + after + " --require 'all_reduce>=-3 %' --format json");
  CHECK(broken.exit_code == 3);
  CHECK_THAT(broken.errors, ContainsSubstring("not met: all_reduce, 8 ranks, 1 node, 4 GiB"));
  for (const char* key : {"\"operation\"", "\"size\"", "\"a\"", "\"b\"", "\"difference\"", "\"noise\"", "\"marked\""}) {
    CHECK_THAT(broken.output, ContainsSubstring(key));
  }
  CHECK(run_program(command + after).exit_code == 0);
  CHECK(run_program(command + after + " --require 'gemm>=-3 %'").exit_code == 2);
}

TEST_CASE("calibrate: text keeps to 80 columns", "[calibration]") {
  const std::string log = write_log("ring.log", fixture::ring_log(8));
  for (const std::string& command : {"import " + log, "fit " + log, "show " + log, "compare " + log + " h100-cuda",
                                     std::string("show h200-cuda"), std::string("compare h100-cuda h200-cuda")}) {
    INFO(command);
    const ProgramRun run = run_program("calibrate " + command);
    CHECK(run.exit_code == 0);
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(log) == std::string::npos) CHECK(line.size() <= 80);  // the path is the user's
    }
  }
}

}  // namespace
}  // namespace railyard
