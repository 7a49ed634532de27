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

TEST_CASE("calibrate: a profile of one's own serves a study, from wherever it is read", "[calibration]") {
  const std::string log = write_log("ring.log", fixture::ring_log(4, 300) + fixture::ring_log(8, 300));
  const std::string folder = fresh_folder("own");
  REQUIRE(run_program("calibrate import " + log + " --like h100-cuda -o " + folder + "/mine.yaml").exit_code == 0);
  write_files(folder, {{"study.yaml", R"(study: mine and theirs
workload: {model: llama3-70b, sequence: 8192, global_batch: 2048 sequence, precision: bf16}
gpus: [64]
owner: {buyer: neocloud}
clusters:
  - {name: mine, design: ndr-rail, gpu: h100, profile: mine.yaml, strategy: "tp=8 sp=1 pp=4 mbs=1 recompute=none zero=1"}
  - {name: theirs, design: ndr-rail, gpu: h100, profile: h100-cuda, strategy: "tp=8 sp=1 pp=4 mbs=1 recompute=none zero=1"}
)"}});
  const ProgramRun report =
      run_program("report " + folder + "/study.yaml -o " + folder + "/out --explain --format json");
  INFO(report.errors);
  REQUIRE(report.exit_code == 0);
  const std::string results = read_file(folder + "/out/results.json");
  CHECK_THAT(results, ContainsSubstring("\"profile\": \"mine\"") && !ContainsSubstring("mine.yaml"));
  // The content counts, not the name: another one is another input.
  const auto hash = [&] {
    const std::string text = read_file(folder + "/out/results.json");
    return text.substr(text.find("input_hash"), 60);
  };
  const std::string before = hash();
  REQUIRE(run_program("calibrate import " + write_log("slow.log", fixture::ring_log(8, 200)) + " --like h100-cuda -o " +
                      folder + "/mine.yaml")
              .exit_code == 0);
  REQUIRE(run_program("report " + folder + "/study.yaml -o " + folder + "/out").exit_code == 0);
  CHECK(hash() != before);
  // Mistakes name the file and what is wrong in it.
  write_files(folder, {{"mine.yaml", "profile: mine\n"}});
  const ProgramRun broken = run_program("check " + folder + "/study.yaml");
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.errors,
             ContainsSubstring("clusters[0].profile") && ContainsSubstring("mine.yaml:1: the key 'gpu'"));
}

TEST_CASE("calibrate: nodes that a log does not tell are given", "[calibration]") {
  const std::string table =
      fixture::settings() + fixture::header() +
      fixture::rows({{67108864, 67108864 * 1.75 / 300e3}, {1073741824, 1073741824 * 1.75 / 300e3}}, 1.75) +
      fixture::footer();
  const std::string log = write_log("table.log", table);
  const std::string out = " --like h100-cuda -o " + fresh_folder("nodes") + "/mine.yaml";
  const ProgramRun unknown = run_program("calibrate import " + log + out);
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.errors, ContainsSubstring("the log does not tell the nodes (--nodes)"));
  CHECK(run_program("calibrate import " + log + out + " --nodes 1").exit_code == 0);
  CHECK_THAT(run_program("calibrate import " + log + out + " --nodes 3").errors, ContainsSubstring("spread evenly"));
  const std::string told = write_log("told.log", fixture::ring_log(8));
  CHECK_THAT(run_program("calibrate import " + told + out + " --nodes 2").errors, ContainsSubstring("tells 1 nodes"));
}

TEST_CASE("calibrate: options that would do nothing, and files that would be lost, are errors", "[calibration]") {
  const std::string log = write_log("ring.log", fixture::ring_log(8));
  const std::string folder = fresh_folder("refused");
  for (const auto& [arguments, message] :
       {std::pair{"import " + log + " --like h100-cuda", "--like has no effect without -o"},
        std::pair{"import " + log + " --nic '400 Gb/s'", "--nic has no effect without -o"},
        std::pair{"fit " + log + " --fabric roce", "--fabric has no effect without -o"},
        std::pair{"show " + log + " --like h100-cuda", "--like has no effect without --svg"},
        std::pair{"import " + log + " --like h100-cuda -o ''", "the value is empty"},
        std::pair{"import " + log + " --like h100-cuda -o " + folder + "/x.samples.yaml", "is no file of a profile"},
        std::pair{"import " + log + " --like h100-cuda -o " + folder + "/x.yaml --fabric roce --nic '0 Gb/s'",
                  "expected a bandwidth above zero"}}) {
    INFO(arguments);
    const ProgramRun run = run_program("calibrate " + arguments);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.errors, ContainsSubstring(message));
  }
  CHECK(std::filesystem::is_empty(folder));
  const std::string base = folder + "/base.yaml";
  REQUIRE(run_program("calibrate import " + log + " --like h100-cuda -o " + base).exit_code == 0);
  CHECK_THAT(run_program("calibrate import " + log + " --like " + base + " -o " + base).errors,
             ContainsSubstring("-o would replace"));
  // A profile named by its file is found again from the samples, wherever the program runs.
  REQUIRE(
      run_program("calibrate import " + log + " --like " + base + " -o " + folder + "/deeper/next.yaml").exit_code ==
      0);
  CHECK_THAT(read_file(folder + "/deeper/next.samples.yaml"), ContainsSubstring("like: \"../base.yaml\""));
  CHECK(run_program("calibrate fit " + folder + "/deeper/next.samples.yaml -o " + folder + "/deeper/again.yaml")
            .exit_code == 0);
}

}  // namespace
}  // namespace railyard
