// SPDX-License-Identifier: Apache-2.0
// Wrong input gives one clear message, exit 2, and no output files.
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace {

const char* const simulate =
    "simulate --model gpt3-175b --design ndr-rail --gpu h100 --profile h100-cuda --gpus 1024 --strategy ";

struct Case {
  const char* what;
  std::string arguments;
  const char* message;
};

std::string study_with(const std::string& from, const std::string& to) {
  std::string text = railyard::read_file(std::string(RAILYARD_SOURCE_DIR) + "/examples/h100-mi300x/study.yaml");
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("bad input on the command line: message, exit 2", "[app]") {
  const auto [what, arguments, message] = GENERATE(
      Case{"missing file", "report no-such-study.yaml", "no-such-study.yaml: error: no such file"},
      Case{"folder as file", "report examples", "examples: error: this is a folder"},
      Case{"unknown design", "bom ndr-rial --gpus 64", "did you mean 'ndr-rail'?"},
      Case{"unknown GPU", "bom ndr-rail --gpus 64 --gpu h10", "GPU 'h10' is unknown"},
      Case{"unknown book", "bom ndr-rail --gpus 64 --book 2024-11", "unknown price book '2024-11'"},
      Case{"unknown buyer", "price ndr-rail --gpus 64 --buyer neoclaud", "did you mean 'neocloud'?"},
      Case{"unknown option", "bom ndr-rail --gpuss 64", "did you mean '--gpus'?"},
      Case{"unknown command", "reprot x", "did you mean 'report'?"}, Case{"no command", "", "a command is missing"},
      Case{"no command of that name", "compare a b",
           "'compare' is no command\n   expected one of: report, simulate, bom,"},
      Case{"no command of a command", "calibrate fir x", "'fir' is no command\n   expected one of: import, fit, show,"},
      Case{"no multiple of a node", "bom ndr-rail --gpus 12", "12"},
      Case{"too many GPUs for the option", "bom ndr-rail --gpus 99999999", "--gpus"},
      Case{"beyond three tiers", "bom ndr-rail --gpus 131072", "65"},
      Case{"strategy key", std::string(simulate) + "'tq=8 gbs=64 seq=2048'", "unknown key 'tq'"},
      Case{"strategy does not divide", std::string(simulate) + "'tp=5 pp=1 mbs=1 gbs=1024 seq=2048'",
           "is not possible on 1024 GPUs"},
      Case{"strategy does not fit", std::string(simulate) + "'tp=1 pp=1 mbs=1 gbs=1024 seq=2048'", "GB a GPU"},
      Case{"strategy without batch", std::string(simulate) + "'tp=8 pp=8 mbs=1'", "add seq=TOKENS and gbs=SEQUENCES"},
      Case{"requirement", "report examples/h100-mi300x/study.yaml --require 'mfo>=0.4'", "did you mean 'mfu'?"},
      Case{"setting without value", "report examples/h100-mi300x/study.yaml --set gpus", "write KEY=VALUE"},
      Case{"setting of an unknown key", "report examples/h100-mi300x/study.yaml --set owner.waac=3",
           "did you mean 'wacc'?"},
      Case{"form of a wiring", "wiring ndr-rail --gpus 64 --as grphml", "did you mean 'graphml'?"},
      Case{"two forms on a terminal", "wiring ndr-rail --gpus 64 --as dot,p2p", "name a folder with --output"},
      Case{"topo of Ethernet", "wiring roce-51t-rail --gpus 64 --as topo", "use dot"},
      Case{"site of a wiring", "wiring ndr-rail --gpus 64 --site air-40w", "did you mean 'air-40kw'?"},
      Case{"places without a site", "wiring ndr-rail --gpus 64 --as racks --site none", "name one with --site"},
      Case{"no wiring to compare", "wiring ndr-rail --gpus 64 --from examples/h100-mi300x/study.yaml",
           "no wiring that is known"},
      Case{"setting given twice", "report examples/h100-mi300x/study.yaml --set owner.pue=1.2 --set owner.pue=1.3",
           "'owner.pue' is set twice"},
      Case{"setting undone by an outer one", "diff examples/h100-mi300x/study.yaml --set gpus[0]=64 --set 'gpus=[128]'",
           "'gpus[0]' is set, then 'gpus', which holds it"},
      Case{"site given twice", "report examples/h100-mi300x/study.yaml --set site=air-40kw --site air-15kw",
           "'site' is set twice"},
      Case{"setting without key", "report examples/h100-mi300x/study.yaml --set =3", "no key before '='"},
      Case{"difference of one", "diff examples/h100-mi300x/study.yaml --first 'MI300X 51.2T stable'",
           "both clusters are 'MI300X 51.2T stable'"},
      Case{"size given twice", "whatif examples/what-if/study.yaml --gpus 512 --set gpus=[1024]", "both say the size"},
      Case{"empty folder", "wiring ndr-rail --gpus 64 -o ''", "--output: the value is empty"},
      Case{"empty drawing", "whatif examples/what-if/study.yaml --set owner.pue=1.3 --svg ''",
           "--svg: the value is empty"},
      Case{"empty file", "check ''", "files: the value is empty"},
      Case{"empty file in a group", "validate --training ''", "--training: the value is empty"},
      Case{"empty log of a command's command", "calibrate show ''", "input: the value is empty"},
      Case{"empty data", "list parts --data ''", "--data: the value is empty"},
      Case{"drawing onto a folder", "whatif examples/what-if/study.yaml --set owner.pue=1.3 --svg examples",
           "--svg 'examples' names a folder"},
      Case{"what if of no file", "whatif no-such-study.yaml", "no-such-study.yaml: error: no such file"},
      Case{"what if of nothing", "whatif examples/what-if/study.yaml", "give --set KEY=VALUE or --fail"},
      Case{"what if of an unknown key", "whatif examples/what-if/study.yaml --set fabric.oversubscripton=2",
           "did you mean 'oversubscription'?"},
      Case{"failure of no kind", "whatif examples/what-if/study.yaml --fail spin:3", "'spin' is no kind of part"},
      Case{"failure of too many", "whatif examples/what-if/study.yaml --fail spine:300", "at most"},
      Case{"option of another validation", "validate --training examples/mlperf-gpt3/measured.csv --book 2024-12",
           "--book requires --owner-costs"},
      Case{"prices of a check", "design ndr-rail --gpus 64 --check --book 2026-09", "--book excludes --check"},
      Case{"SHARP on Ethernet", "collective roce-51t-rail --gpus 32 --sharp", "do not add up (SHARP)"},
      Case{"SHARP of a ring", "collective ndr-rail --gpus 32 --sharp --algorithm ring", "which does without"},
      Case{"SHARP of a gather", "collective ndr-rail --gpus 32 --sharp --op all_gather", "add up what ranks send"},
      Case{"seeds of sprayed packets", "collective ndr-rail --gpus 32 --seeds 5", "--routing ecmp"},
      Case{"GPU beside a study", "collective examples/all-reduce-32/study.yaml --gpus 32 --gpu h200", "with a study"},
      Case{"stride too long", "collective ndr-rail --gpus 32 --placement stride:16000", "131072 GPUs"},
      Case{"stride and a half", "collective ndr-rail --gpus 32 --placement stride:8x", "placement 'stride:8x'"},
      Case{"half a byte", "collective ndr-rail --gpus 32 --from '0.5 B'", "whole bytes"},
      Case{"verdict required", "expect examples/calibrate-nccl/all_gather.log --require fast", "'as-expected'"},
      Case{"list of nothing", "list", "designs"},
      Case{"data folder", "--data /nonexistent list parts", "holds no railyard data"},
      Case{"format", "list parts --format yaml", "--format"});
  INFO(what);
  const std::string output = fresh_folder("bad") + "/out";
  const ProgramRun run = run_program(arguments + (arguments.starts_with("report") ? " -o " + output : ""));
  CHECK(run.exit_code == 2);
  CHECK(run.output.empty());
  CHECK_THAT(run.errors, ContainsSubstring(message));
  CHECK_THAT(run.errors, ContainsSubstring("error"));
  CHECK_THAT(run.errors, !ContainsSubstring(".cpp"));
  CHECK_FALSE(std::filesystem::exists(output));
}

TEST_CASE("bad input in a study: place, remedy, exit 2, no files", "[app]") {
  const auto [what, from, to, message] = GENERATE(table<const char*, const char*, const char*, const char*>({
      {"wrong unit", "184 $/kW/month", "184 $/kWh", "owner.colo: found '184 $/kWh'"},
      {"missing unit", "0.0826 $/kWh", "0.0826", "the unit is missing"},
      {"unknown GPU", "gpu: h100,", "gpu: h10o,", "did you mean 'h100'?"},
      {"negative price", "0.0826 $/kWh", "-0.08 $/kWh", "that is not negative"},
      {"no multiple of a node", "[1024, 2048, 4096, 8192, 16384]", "[1028]", "1028"},
      {"batch that is no whole number", "2048 sequence", "2048.5 sequence", "whole number of sequences"},
      {"unknown key", "price_book:", "price_bok:", "did you mean 'price_book'?"},
      {"duplicate key", "price_book: 2024-12", "price_book: 2024-12\nprice_book: 2024-12",
       "duplicate key 'price_book'"},
      {"syntax", "gpus: [1024", "gpus: [1024]]", "YAML syntax"},
  }));
  INFO(what);
  const std::string folder = fresh_folder("bad-study");
  std::ofstream(folder + "/study.yaml") << study_with(from, to);
  const ProgramRun run = run_program("report " + folder + "/study.yaml -o " + folder + "/out");
  CHECK(run.exit_code == 2);
  CHECK(run.output.empty());
  CHECK_THAT(run.errors, ContainsSubstring(message));
  CHECK_FALSE(std::filesystem::exists(folder + "/out"));
}

TEST_CASE("a price book with a negative price is refused with its place", "[app]") {
  // A whole copy of the data with one price turned negative.
  const std::string folder = fresh_folder("bad-data");
  for (const char* name : {"topologies", "pricing", "calibrate", "sim"}) {
    std::filesystem::copy(std::string(RAILYARD_SOURCE_DIR) + "/" + name, folder + "/" + name,
                          std::filesystem::copy_options::recursive);
  }
  std::string book = railyard::read_file(folder + "/pricing/books/2024-12.yaml");
  const std::size_t at = book.find("typical: ");
  REQUIRE(at != std::string::npos);
  book.insert(at + 9, "-");
  std::ofstream(folder + "/pricing/books/2024-12.yaml") << book;
  const ProgramRun run = run_program("--data " + folder + " bom ndr-rail --gpus 64 --book 2024-12");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("pricing/books/2024-12.yaml:") && ContainsSubstring("that is not negative"));
}

TEST_CASE("an output folder that cannot be written fails with exit 1 and leaves nothing", "[app]") {
  const std::string folder = fresh_folder("blocked");
  std::ofstream(folder + "/file") << "in the way";
  const ProgramRun run =
      run_program("report examples/h100-mi300x/study.yaml --set 'gpus=[1024]' -o " + folder + "/file/out");
  CHECK(run.exit_code == 1);
  CHECK_THAT(run.errors, ContainsSubstring("cannot write into"));
}

TEST_CASE("a requirement that is not met: exit 3, results still written", "[app]") {
  const std::string folder = fresh_folder("require");
  const std::string study = "report examples/h100-mi300x/study.yaml --set 'gpus=[1024]' -o " + folder + "/out";
  const ProgramRun met = run_program(study + " --require 'mfu>=0.01' --require 'goodput>0.5'");
  CHECK(met.exit_code == 0);
  const ProgramRun missed = run_program(study + " --require 'mfu>=0.99'");
  CHECK(missed.exit_code == 3);
  CHECK_THAT(missed.errors, ContainsSubstring("not met: H100 InfiniBand with 1024 GPUs: mfu is"));
  CHECK(std::filesystem::exists(folder + "/out/results.json"));
}

TEST_CASE("tables without rows, and without a row that can be judged, are no evidence", "[app]") {
  struct Table {
    const char *option, *file, *with;
  };
  const Table table = GENERATE(
      Table{"--training", "examples/mlperf-gpt3/measured.csv", " --design ndr-rail --gpu h100 --profile h100-cuda"},
      Table{"--collectives", "sim/study/validation/collectives-measured.csv", ""},
      Table{"--owner-costs", "sim/study/published/owner-costs.csv", ""});
  const std::string text = railyard::read_file(std::string(RAILYARD_SOURCE_DIR) + "/" + table.file);
  const std::string header = text.substr(0, text.find('\n') + 1);
  const std::string file = fresh_folder("no-rows") + "/table.csv";
  std::ofstream(file) << header;
  const ProgramRun run = run_program(std::string("validate ") + table.option + " " + file + table.with);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("table.csv:1:1: error: no rows below the header"));
  CHECK(run.output.empty());

  if (std::string(table.option) != "--collectives") return;
  const std::size_t first = text.find("V100");
  const std::size_t begin = text.rfind('\n', first) + 1;
  std::ofstream(file) << header << text.substr(begin, text.find('\n', first) + 1 - begin);
  const ProgramRun none = run_program(std::string("validate --collectives ") + file);
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.errors, ContainsSubstring("none of its rows can be held against a prediction"));
  CHECK_THAT(none.errors, ContainsSubstring("V100"));
}

TEST_CASE("a profile of no date does not pass the check", "[app]") {
  std::string text = railyard::read_file(std::string(RAILYARD_SOURCE_DIR) + "/calibrate/profiles/h100-cuda.yaml");
  const std::string key = "\ndate: ";
  const std::size_t begin = text.find(key) + key.size();
  text.replace(begin, text.find('\n', begin) - begin, "2024-99");
  const std::string file = fresh_folder("odd-profile") + "/h100-cuda.yaml";
  std::ofstream(file) << text;
  const ProgramRun run = run_program("check " + file);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("date: found '2024-99'"));
}
