// SPDX-License-Identifier: Apache-2.0
// The command as a user runs it: on the host, and where no GPU answers.
#include <cstdlib>

#include "base/files.h"
#include "calibrate/profile/profile.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace railyard {
namespace {

TEST_CASE("calibrate measure: the host gives memory figures that check accepts", "[device][slow]") {
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
  CHECK_THAT(file.errors, ContainsSubstring("-o 'profile.txt' is no file of a profile"));
  // Each of these measured for half a minute before it said what was wrong, or measured something else.
  const std::string start = "calibrate measure --device host --quick ";
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"--only ''", "--only: the value is empty"},
           {"--only hbm,", "--only 'hbm,': a name is empty"},
           {"--only gpus", "--only gpus leaves nothing to measure on 1 x "},
           {"--only hbm --like h100-cuba -o x.yaml", "h100-cuba"},
           {"--only hbm --like h100-cuda", "--like has no effect without -o"},
           {"--only hbm --like '' -o x.yaml", "--like"},
           {"--only hbm -o ''", "--output"},
           {"--only hbm -o calibrate/FORMAT.md/x.yaml", "calibrate/FORMAT.md is no folder"},
           {"--only hbm -o x.samples.yaml", "is no file of a profile"},
           {"--method-study", "--quick has no effect on the study of method"},
           {"--only hbm --rendezvous here:1", "--rendezvous is for the processes of a launch"},
           {"--only hbm --rendezvous-limit 0", "--rendezvous-limit"}}) {
    const ProgramRun run = run_program(start + arguments);
    CAPTURE(arguments, run.errors);
    CHECK(run.exit_code == 2);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, ContainsSubstring(message));
  }
  CHECK(run_program("calibrate measure --device host --method-study").exit_code == 2);
  CHECK(run_program("calibrate measure --device gpu").exit_code == 2);
}

/// Processes as mpirun starts them: `size` of them at once on this machine, each with its variables. Exit codes by
/// rank.
std::vector<int> launched(int size, const std::string& arguments, const std::string& folder,
                          const std::string& more = {}) {
  std::string script = "cd '" RAILYARD_SOURCE_DIR "'\n";
  for (int rank = 0; rank < size; ++rank) {
    const std::string r = std::to_string(rank), n = std::to_string(size);
    script += "env OMPI_COMM_WORLD_RANK=" + r + " OMPI_COMM_WORLD_SIZE=" + n + " OMPI_COMM_WORLD_LOCAL_RANK=" + r +
              " OMPI_COMM_WORLD_LOCAL_SIZE=" + n + " " + more + " '" RAILYARD_PROGRAM "' " + arguments +
              " --rendezvous '" + folder + "/meet' >'" + folder + "/out" + r + "' 2>'" + folder + "/err" + r +
              "' </dev/null & p" + r + "=$!\n";
  }
  for (int rank = 0; rank < size; ++rank) {
    const std::string r = std::to_string(rank);
    script += "wait $p" + r + "; echo $? >'" + folder + "/code" + r + "'\n";
  }
  write_files(folder, {{"launch.sh", script}});
  (void)std::system(("sh '" + folder + "/launch.sh'").c_str());  // NOLINT: the test's own commands
  std::vector<int> codes;
  for (int rank = 0; rank < size; ++rank)
    codes.push_back(std::stoi(read_file(folder + "/code" + std::to_string(rank))));
  return codes;
}

TEST_CASE("calibrate measure: processes of a launch measure collectives together, rank 0 writes the profile",
          "[device][slow]") {
  const std::string folder = fresh_folder("measure-launch");
  const std::vector<int> codes =
      launched(2, "calibrate measure --device host --quick --only collective -o " + folder + "/hosts.yaml", folder);
  CAPTURE(read_file(folder + "/err0"), read_file(folder + "/err1"));
  CHECK(codes == std::vector<int>{0, 0});
  const std::string output = read_file(folder + "/out0");
  CHECK_THAT(output, ContainsSubstring("host: 2 x ") && ContainsSubstring("all_reduce, 2 ranks") &&
                         ContainsSubstring("all_to_all, 2 ranks") && ContainsSubstring("broadcast, 2 ranks"));
  CHECK_THAT(output, !ContainsSubstring("waived"));
  CHECK(read_file(folder + "/out1").empty());
  CHECK(read_file(folder + "/err1").empty());
  CHECK(run_program("check " + folder + "/hosts.yaml " + folder + "/hosts.samples.yaml").exit_code == 0);
  const Profile profile = read_profile(YamlDocument::load(folder + "/hosts.yaml"));
  CHECK(!profile.run.empty());
  CHECK_THAT(read_file(folder + "/hosts.measured.csv"), ContainsSubstring("collective,reduce_scatter"));
}

TEST_CASE("calibrate measure: a launch whose processes differ, or do not come, ends all of them with the reason",
          "[device][slow]") {
  const std::string folder = fresh_folder("measure-launch-missing");
  // Two of four ranks start.
  const std::vector<int> codes =
      launched(2, "calibrate measure --device host --quick --only collective --rendezvous-limit 5", folder,
               "OMPI_COMM_WORLD_SIZE=4");
  CHECK(codes == std::vector<int>{1, 1});
  for (const std::string rank : {"0", "1"}) {
    CHECK_THAT(read_file(folder + "/err" + rank), ContainsSubstring("2 of 4 processes are missing: rank 2, 3"));
  }
  const std::string without = fresh_folder("measure-launch-device");
  const std::vector<int> none = launched(2, "calibrate measure --device cuda --quick --only collective", without);
  if (none[0] != 0) {  // no GPU here: each says so
    CHECK((none[0] == 77 || none[1] == 77));
    CHECK_THAT(read_file(without + "/err0") + read_file(without + "/err1"), ContainsSubstring("no device"));
  }
}

}  // namespace
}  // namespace railyard
