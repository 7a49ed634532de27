// SPDX-License-Identifier: Apache-2.0
// Rank and node counts: from the list, from busbw/algbw, and where the two disagree.
#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"
#include "tests/import/fixture.h"
#include "tests/import/only_run.h"

namespace railyard {
namespace {

using namespace fixture;

TEST_CASE("ranks: busbw/algbw of an all_reduce gives n up to 128 without a device list", "[import]") {
  // n = 2/(2 - busbw/algbw); two decimals of figures of some hundred GB/s tell neighbours apart well beyond 128.
  const int ranks = GENERATE(2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 64, 72, 80, 96, 127, 128);
  INFO(ranks);
  const ImportedRun run = only_run(header() + rows(three_rows, 2.0 * (ranks - 1) / ranks));
  CHECK(run.accepted());
  CHECK(run.ranks == ranks);
  CHECK(run.nodes == 0);
}

TEST_CASE("ranks: busbw/algbw of an all-to-all gives n without a device list", "[import]") {
  const int ranks = GENERATE(2, 4, 8, 16, 32, 64);
  INFO(ranks);
  std::string text = header();
  for (const auto& [size, time] : three_rows) {
    std::string line = row(size, time, (ranks - 1.0) / ranks, "none", "0", ranks);
    line.replace(line.rfind("     0"), 6, "   N/A");  // never checked in place
    text += line;
  }
  const ImportedRun run = only_run(text);
  CHECK(run.operation == "alltoall");
  CHECK(run.ranks == ranks);
}

TEST_CASE("ranks: where decimals do not suffice, the range is given and contains the truth", "[import]") {
  const int ranks = GENERATE(256, 512, 1000, 2048);
  INFO(ranks);
  const ImportedRun run = only_run(header() + rows({{4294967296, 92781}}, 2.0 * (ranks - 1) / ranks));
  CHECK(run.ranks == 0);
  CHECK(run.ranks_low <= ranks);
  CHECK(run.ranks_high >= ranks);
  CHECK(run.ranks_low < run.ranks_high);
}

TEST_CASE("ranks: latencies alone do not tell the count, and are refused", "[import]") {
  const ImportedRun run = only_run(header() + row(8, 47.6, 1.875) + row(16, 47.8, 1.875));
  REQUIRE(run.refusal);
  CHECK(run.refusal->reason == RefusalReason::ranks_unknown);
}

TEST_CASE("ranks: a device list that busbw/algbw contradicts is refused at the row that does", "[import]") {
  // Sixteen devices are listed, but the figures are those of eight.
  const ImportedRun run = only_run(settings() + devices(16, 8) + header() + rows(three_rows, 1.75));
  REQUIRE(run.refusal);
  CHECK(run.refusal->reason == RefusalReason::ranks_disagree);
  CHECK_THAT(run.refusal->sentence, ContainsSubstring("16 ranks") && ContainsSubstring("1.750"));
  CHECK(run.refusal->line == run.collectives[0].line);
  CHECK(run.collectives.size() == 6);
}

TEST_CASE("ranks: rows of different counts in one table are refused", "[import]") {
  const ImportedRun run = only_run(header() + row(33554432, 182.87, 1.75) + row(67108864, 313.66, 1.875));
  REQUIRE(run.refusal);
  CHECK(run.refusal->reason == RefusalReason::ranks_disagree);
}

TEST_CASE("ranks: figures that were typed by hand and are off by a hair still give n, with a remark", "[import]") {
  // 752.324 x 7/8 is 658.28; the page says 658.30.
  const ImportedRun run = only_run(header() +
                                   " 8589934592 2147483648 float none -1 11426 751.78 657.81 0 11418 752.324 "
                                   "658.30 N/A\n");
  CHECK(run.ranks == 8);
  REQUIRE_FALSE(run.remarks.empty());
  CHECK_THAT(run.remarks[0].sentence, ContainsSubstring("by hand"));
}

TEST_CASE("nodes: a list with gaps gives the ranks of its last line and the nodes by its pattern", "[import]") {
  const std::string table = header() + rows(three_rows, 2.0 * 63 / 64);
  const std::string dots = "...\n";
  SECTION("the first node is listed in full") {
    std::string list = devices(5, 4) + dots + device(63, 16, 0, "0000:10:00");
    const ImportedRun run = only_run(settings() + list + table);
    CHECK(run.ranks == 64);
    CHECK(run.nodes == 16);
    CHECK(run.accepted());
  }
  SECTION("device numbers count up within a node") {
    std::string list = devices(2, 4) + dots + device(62, 16, 2, "0000:12:00") + device(63, 16, 3, "0000:13:00");
    CHECK(only_run(settings() + list + table).nodes == 16);
  }
  SECTION("nothing tells") {
    const ImportedRun run = only_run(settings() + device(63, 16, 0, "0000:10:00") + table);
    CHECK(run.ranks == 64);
    CHECK(run.nodes == 0);
  }
}

TEST_CASE("nodes: one process that drives all ranks is one node, listed or not", "[import]") {
  std::string text = settings();
  text.replace(text.find("nGpus 1"), 7, "nGpus 8");
  CHECK(only_run(text + header() + rows(three_rows, 1.75)).nodes == 1);
}

TEST_CASE("ranks: the factor of every operation is that of calibrate/profile", "[import]") {
  struct Case {
    std::string name;
    Collective collective;
  };
  const Case c = GENERATE(Case{"all_reduce", Collective::all_reduce}, Case{"all_gather", Collective::all_gather},
                          Case{"reduce_scatter", Collective::reduce_scatter}, Case{"alltoall", Collective::all_to_all},
                          Case{"broadcast", Collective::broadcast}, Case{"sendrecv", Collective::send_receive});
  INFO(c.name);
  const double factor = bus_bandwidth_factor(c.collective, 16);
  const std::string text = "# Collective test starting: " + c.name + "_perf\n" + settings() + devices(16, 8) +
                           header() + rows(three_rows, factor);
  CHECK(only_run(text).accepted());
  CHECK(only_run(text).collective == c.collective);
  const std::string off = "# Collective test starting: " + c.name + "_perf\n" + settings() + devices(16, 8) + header() +
                          rows(three_rows, 1.01 * factor);
  CHECK(only_run(off).refusal->reason == RefusalReason::ranks_disagree);
}

}  // namespace
}  // namespace railyard
