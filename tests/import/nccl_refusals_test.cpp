// SPDX-License-Identifier: Apache-2.0
// What makes an nccl-tests run no evidence. Each case is a healthy run with one thing wrong, and the healthy run
// passes.
#include <algorithm>
#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"
#include "tests/import/fixture.h"

namespace railyard {
namespace {

using namespace fixture;

ImportedRun last_run(const std::string& text) { return import_log(text, "test.log").runs.back(); }

RefusalReason reason(const std::string& text) {
  const ImportedRun run = last_run(text);
  REQUIRE(run.refusal);
  CHECK(run.refusal->sentence.size() > 10);
  return run.refusal->reason;
}

TEST_CASE("refused: one rank, listed or betrayed by busbw 0", "[import]") {
  CHECK(reason(settings() + devices(1, 8) + header() + rows(three_rows, 0)) == RefusalReason::one_rank);
  CHECK(reason("+ srun alltoall_perf_mpi -b 4M\n" + header() + row(4299152, 7.09, 0, "none")) ==
        RefusalReason::one_rank);
}

TEST_CASE("refused: two ranks on one GPU, but not where short bus ids or other nodes repeat", "[import]") {
  const std::string table = header() + rows(three_rows, 1);
  const std::string first = device(0, 1, 0, "0000:02:00");
  CHECK(reason(settings() + first + device(1, 1, 0, "0000:02:00") + table) == RefusalReason::shared_device);
  CHECK(last_run(settings() + first + device(1, 2, 0, "0000:02:00") + table).accepted());
  CHECK(last_run(settings() + first + device(1, 1, 1, "0001:02:00") + table).accepted());
  // GH200 nodes of 2025 print [0x01] for all four GPUs, which sit in different PCI domains.
  CHECK(last_run(settings() + device(0, 1, 0, "0x01") + device(1, 1, 0, "0x01") + table).accepted());
}

TEST_CASE("refused: wrong elements in a row or in the footer", "[import]") {
  const std::string before = settings() + devices(8, 8) + header();
  const std::string bad = row(33554432, 182.87, 1.75, "sum", "288");
  CHECK(reason(before + bad + row(67108864, 313.66, 1.75) + footer("2 FAILED")) == RefusalReason::wrong_results);
  CHECK(last_run(before + bad + footer()).refusal->line == last_run(before + bad).collectives[0].line);
  CHECK(reason(before + rows(three_rows, 1.75) + footer("1 FAILED")) == RefusalReason::wrong_results);
  CHECK(reason(before + row(33554432, 182.87, 1.75, "sum", "12*")) == RefusalReason::wrong_results);
  CHECK(last_run(before + row(33554432, 182.87, 1.75, "sum", "N/A")).accepted());
}

TEST_CASE("refused: two tables printed into each other", "[import]") {
  const std::string before = settings() + devices(8, 8) + header();
  const std::string small = row(33554432, 182.87, 1.75), large = row(67108864, 313.66, 1.75);
  CHECK(reason(before + small + small + large + large) == RefusalReason::interleaved);
  CHECK(reason(before + small + large + small + small) == RefusalReason::interleaved);
  // Both list themselves as rank 0.
  CHECK(reason(settings() + device(0, 1, 0, "0000:10:00") + device(0, 1, 1, "0000:11:00") + header() + small) ==
        RefusalReason::interleaved);
  // Cycles (-N 2) are one table.
  CHECK(last_run(before + small + large + small + large).accepted());
  CHECK(last_run(before + large + large + large).accepted());  // of one size: a burn-in
  CHECK(reason(before + small + small + large) == RefusalReason::interleaved);
}

TEST_CASE("refused: retransmission timeouts of 100 ms", "[import]") {
  const std::string before = settings() + devices(16, 8) + header();
  CHECK(reason(before + row(1024, 100213, 1.875) + row(1048576, 100419, 1.875) + row(1073741824, 104000, 1.875)) ==
        RefusalReason::timeout_floor);
  // One size stalls, the next larger does not.
  CHECK(reason(before + row(8388608, 203000, 1.875) + row(16777216, 440.1, 1.875)) == RefusalReason::timeout_floor);
  // Long, but as it must be for its size.
  CHECK(last_run(before + row(8589934592, 95000, 1.875) + row(17179869184, 190000, 1.875)).accepted());
}

TEST_CASE("refused: figures of one row that contradict each other", "[import]") {
  // 32 MiB in 182.87 us are 183.49 GB/s, not 283.49.
  std::string text = settings() + devices(8, 8) + header() + row(33554432, 182.87, 1.75);
  text.replace(text.find("183.49"), 6, "283.49");
  CHECK(reason(text) == RefusalReason::inconsistent);
}

TEST_CASE("refused: times of launches instead of completions", "[import]") {
  std::string head = header();
  head.replace(head.find("   time "), 8, "cputime ");
  CHECK(reason(settings() + devices(8, 8) + head + rows(three_rows, 1.75)) == RefusalReason::cpu_time);
}

TEST_CASE("refused: an operation that is not named and fits several", "[import]") {
  // Not checked, no redop: all_gather and alltoall look alike.
  CHECK(reason(header() + row(33554432, 182.87, 0.875, "none", "N/A", 8)) == RefusalReason::operation_unknown);
}

TEST_CASE("refused: a run without rows, whole or failed, beside one that is accepted", "[import]") {
  const std::string empty = settings() + devices(8, 8) + header();
  CHECK(reason(empty) == RefusalReason::no_rows);
  CHECK(reason(empty + "node02: Test NCCL failure alltoall.cu:274 'remote process exited'\n") ==
        RefusalReason::run_failed);
  const ImportedFile file = import_log(all_reduce(8) + empty, "test.log");
  CHECK(file.verdict() == ImportVerdict::partly);
  CHECK(file.runs.size() == 2);
}

TEST_CASE("refused: nccom-test of Trainium, which looks like nccl-tests", "[import]") {
  CHECK(reason("    size(B)    count(elems)    type    time:avg(us)    algbw(GB/s)    busbw(GB/s)\n"
               "          8               2    fp32           63.52           0.00           0.00\n") ==
        RefusalReason::not_a_gpu);
}

TEST_CASE("refused: a file that no importer knows says so and gives no samples", "[import]") {
  for (const std::string text : {"", "\n", "hello", "{\"a\": 1}", "size count type\n1 2 float\n"}) {
    const ImportedFile file = import_log(text, "test.log");
    REQUIRE(file.runs.size() == 1);
    CHECK(file.verdict() == ImportVerdict::refused);
    CHECK(file.runs[0].refusal->reason == RefusalReason::unrecognised);
  }
}

TEST_CASE("remarks: unchecked results, few iterations and counts that do not fit are told, not refused", "[import]") {
  const auto told = [](const std::string& text, const std::string& words) {
    const ImportedRun run = last_run(text);
    CHECK(run.accepted());
    return std::any_of(run.remarks.begin(), run.remarks.end(),
                       [&](const Remark& remark) { return remark.sentence.find(words) != std::string::npos; });
  };
  const std::string list = devices(8, 8) + header();
  CHECK(told(settings() + list + row(33554432, 182.87, 1.75, "sum", "N/A"), "not checked"));
  CHECK(told(settings(2) + list + rows(three_rows, 1.75), "only 2 iterations"));
  CHECK(told(settings() + list + row(33554432, 182.87, 1.75, "sum", "0", 2), "does not fit"));
  CHECK(last_run(settings() + list + rows(three_rows, 1.75)).remarks.empty());
}

}  // namespace
}  // namespace railyard
