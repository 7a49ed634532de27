// SPDX-License-Identifier: Apache-2.0
// Layouts of nccl-tests since 2019 and what launchers do to them. Expected values are those the text was made from.
#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"
#include "tests/import/fixture.h"
#include "tests/import/only_run.h"

namespace railyard {
namespace {

using namespace fixture;

// Everything but places in the file.
void check_same(const ImportedRun& a, const ImportedRun& b) {
  CHECK(a.operation == b.operation);
  CHECK(a.ranks == b.ranks);
  CHECK(a.nodes == b.nodes);
  CHECK(a.gpu == b.gpu);
  CHECK(a.rows == b.rows);
  CHECK(a.accepted() == b.accepted());
  REQUIRE(a.collectives.size() == b.collectives.size());
  for (std::size_t i = 0; i < a.collectives.size(); ++i) {
    CHECK(a.collectives[i].size == b.collectives[i].size);
    CHECK(a.collectives[i].placement == b.collectives[i].placement);
    CHECK(a.collectives[i].time == b.collectives[i].time);
    CHECK(a.collectives[i].algorithm_bandwidth == b.collectives[i].algorithm_bandwidth);
    CHECK(a.collectives[i].bus_bandwidth == b.collectives[i].bus_bandwidth);
    CHECK(a.collectives[i].wrong == b.collectives[i].wrong);
  }
}

TEST_CASE("nccl-tests: a table gives its sizes, times and bandwidths with their units", "[import]") {
  const ImportedRun run = only_run(all_reduce(16));
  CHECK(run.accepted());
  CHECK(run.tool == "nccl-tests");
  CHECK(run.layout == "L2");
  CHECK(run.operation == "all_reduce");
  CHECK(run.collective == Collective::all_reduce);
  CHECK(run.ranks == 16);
  CHECK(run.nodes == 2);
  CHECK(run.gpu == "NVIDIA H100 80GB HBM3");
  CHECK(run.iterations == 20);
  CHECK(run.rows == 3);
  REQUIRE(run.collectives.size() == 6);
  const CollectiveSample& sample = run.collectives[1];
  CHECK(sample.size == 33554432 * byte);
  CHECK(sample.placement == BufferPlacement::in_place);
  CHECK_THAT(sample.time.in(microsecond), WithinRel(182.87, 1e-12));
  // 33554432 B / 182.87 us = 183.49 GB/s; 2 x 15/16 of it is 344.04.
  CHECK_THAT(sample.algorithm_bandwidth.in(gigabyte_per_second), WithinRel(183.49, 1e-12));
  CHECK_THAT(sample.bus_bandwidth.in(gigabyte_per_second), WithinRel(344.04, 1e-12));
  CHECK(sample.wrong == 0);
  CHECK(sample.line == 24);  // after three lines of settings, sixteen devices and four of the header
}

TEST_CASE("nccl-tests: no launcher's prefix changes what is read", "[import]") {
  const std::string plain = all_reduce(16);
  const std::string prefix =
      GENERATE(as<std::string>{}, "0: ", "  0: ", "[1,0]<stdout>:", "[1,0]<stderr>: ",
               "Thu Jul 18 15:41:05 2024<stdout>:", "(head, rank=0, pid=3808) [1,0]<stdout>:", "    ",
               "\x1b[36m(worker pid=17)\x1b[0m ", "worker-0  | ", "2024-07-18T15:41:05.123456789Z ");
  INFO(prefix);
  check_same(only_run(tagged(plain, prefix)), only_run(plain));
}

TEST_CASE("nccl-tests: Windows line ends, colours and library lines change nothing", "[import]") {
  const std::string plain = all_reduce(8);
  const ImportedRun expected = only_run(plain);
  std::string windows, coloured, noisy;
  for (const char c : plain) windows += c == '\n' ? "\r\n" : std::string(1, c);
  check_same(only_run(windows), expected);
  check_same(only_run(tagged(plain, "\x1b[1;32m")), expected);
  for (std::size_t start = 0; start < plain.size();) {
    const std::size_t end = plain.find('\n', start) + 1;
    noisy += plain.substr(start, end - start) + "node01:3442:3442 [0] NCCL INFO Channel 00/24 : 0 1 2 3 4 5 6 7\n";
    start = end;
  }
  check_same(only_run(noisy), expected);
  // A progress display overwrites its line before the table's.
  check_same(only_run("waiting...\r" + plain), expected);
}

TEST_CASE("nccl-tests: rank marks inside a row are dropped", "[import]") {
  std::string marked = all_reduce(8);
  for (const std::string field : {" float ", " sum "}) {
    for (std::size_t at = 0; (at = marked.find(field, at)) != std::string::npos; at += field.size() + 4) {
      marked.insert(at, " [0]");
    }
  }
  check_same(only_run(marked), only_run(all_reduce(8)));
}

TEST_CASE("nccl-tests: a cut log keeps its whole rows, wherever it is cut", "[import]") {
  const std::string whole = all_reduce(8);
  const ImportedRun expected = only_run(whole);
  const std::size_t first_row = whole.find("    33554432 ");
  for (std::size_t length = first_row; length < whole.size(); length += 7) {
    const ImportedRun run = only_run(whole.substr(0, length));
    REQUIRE(run.collectives.size() <= expected.collectives.size());
    for (std::size_t i = 0; i < run.collectives.size(); ++i) {
      REQUIRE(run.collectives[i].size == expected.collectives[i].size);
      REQUIRE(run.collectives[i].time == expected.collectives[i].time);
    }
  }
}

TEST_CASE("nccl-tests: a row into which another line was printed is left out and told", "[import]") {
  std::string text = all_reduce(8);
  text.insert(text.find("  67108864 ") + 60, "node01:1:1 [0] NCCL INFO Launch mode Parallel\n");
  const ImportedRun run = only_run(text);
  CHECK(run.rows == 2);
  CHECK(run.accepted());
  REQUIRE(run.remarks.size() == 1);
  CHECK_THAT(run.remarks[0].sentence, ContainsSubstring("1 cut or disturbed rows"));
  CHECK(run.remarks[0].line == run.collectives[1].line + 1);
}

TEST_CASE("nccl-tests: several runs in one file are several runs", "[import]") {
  const ImportedFile file = import_log(all_reduce(8) + "\n" + all_reduce(16) + all_reduce(24), "test.log");
  REQUIRE(file.runs.size() == 3);
  CHECK(file.verdict() == ImportVerdict::accepted);
  CHECK(file.runs[0].ranks == 8);
  CHECK(file.runs[1].ranks == 16);
  CHECK(file.runs[2].ranks == 24);
  CHECK(file.runs[1].first_line > file.runs[0].collectives.back().line);
}

TEST_CASE("nccl-tests: columns of 2019 come and go with the operation", "[import]") {
  const std::string head =
      "# nThread 1 nGpus 8 minBytes 1 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 validation: 0\n";
  struct Case {
    std::string columns, values, operation;
  };
  // 1 GiB in 8000 us is 134.22 GB/s; times 7/4 is 234.88, times 7/8 is 117.44.
  const Case c = GENERATE(
      Case{"type   redop", "1073741824 268435456 float sum 8000.0 134.22 234.88 N/A 8000.0 134.22 234.88 N/A",
           "all_reduce"},
      Case{"type", "1073741824 33554432 float 8000.0 134.22 117.44 N/A 8000.0 134.22 117.44 N/A", "all_gather"},
      Case{"type   redop", "1073741824 33554432 float sum 8000.0 134.22 117.44 N/A 8000.0 134.22 117.44 N/A",
           "reduce_scatter"},
      Case{"type   redop", "1073741824 33554432 float 8000.0 134.22 117.44 N/A 8000.0 134.22 117.44 N/A", "alltoall"},
      Case{"type   redop    root", "1073741824 268435456 float sum 0 8000.0 134.22 134.22 N/A 8000.0 134.22 134.22 N/A",
           "reduce"},
      Case{"type   root", "1073741824 268435456 float 0 8000.0 134.22 134.22 N/A 8000.0 134.22 134.22 N/A",
           "broadcast"});
  const ImportedRun run =
      only_run(head + "#   size   count   " + c.columns +
               "   time   algbw   busbw  error     time   algbw   busbw  error\n" + c.values + "\n");
  CHECK(run.operation == c.operation);
  CHECK(run.layout == "L0-L1");
  CHECK(run.accepted());
  CHECK(run.collectives.size() == 2);
  CHECK_FALSE(run.collectives[0].wrong);
  CHECK((run.ranks == 8 || c.operation == "reduce" || c.operation == "broadcast"));
}

TEST_CASE("nccl-tests: version, starting and concluding lines name tool, operation and layout", "[import]") {
  const std::string table = devices(8, 8) + header() + row(1 << 30, 8000, 1);
  const ImportedRun run = only_run(
      "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902\n"
      "# Collective test starting: sendrecv_perf_mpi\n" +
      settings() + table + footer() + "# Collective test concluded: sendrecv_perf_mpi\n");
  CHECK(run.version == "2.17.8");
  CHECK(run.software == "NCCL 22902");
  CHECK(run.operation == "sendrecv");
  CHECK(run.collective == Collective::send_receive);
  CHECK(run.layout == "L3");
  CHECK(only_run("# Collective test starting: sendrecv_perf\n" + settings() + table).layout == "L2b");
  std::string newest = settings();
  newest.insert(newest.find("graph: 0") + 8, " unalign: 0");
  CHECK(only_run("# Collective test starting: sendrecv_perf\n" + newest + table).layout == "L4");
}

TEST_CASE("nccl-tests: per-iteration columns and time stamps do not disturb the figures", "[import]") {
  const std::string text =
      "#  size  count  type  redop  root  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%  time  algbw  busbw  "
      "#wrong  i_min  i_max  i_p99  i_cv%\n"
      "  1073741824 268435456 float sum -1 8000.00 134.22 234.88 0 7900 8100 8090 0.9 7999.00 134.23 234.90 0 7800 "
      "8200 "
      "8150 1.1 2026-06-01 10:00:00\n";
  const ImportedRun run = only_run(text);
  CHECK(run.layout == "L4");
  CHECK(run.ranks == 8);
  REQUIRE(run.collectives.size() == 2);
  CHECK_THAT(run.collectives[1].bus_bandwidth.in(gigabyte_per_second), WithinRel(234.90, 1e-12));
}

TEST_CASE("nccl-tests: figures in scientific notation have the precision they show", "[import]") {
  // 64 GiB in 1.2e+06 us is 57.27 GB/s, but anything from 55 to 60 would print so.
  const ImportedRun run =
      only_run(header() + " 68719476736 17179869184 float sum -1 1.2e+06 58.00 101.50 0 1.2e+06 57.00 99.75 0\n");
  CHECK(run.accepted());
  CHECK(run.ranks == 8);
}

TEST_CASE("nccl-tests: a table turned into CSV or markdown reads as the table did", "[import]") {
  const std::string values = "1073741824,268435456,float,sum,-1,8000.0,134.22,234.88,0,8000.0,134.22,234.88,0\n";
  const ImportedRun csv =
      only_run("size,count,type,redop,root,time,algbw,busbw,#wrong,time,algbw,busbw,#wrong\n" + values);
  CHECK(csv.layout == "csv");
  std::string markdown =
      "| size | count | type | redop | root | time | algbw | busbw | #wrong | time | algbw | busbw | #wrong |\n|";
  for (const char c : values) markdown += c == ',' ? " | " : c == '\n' ? " |\n" : std::string(1, c);
  check_same(only_run(markdown), csv);
  CHECK(csv.ranks == 8);
}

TEST_CASE("nccl-tests: an excerpt without a header is read by its shape", "[import]") {
  const ImportedRun run = only_run(rows(three_rows, 1.75) + footer());
  CHECK(run.accepted());
  CHECK(run.operation == "all_reduce");
  CHECK(run.ranks == 8);
  CHECK(run.rows == 3);
}

TEST_CASE("nccl-tests: a column pasted before the size makes a run of each of its values", "[import]") {
  const std::string text =
      " nodes        size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  "
      "error\n"
      "   1   1073741824     268435456     float     sum   8142.6  131.87  230.77  2e-07   8141.2  131.89  230.81  "
      "2e-07\n"
      "   2   1073741824     268435456     float     sum    35215   30.49   57.17  4e-07    35198   30.51   57.20  "
      "4e-07\n";
  const ImportedFile file = import_log(text, "test.log");
  REQUIRE(file.runs.size() == 2);
  CHECK(file.runs[0].ranks == 8);
  CHECK(file.runs[1].ranks == 16);
  CHECK(file.runs[1].collectives[0].size == 1073741824 * byte);
}

TEST_CASE("nccl-tests: rows of size zero are dropped", "[import]") {
  const std::string zero = "0 0 float sum -1 15.51 0.00 0.00 0 15.52 0.00 0.00 0\n";
  CHECK(only_run(header() + zero + zero + rows(three_rows, 1.75)).rows == 3);
}

TEST_CASE("rccl-tests: columns it adds for algorithm, protocol and channels are passed over", "[import]") {
  const ImportedRun run = only_run(
      "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong  algo proto nchannels\n"
      "  1073741824 268435456 float sum -1 8000.0 134.22 234.88 0 8000.0 134.22 234.88 0 Ring Simple 56\n");
  CHECK(run.layout == "L2");
  CHECK(run.ranks == 8);
  CHECK(run.collectives[1].wrong == 0);
}

TEST_CASE("rccl-tests: its own version line names the tool", "[import]") {
  const ImportedRun run = only_run(settings() + "rccl-tests: Version develop:a7809b3\n" + devices(8, 8) + header() +
                                   rows(three_rows, 1.75) + footer());
  CHECK(run.tool == "rccl-tests");
  CHECK(run.version == "develop:a7809b3");
  CHECK(run.ranks == 8);
}

}  // namespace
}  // namespace railyard
