// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "tests/app/run_program.h"
#include "tests/catch.h"

using nlohmann::json;

namespace {
json run_json(const std::string& arguments) {
  const ProgramRun run = run_program(arguments + " --format json");
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  return json::parse(run.output);
}
}  // namespace

TEST_CASE("expect: a requirement that a judged run breaks is exit 3", "[app]") {
  const std::string log = "expect examples/calibrate-nccl/all_gather.log";
  CHECK(run_program(log + " --require as-expected --require 'ratio>=0.8'").exit_code == 0);
  const ProgramRun broken = run_program(log + " --require 'ratio>=200 %'");
  CHECK(broken.exit_code == 3);
  CHECK_THAT(broken.errors, ContainsSubstring("not met: ") && ContainsSubstring("required ratio>=200 %"));
  CHECK(broken.output == run_program(log).output);
}

TEST_CASE("GPUs are named in any case", "[app]") {
  const std::string rest = " --gpus 32 --from '1 GiB' --to '1 GiB'";
  CHECK(run_program("collective ndr-rail --gpu H100" + rest).output ==
        run_program("collective ndr-rail --gpu h100" + rest).output);
  const std::string simulate =
      " --model gpt3-175b --design ndr-rail --profile h100-cuda --gpus 1024 --strategy 'tp=8 pp=8 mbs=1 gbs=1024 "
      "seq=2048'";
  CHECK(run_program("simulate --gpu H100" + simulate).output == run_program("simulate --gpu h100" + simulate).output);
  CHECK(run_program("bom ndr-rail --gpus 64 --gpu H100").output ==
        run_program("bom ndr-rail --gpus 64 --gpu h100").output);
}

TEST_CASE("bom: the keys and counts of both designs at 16 384 GPUs", "[app]") {
  const json ndr = run_json("bom ndr-rail --gpus 16384");
  CHECK(ndr["schema"] == "railyard/1");
  CHECK(ndr["switches"] == json({{"leaf", 512}, {"spine", 512}, {"core", 256}}));
  CHECK(ndr["total_switches"] == 1280);
  CHECK(ndr["tiers"] == 3);
  CHECK(ndr["links"] == json({{"node_leaf", 16384}, {"leaf_spine", 16384}, {"spine_core", 16384}}));
  CHECK(ndr["cables"]["total"] == 49152);
  CHECK(ndr["layers"][0] == json({{"name", "leaf"}, {"switches", 512}, {"links_down", 16384}, {"links_up", 16384}}));

  const json roce = run_json("bom roce-51t-rail --gpus 16384");
  CHECK(roce["switches"] == json({{"leaf", 256}, {"spine", 256}, {"core", 128}}));
  // Twin-port modules of the switches: five link ends a GPU, two ends a module.
  const auto switch_modules = [](const json& bom) {
    return bom["modules"]["leaf"].get<int>() + bom["modules"]["spine"].get<int>() + bom["modules"]["core"].get<int>();
  };
  CHECK(switch_modules(ndr) == 40960);
  CHECK(switch_modules(roce) == 40960);
  for (const json& line : ndr["lines"]) {
    CHECK(line["source"].get<std::string>().size() > 10);
    CHECK_THAT(line["total_usd"].get<double>(),
               WithinRel(line["quantity"].get<double>() * line["unit_usd"].get<double>(), 1e-12));
  }
}

TEST_CASE("site: the bill has the cables of the plan, by length, and costs less than planning lengths", "[app]") {
  const std::string cluster = " ndr-rail --gpus 1024 --gpu h100 --book 2024-12";
  const json plan = run_json("design" + cluster + " --site air-40kw");
  const json bom = run_json("bom" + cluster + " --site air-40kw");
  std::map<std::pair<std::string, double>, int> planned, listed;
  for (const json& bin : plan["cables"]) {
    planned[{bin["part"].get<std::string>(), bin["length_m"].get<double>()}] += bin["cables"].get<int>();
  }
  for (const json& line : bom["lines"]) {
    if (!line.contains("length_m")) continue;
    listed[{line["part"].get<std::string>(), line["length_m"].get<double>()}] += line["quantity"].get<int>();
  }
  CHECK(planned == listed);
  CHECK(bom["capex_usd"].get<double>() < run_json("bom" + cluster)["capex_usd"].get<double>());
}

