// SPDX-License-Identifier: Apache-2.0
// The command as a user runs it: on the host, and where no GPU answers.
#include <cstdlib>

#include "base/files.h"
#include "calibrate/profile/profile.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace railyard {
namespace {

TEST_CASE("calibrate measure: the host gives memory figures that check accepts", "[device]") {
  const std::string folder = fresh_folder("measure-host");
  const ProgramRun run =
      run_program("calibrate measure --device host --quick --only hbm,launch -o " + folder + "/host.yaml");
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, ContainsSubstring("memory copy") && ContainsSubstring("GB/s"));
  CHECK_THAT(run.errors, ContainsSubstring("wrote " + folder + "/host.yaml"));
  const ProgramRun check = run_program("check " + folder + "/host.yaml " + folder + "/host.samples.yaml");
  CHECK(check.exit_code == 0);
  const Profile profile = read_profile(YamlDocument::load(folder + "/host.yaml"));
  CHECK(profile.gpu == "host");
  CHECK(!profile.memory.evidence.assumed());
  CHECK(!profile.kernel_gap.evidence.assumed());
  CHECK(profile.gemm.at(Precision::bf16).sustained.evidence.assumed());  // not asked for
  CHECK(!profile.run.empty());
  CHECK_THAT(read_file(folder + "/host.measured.csv"), ContainsSubstring("hbm,memory triad"));
}

TEST_CASE("calibrate measure: the whole quick plan of the host gives a profile with its own products",
          "[device][slow]") {
  const std::string folder = fresh_folder("measure-host-whole");
  const ProgramRun run = run_program("calibrate measure --device host --quick -o " + folder + "/host.yaml");
  CHECK(run.exit_code == 0);
  REQUIRE(run.errors.find("error") == std::string::npos);
  const Profile profile = read_profile(YamlDocument::load(folder + "/host.yaml"));
  CHECK(!profile.gemm.at(Precision::bf16).sustained.evidence.assumed());
  CHECK(!profile.attention.at(128).forward.evidence.assumed());
  // Any processor multiplies between a GFLOP and a hundred TFLOP a second.
  const double rate = profile.gemm.at(Precision::bf16).sustained.value.typical.in(flop / second);
  CHECK(rate > 1e9);
  CHECK(rate < 1e14);
}

TEST_CASE("calibrate measure: without a plug-in it says what is missing and exits 77", "[device]") {
  // An empty folder for plug-ins does not hide those beside the program: then a GPU may answer, or say that none does.
  for (const std::string device : {"cuda", "hip"}) {
    const ProgramRun run = run_program("calibrate measure --quick --only launch --device " + device);
    if (run.exit_code == 0) continue;
    CHECK(run.exit_code == 77);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, ContainsSubstring("error: no device: "));
  }
}

TEST_CASE("calibrate measure: wrong groups and files are refused before anything runs", "[device]") {
  const ProgramRun group = run_program("calibrate measure --device host --only hbm,gem");
  CHECK(group.exit_code == 2);
  CHECK_THAT(group.errors, ContainsSubstring("'gem' is no group of measurements") && ContainsSubstring("'gemm'"));
  const ProgramRun file = run_program("calibrate measure --device host -o profile.txt");
  CHECK(file.exit_code == 2);
  CHECK_THAT(file.errors, ContainsSubstring("-o 'profile.txt' is no YAML file"));
  CHECK(run_program("calibrate measure --device gpu").exit_code == 2);
}

}  // namespace
}  // namespace railyard
