// SPDX-License-Identifier: Apache-2.0
// wiring: files appear whole, in one place or the other, the same each time; a difference from the plan exits 3.
#include <filesystem>
#include <fstream>
#include <set>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace {

using railyard::read_file;

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

const std::string wiring_of_256 = "wiring ndr-rail --gpus 256 --gpu h100 ";

}  // namespace

TEST_CASE("wiring: a folder holds every form, the same bytes each time", "[app]") {
  const std::string folder = fresh_folder("wiring");
  for (const char* name : {"/first", "/second"})
    CHECK(run_program(wiring_of_256 + "-o " + folder + name).exit_code == 0);
  const std::set<std::string> names = names_in(folder + "/first");
  CHECK(names.size() == 16);
  for (const std::string& name : names) {
    INFO(name);
    const std::string text = read_file(folder + "/first/" + name);
    CHECK(!text.empty());
    CHECK(text == read_file(folder + "/second/" + name));
  }
}

TEST_CASE("wiring: one form goes to the terminal, a file or a folder, and is the same", "[app]") {
  const std::string folder = fresh_folder("wiring-one");
  const ProgramRun shown = run_program(wiring_of_256 + "--as p2p");
  CHECK(shown.exit_code == 0);
  CHECK(run_program(wiring_of_256 + "--as p2p -o " + folder + "/sheet.csv").exit_code == 0);
  CHECK(run_program(wiring_of_256 + "--as p2p -o " + folder + "/below").exit_code == 0);
  CHECK(shown.output == read_file(folder + "/sheet.csv"));
  CHECK(shown.output == read_file(folder + "/below/point-to-point.csv"));
  CHECK(run_program(wiring_of_256 + "--format csv").output == run_program(wiring_of_256 + "--as cut-sheet").output);
}

TEST_CASE("wiring: what cannot be written leaves nothing", "[app]") {
  const std::string folder = fresh_folder("wiring-blocked");
  std::filesystem::create_directories(folder + "/out/fabric.dot");  // a folder in the place of a file
  const ProgramRun run = run_program(wiring_of_256 + "-o " + folder + "/out");
  CHECK(run.exit_code == 1);
  CHECK(names_in(folder + "/out") == std::set<std::string>{"fabric.dot"});
}

TEST_CASE("wiring: compared with what was built, exit 3 when it differs", "[app]") {
  const std::string folder = fresh_folder("wiring-built");
  CHECK(run_program(wiring_of_256 + "-o " + folder).exit_code == 0);
  for (const char* file : {"/fabric.graphml", "/cut-sheet.csv", "/point-to-point.csv", "/netbox-8-cables.csv"}) {
    INFO(file);
    const ProgramRun same = run_program(wiring_of_256 + "--from " + folder + file);
    CHECK(same.exit_code == 0);
    CHECK_THAT(same.output, ContainsSubstring("512 of 512 planned links are as planned, 0 differ"));
  }
  // Two nodes on each other's leaf port.
  std::string sheet = read_file(folder + "/point-to-point.csv");
  const auto exchange = [&](const std::string& from, const std::string& to) {
    const std::size_t at = sheet.find(from);
    REQUIRE(at != std::string::npos);
    sheet.replace(at, from.size(), to);
  };
  exchange("pod001-leaf-r1,Switch,1/1", "pod001-leaf-r1,Switch,X");
  exchange("pod001-leaf-r1,Switch,1/2", "pod001-leaf-r1,Switch,1/1");
  exchange("pod001-leaf-r1,Switch,X", "pod001-leaf-r1,Switch,1/2");
  std::ofstream(folder + "/built.csv") << sheet;
  const ProgramRun run = run_program(wiring_of_256 + "--from " + folder + "/built.csv");
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.output, ContainsSubstring("510 of 512 planned links are as planned, 1 differ") &&
                             ContainsSubstring("swapped\n  pod001-node001 mlx5_0: planned pod001-leaf-r1 1/1, found"));
}

TEST_CASE("wiring: GraphML is checked like every other file", "[app]") {
  const std::string folder = fresh_folder("wiring-check");
  CHECK(run_program(wiring_of_256 + "--as graphml -o " + folder + "/a.graphml").exit_code == 0);
  CHECK_THAT(run_program("check " + folder + "/a.graphml").output, ContainsSubstring("wiring, no mistakes"));
  std::string text = read_file(folder + "/a.graphml");
  text.replace(text.find(">leaf<"), 6, ">loaf<");
  std::ofstream(folder + "/b.graphml") << text;
  const ProgramRun run = run_program("check " + folder + "/b.graphml");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("b.graphml:") && ContainsSubstring("did you mean 'leaf'?"));
}