TEST_CASE("site: what cannot stand there is an error with limit and excess", "[app]") {
  const ProgramRun heavy = run_program("design ndr-rail --gpus 72 --gpu gb200 --site air-40kw");
  CHECK(heavy.exit_code == 2);
  CHECK(heavy.output.empty());
  CHECK(heavy.errors.find("more than the 42 kW of a rack") != std::string::npos);
  const ProgramRun name = run_program("bom ndr-rail --gpus 64 --site air-40");
  CHECK(name.exit_code == 2);
  CHECK(name.errors.find("did you mean 'air-40kw'?") != std::string::npos);
  CHECK(run_program("design ndr-rail --gpus 64,128 --site air-40kw").exit_code == 2);
}

TEST_CASE("bom: the back-end network alone by default, everything with --all", "[app]") {
  const json network = run_json("bom ndr-rail --gpus 64 --gpu h100 --book 2024-12");
  const json all = run_json("bom ndr-rail --gpus 64 --gpu h100 --book 2024-12 --all");
  CHECK(all["capex_usd"] > network["capex_usd"]);
  CHECK(all["power_w"] > network["power_w"]);
  for (const json& line : network["lines"]) CHECK(line["category"] != "server");
  double sum = 0;
  for (const json& line : network["lines"]) sum += line["total_usd"].get<double>();
  CHECK_THAT(sum, WithinRel(network["capex_usd"].get<double>(), 1e-12));
}

TEST_CASE("simulate: one row with the breakdown that sums to the step and the memory by purpose", "[app]") {
  const json row = run_json(
      "simulate --model gpt3-175b --design ndr-rail --gpu h100 --profile h100-cuda --gpus 1024 --strategy "
      "\"tp=8 sp=1 pp=8 vpp=2 mbs=1 gbs=2048 seq=2048 recompute=none zero=1 precision=bf16\"");
  double sum = 0;
  for (const char* part :
       {"compute", "tp", "cp", "ep", "pp_bubble", "pp_send", "dp", "optimizer", "host", "straggler"}) {
    REQUIRE(row["breakdown_s"].contains(part));
    sum += row["breakdown_s"][part].get<double>();
  }
  CHECK(row["breakdown_s"].size() == 10);
  CHECK_THAT(sum, WithinRel(row["step_time_s"].get<double>(), 1e-9));
  CHECK(row["memory_bytes"]["total"] < 80e9);
  CHECK(row["mfu"] > 0.1);
  for (const char* key : {"step_time_s", "mfu", "goodput", "capex_usd", "usd_per_effective_pflop_hour"}) {
    CHECK(row[std::string(key) + "_low"] <= row[key]);
    CHECK(row[key] <= row[std::string(key) + "_high"]);
  }
}

TEST_CASE("price: owner rows evaluate to the owner cost per GPU-hour", "[app]") {
  const json price = run_json("price ndr-rail --gpus 1024 --gpu h100 --book 2024-12");
  CHECK(price["owner_rows"].size() > 8);
  CHECK(price["owner_usd_per_gpu_hour"] > 0.5);
  CHECK(price["owner_usd_per_gpu_hour"] < 5);
}

TEST_CASE("design: shape and bisection", "[app]") {
  const json design = run_json("design roce-51t-rail --gpus 1024");
  CHECK(design["tiers"] == 2);
  // Half of 1 024 GPUs at 400 Gb/s.
  CHECK_THAT(design["bisection_bytes_per_s"].get<double>(), WithinRel(512 * 50e9, 1e-9));
}

TEST_CASE("list, init, check and --version answer", "[app]") {
  for (const char* kind : {"designs", "parts", "profiles", "books", "owners", "models"}) {
    const json items = run_json(std::string("list ") + kind)["items"];
    REQUIRE_FALSE(items.empty());
    for (const json& item : items) CHECK_FALSE(item["source"].get<std::string>().empty());
  }
  CHECK_THAT(run_program("--version").output, ContainsSubstring("railyard 0."));
  const std::string folder = fresh_folder("init");
  CHECK(run_program("init " + folder + "/study.yaml").exit_code == 0);
  const ProgramRun check = run_program("check " + folder + "/study.yaml");
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.output, ContainsSubstring("study, no mistakes"));
  CHECK(run_program("init " + folder + "/study.yaml").exit_code == 2);
}

