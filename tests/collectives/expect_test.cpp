// SPDX-License-Identifier: Apache-2.0
#include "sim/study/expect.h"

#include <filesystem>
#include <map>

#include "base/diagnostic.h"
#include "base/files.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

namespace railyard {
namespace {

ImportedRun run_of(Collective collective, int ranks, int nodes, const std::string& gpu) {
  ImportedRun run;
  run.tool = "nccl-tests";
  run.operation = std::string(to_string(collective));
  run.collective = collective;
  run.gpu = gpu;
  run.ranks = ranks;
  run.nodes = nodes;
  return run;
}

void add(ImportedRun& run, Bytes size, double bus_gigabytes) {
  CollectiveSample sample;
  sample.size = size;
  sample.bus_bandwidth = bus_gigabytes * gigabyte_per_second;
  sample.time = bus_bandwidth_factor(*run.collective, static_cast<int>(run.ranks)) * size / sample.bus_bandwidth;
  run.collectives.push_back(sample);
}

ExpectedRun judge(ImportedRun run, const ExpectContext& context = {}) {
  ImportedFile file{.name = "test.log", .runs = {}};
  file.runs.push_back(std::move(run));
  return expect_log(file, context, shipped()).front();
}

/// A log whose bus bandwidth is `share` of what is expected, from 16 MiB to 4 GiB.
ImportedRun at_share(ImportedRun run, double share) {
  ImportedRun probe = run;
  for (Bytes size = 16 * mebibyte; size <= 4 * gibibyte; size *= 4) add(probe, size, 1);
  for (const ExpectedRow& row : judge(probe).rows) add(run, row.bytes * byte, share * row.expected / 1e9);
  return run;
}

TEST_CASE("what is as fast as the law says is as expected", "[collectives]") {
  const ExpectedRun judged = judge(at_share(run_of(Collective::all_reduce, 16, 2, "NVIDIA H100 80GB HBM3"), 0.97));
  CHECK(judged.verdict == Expectation::as_expected);
  CHECK_THAT(judged.rows.back().ratio(), WithinRel(0.97, 1e-9));
}

TEST_CASE("eight H100 at 367 GB/s run a ring where NVLS should be", "[collectives]") {
  // nccl#1455: NVLS off 367 GB/s, on 480, 4 GiB.
  ImportedRun run = run_of(Collective::all_reduce, 8, 1, "H100");
  for (const auto& [size, bus] :
       {std::pair(mebibyte * 512, 350.0), std::pair(gibibyte, 357.0), std::pair(4 * gibibyte, 366.0)})
    add(run, size, bus);
  const ExpectedRun judged = judge(run);
  CHECK(judged.verdict == Expectation::slow);
  CHECK_THAT(judged.reason, ContainsSubstring("where NVLS should"));
}

TEST_CASE("half of the NICs' rate looks like no GPUDirect or two flows on one link", "[collectives]") {
  const ExpectedRun judged = judge(at_share(run_of(Collective::all_to_all, 64, 8, "H100"), 0.5));
  CHECK(judged.verdict == Expectation::slow);
  CHECK_THAT(judged.reason, ContainsSubstring("50 % of the expected") && ContainsSubstring("half"));
}

TEST_CASE("one NIC of eight shows in all-to-all", "[collectives]") {
  ExpectContext one{.gpu = {}, .fabric = "infiniband", .nodes = 0, .nics = 1, .nic = {}};
  ImportedRun probe = run_of(Collective::all_to_all, 64, 8, "H100");
  add(probe, gibibyte, 1);
  add(probe, 4 * gibibyte, 1);
  ImportedRun run = run_of(Collective::all_to_all, 64, 8, "H100");
  for (const ExpectedRow& row : judge(probe, one).rows) add(run, row.bytes * byte, row.expected / 1e9);
  const ExpectedRun judged = judge(run);
  CHECK(judged.verdict == Expectation::slow);
  CHECK_THAT(judged.reason, ContainsSubstring("only one of 8 NICs"));
}

TEST_CASE("a node on PCIe instead of NVLink is told", "[collectives]") {
  ImportedRun run = run_of(Collective::all_gather, 8, 1, "A100-SXM4-80GB");
  for (Bytes size = 64 * mebibyte; size <= 4 * gibibyte; size *= 4) add(run, size, 22.5);
  CHECK_THAT(judge(run).reason, ContainsSubstring("PCIe Gen4 instead of NVLink"));
}

TEST_CASE("faster than the cluster can be means that it was judged by the wrong one", "[collectives]") {
  const ExpectedRun judged = judge(at_share(run_of(Collective::all_to_all, 16, 2, "H100"), 2));
  CHECK(judged.verdict == Expectation::faster);
}

TEST_CASE("a refused run keeps the importer's reason", "[collectives]") {
  ImportedRun run = run_of(Collective::all_reduce, 1, 1, "H100");
  run.refuse(RefusalReason::one_rank, "one rank only: a local copy", 3);
  const ExpectedRun judged = judge(run);
  CHECK(judged.verdict == Expectation::refused);
  CHECK(judged.reason == "one rank only: a local copy");
}

TEST_CASE("unknown GPUs and fabrics are refused with the names that are known", "[collectives]") {
  ImportedRun run = run_of(Collective::all_reduce, 8, 1, "");
  add(run, gibibyte, 300);
  CHECK_THAT(judge(run).reason, ContainsSubstring("--gpu"));
  CHECK_THROWS_WITH(judge(run, {.gpu = "H100", .fabric = "infinband", .nodes = 0, .nics = 0, .nic = {}}),
                    ContainsSubstring("infiniband"));
  CHECK_THROWS_AS(judge(run, {.gpu = "Voodoo2", .fabric = "roce", .nodes = 0, .nics = 0, .nic = {}}), InputError);
}

TEST_CASE("what the command line says must not contradict the log", "[collectives]") {
  ImportedRun run = run_of(Collective::all_reduce, 16, 2, "NVIDIA H100 80GB HBM3");
  add(run, gibibyte, 300);
  const auto with = [](const std::string& gpu, int nodes) {
    return ExpectContext{.gpu = gpu, .fabric = "infiniband", .nodes = nodes, .nics = 0, .nic = {}};
  };
  CHECK_THROWS_WITH(judge(run, with("A100", 0)), ContainsSubstring("names the GPU 'NVIDIA H100 80GB HBM3'"));
  CHECK_THROWS_WITH(judge(run, with("", 3)), ContainsSubstring("--nodes 3") && ContainsSubstring("tells 2"));
  CHECK(judge(run, with("h100", 2)).ratio == judge(run).ratio);
  run.nodes = 0;
  CHECK_THROWS_WITH(judge(run, with("", 17)), ContainsSubstring("16 ranks"));
}

TEST_CASE("a run that is in the shipped table does not judge itself", "[collectives]") {
  // Log 028: four GH200; a second source holds the same cluster, so figures remain.
  ImportedRun run = run_of(Collective::all_reduce, 4, 1, "GH200");
  for (const auto& [size, us] :
       {std::pair(64.0, 337.2), std::pair(128.0, 635.6), std::pair(256.0, 1230.6), std::pair(1024.0, 4766.0)}) {
    CollectiveSample sample;
    sample.size = size * mebibyte;
    sample.time = us * microsecond;
    run.collectives.push_back(sample);
  }
  const ExpectedRun judged = judge(run);
  CHECK(judged.verdict == Expectation::as_expected);
  CHECK_THAT(judged.setting, ContainsSubstring("30 published figures"));
}

TEST_CASE("every public log of a collective has the verdict that was looked at", "[collectives][slow]") {
  const std::filesystem::path logs = std::filesystem::path(RAILYARD_SHARED_DIR) / "logs";
  if (!std::filesystem::exists(logs)) {
    WARN("the shared logs are not here");
    return;
  }
  const std::string name = RAILYARD_SOURCE_DIR "/tests/collectives/expected_verdicts.csv";
  std::map<std::string, std::vector<ExpectedRun>> judged;
  for (const CsvRecord& record : parse_csv(read_file(name), name).records) {
    const std::string& file = record.at("file");
    INFO(file << " run " << record.at("run"));
    if (!judged.contains(file)) {
      const ExpectContext context{
          .gpu = record.at("gpu"),
          .fabric = record.at("fabric"),
          .nodes = record.at("nodes").empty() ? 0 : std::stoi(record.at("nodes")),
          .nics = record.at("nics").empty() ? 0 : std::stoi(record.at("nics")),
          .nic = record.at("nic_gbps").empty() ? Bandwidth{} : std::stod(record.at("nic_gbps")) * gigabit_per_second};
      judged[file] = expect_log(import_file(logs / file), context, shipped());
    }
    const std::size_t run = std::stoul(record.at("run"));
    REQUIRE(run < judged[file].size());
    CHECK(to_string(judged[file][run].verdict) == record.at("verdict"));
    CHECK_THAT(judged[file][run].reason, ContainsSubstring(record.at("reason")));
  }
}

}  // namespace
}  // namespace railyard