TEST_CASE("whatif: half the uplinks in all formats, the same figures", "[app]") {
  const std::string ask = "whatif examples/what-if/study.yaml --set fabric.oversubscription=2";
  const json row = run_json(ask)["rows"][0];
  CHECK(row["design_changes"] == "oversubscription=2");
  CHECK(row["runs"] == true);
  CHECK(row["changed"]["links_leaf_spine"].get<int>() * 2 == row["base"]["links_leaf_spine"].get<int>());
  CHECK(row["difference"]["capex_usd"].get<double>() < 0);
  const ProgramRun table = run_program(ask + " --format csv");
  CHECK_THAT(table.output, ContainsSubstring(",links_leaf_spine,1024,1024,1024,512,512,512,-512\n"));
  const ProgramRun text = run_program(ask);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.output, ContainsSubstring("change of capex, M$"));
  std::istringstream lines(text.output);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("whatif: a network that no longer reaches a GPU gives no headline", "[app]") {
  const json row = run_json("whatif examples/what-if/study.yaml --fail leaf:1")["rows"][0];
  CHECK(row["runs"] == false);
  CHECK(row["gpus_cut_off"].size() == 32);
  CHECK(row["changed"]["usd_per_effective_pflop_hour"].is_null());
  CHECK(row["changed"]["capex_usd"] == row["base"]["capex_usd"]);
  CHECK_THAT(run_program("whatif examples/what-if/study.yaml --fail leaf:1").output,
             ContainsSubstring("no longer reaches 32"));
}

TEST_CASE("check: mistakes are the output in JSON and CSV, the exit code tells", "[app]") {
  const std::string folder = fresh_folder("check-json");
  std::ofstream(folder + "/bad.yaml") << "study: x\ngpus: 8\n";
  const std::string files = "check examples/h100-mi300x/study.yaml " + folder + "/bad.yaml";
  const ProgramRun run = run_program(files + " --format json");
  CHECK(run.exit_code == 2);
  CHECK(run.errors.empty());
  const json checked = json::parse(run.output)["files"];
  REQUIRE(checked.size() == 2);
  CHECK(checked[0]["kind"] == "study");
  CHECK(checked[0]["mistakes"].empty());
  CHECK(checked[1]["kind"].is_null());
  REQUIRE(checked[1]["mistakes"].size() >= 2);
  CHECK(checked[1]["mistakes"][0]["line"] == 1);
  const ProgramRun table = run_program(files + " --format csv");
  CHECK(table.exit_code == 2);
  CHECK_THAT(table.output,
             ContainsSubstring("file,kind,line,column,path,message,expected\nexamples/h100-mi300x/study.yaml,study"));
  CHECK(run_program("check examples/h100-mi300x/study.yaml --format json").exit_code == 0);
}

TEST_CASE("list: without a kind it names them", "[app]") {
  const ProgramRun run = run_program("list");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("expected one of: designs,"));
}

TEST_CASE("check: every shipped data file is read without a mistake", "[app]") {
  std::string files;
  for (const char* folder : {"topologies/parts", "topologies/designs", "pricing/books", "pricing/owners",
                             "calibrate/profiles", "sim/workload/models", "sim/goodput/reliability"}) {
    for (const std::string& name : railyard::yaml_names(std::string(RAILYARD_SOURCE_DIR) + "/" + folder)) {
      files += " " + std::string(folder) + "/" + name + ".yaml";
    }
  }
  const ProgramRun run = run_program("check" + files);
  CHECK(run.errors.empty());
  CHECK(run.exit_code == 0);
}

TEST_CASE("help: every command has one, within 100 columns", "[app]") {
  for (const char* command :
       {"", "report", "simulate", "bom", "design", "price", "validate", "check", "list", "init"}) {
    const ProgramRun run = run_program(std::string(command) + " --help");
    CHECK(run.exit_code == 0);
    CHECK(run.errors.empty());
    CHECK_THAT(run.output, ContainsSubstring("railyard"));
  }
}

TEST_CASE("csv: one header, one line a row", "[app]") {
  const ProgramRun run =
      run_program("report examples/h100-mi300x/study.yaml --format csv --set 'gpus=[1024]' -o " + fresh_folder("csv"));
  REQUIRE(run.exit_code == 0);
  CHECK(std::count(run.output.begin(), run.output.end(), '\n') == 4);
  CHECK_THAT(run.output, ContainsSubstring("usd_per_effective_pflop_hour_low"));
}

TEST_CASE("whatif: the waterfalls become a file, and what is printed stays", "[app]") {
  const std::string folder = fresh_folder("what-if-svg");
  const std::string change = "whatif examples/what-if/study.yaml --set fabric.oversubscription=2";
  const ProgramRun drawn = run_program(change + " --svg " + folder + "/new/w.svg");
  CHECK(drawn.exit_code == 0);
  CHECK(drawn.output == run_program(change).output);
  CHECK_THAT(drawn.errors, ContainsSubstring("wrote " + folder + "/new/w.svg"));
  const std::string svg = railyard::read_file(folder + "/new/w.svg");
  CHECK_THAT(svg, ContainsSubstring("<svg xmlns=\"http://www.w3.org/2000/svg\"") &&
                      ContainsSubstring("id=\"what-if-0-headline\"") && ContainsSubstring("id=\"what-if-0-capex\"") &&
                      ContainsSubstring(">modules  <tspan class=\"strong\">\u22121."));
}

TEST_CASE("design: a check that fails is a requirement not met, exit 3", "[app]") {
  CHECK(run_program("design ndr-rail --gpus 1024 --check").exit_code == 0);
  const ProgramRun failed = run_program("design ndr-rail --gpus 70000 --check");
  CHECK(failed.exit_code == 3);
  CHECK_THAT(failed.output, ContainsSubstring("fail"));
}

TEST_CASE("check: the tables of published owner costs and of their terms", "[app]") {
  const std::string folder = std::string(RAILYARD_SOURCE_DIR) + "/sim/study/published/";
  const json found = run_json("check " + folder + "owner-costs.csv " + folder + "owner-terms.csv");
  CHECK(found["files"][0]["kind"] == "owner costs");
  CHECK(found["files"][1]["kind"] == "owner terms");
  const std::string own = fresh_folder("own-table") + "/terms.csv";
  std::ofstream(own) << "publisher,gpu,buyer,term,value,per_gpus,source,date\nme,h10o,,pue,1.2,,s,2026-05\n";
  const ProgramRun run = run_program("check " + own);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, ContainsSubstring(own + ":2") && ContainsSubstring("did you mean 'h100'?"));
  CHECK_THAT(run_program("check examples/mlperf-gpt3/measured.csv").errors, ContainsSubstring("read by validate"));
}

TEST_CASE("validate: terms of one's own bridge costs of one's own", "[app]") {
  const std::string folder = fresh_folder("own-terms");
  std::ofstream(folder + "/costs.csv") << "publisher,gpu,buyer,design,gpus,usd_per_gpu_hour,source,date\n"
                                          "me,h100,neocloud,ndr-rail,256,1.5,my sheet,2026-05\n";
  std::ofstream(folder + "/terms.csv") << "publisher,gpu,buyer,term,value,per_gpus,source,date\n"
                                          "me,,,colo,150 $/kW/month,,my sheet,2026-05\n";
  const std::string order = "validate --book 2026-09 --owner-costs " + folder + "/costs.csv";
  const json bridged = run_json(order + " --terms " + folder + "/terms.csv")["cases"][0];
  const json& bridge = bridged["bridge"];
  REQUIRE(bridge["steps"].size() == 1);
  CHECK(bridge["steps"][0]["term"] == "colo");
  CHECK_THAT(bridge["steps"][0]["ours"].get<double>(), WithinRel(184.06, 1e-9));
  CHECK_THAT(bridge["steps"][0]["change_usd_per_gpu_hour"].get<double>() +
                 bridge["unexplained_usd_per_gpu_hour"].get<double>() + bridged["owner_usd_per_gpu_hour"].get<double>(),
             WithinRel(1.5, 1e-12));
  // The shipped terms are those of another publisher.
  const json alone = run_json(order)["cases"][0];
  CHECK(alone["bridge"]["steps"].empty());
  CHECK(alone["owner_usd_per_gpu_hour"] == bridged["owner_usd_per_gpu_hour"]);
}

TEST_CASE("price: one table a network, and one for the rest", "[app]") {
  const std::string text = run_program("price ndr-rail --gpus 64").output;
  for (const char* heading : {"servers and the rest\n", "back-end network\n", "storage network\n"}) {
    INFO(heading);
    const std::size_t at = text.find(heading);
    REQUIRE(at != std::string::npos);
    CHECK(text.find(heading, at + 1) == std::string::npos);
  }
}
