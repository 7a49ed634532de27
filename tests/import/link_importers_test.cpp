// SPDX-License-Identifier: Apache-2.0
// Tools that measure or name links: nvbandwidth, TransferBench, perftest, topologies. Samples of our own writing.
#include <algorithm>
#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"
#include "tests/import/fixture.h"
#include "tests/import/only_run.h"

namespace railyard {
namespace {

const LinkSample& link(const ImportedRun& run, const std::string& from, const std::string& to) {
  const auto found = std::find_if(run.links.begin(), run.links.end(),
                                  [&](const LinkSample& sample) { return sample.from == from && sample.to == to; });
  REQUIRE(found != run.links.end());
  return *found;
}

const std::string nvbandwidth_text =
    "nvbandwidth Version: v0.8\nBuilt from Git version: v0.8\n\nCUDA Runtime Version: 13000\n"
    "Device 0: NVIDIA H200 (00000000:1b:00)\nDevice 1: NVIDIA H200 (00000000:43:00)\n\n"
    "Running device_to_device_memcpy_write_ce.\nmemcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n"
    "           0         1\n 0       N/A    392.50\n 1    391.25       N/A\n\n"
    "SUM device_to_device_memcpy_write_ce 783.75\n\nWaived:\n"
    "Running host_device_latency_sm.\nmemory latency SM CPU(row) <-> GPU(column) (ns)\n           0         1\n"
    " 0    772.58    780.00\n\nSUM host_device_latency_sm 1552.58\n";

TEST_CASE("nvbandwidth: cells go from column to row where the arrow says so", "[import]") {
  const ImportedFile file = import_log(nvbandwidth_text, "test.log");
  REQUIRE(file.runs.size() == 2);
  CHECK(file.verdict() == ImportVerdict::accepted);
  const ImportedRun& copies = file.runs[0];
  CHECK(copies.operation == "device_to_device_memcpy_write_ce");
  CHECK(copies.version == "v0.8");
  CHECK(copies.gpu == "NVIDIA H200");
  CHECK(copies.links.size() == 2);
  CHECK(link(copies, "GPU1", "GPU0").bandwidth == 392.50 * gigabyte_per_second);
  CHECK(link(copies, "GPU0", "GPU1").bandwidth == 391.25 * gigabyte_per_second);
  CHECK(link(file.runs[1], "CPU0", "GPU1").latency == 780.0 * nanosecond);
}

TEST_CASE("nvbandwidth: cells that do not add up to the printed sum are refused", "[import]") {
  std::string text = nvbandwidth_text;
  text.replace(text.find("391.25"), 6, "291.25");
  const ImportedFile file = import_log(text, "test.log");
  REQUIRE(file.runs[0].refusal);
  CHECK(file.runs[0].refusal->reason == RefusalReason::inconsistent);
  CHECK(file.runs[1].accepted());
}

TEST_CASE("nvbandwidth: a test with two matrices keeps each with its sum", "[import]") {
  const std::string text =
      "Running device_to_device_bidirectional_memcpy_read_ce.\nmemcpy CE GPU(row) <-> GPU(column) Read1 bandwidth "
      "(GB/s)\n           0         1\n 0       N/A    190.00\n 1    191.00       N/A\n\n"
      "SUM device_to_device_bidirectional_memcpy_read_ce_read1 381.00\n\n"
      "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)\n           0         1\n 0       N/A    380.00\n"
      " 1    381.00       N/A\n\nSUM device_to_device_bidirectional_memcpy_read_ce_total 761.00\n";
  const ImportedFile file = import_log(text, "test.log");
  REQUIRE(file.runs.size() == 2);
  CHECK(file.verdict() == ImportVerdict::accepted);
  CHECK(file.runs[0].operation == "device_to_device_bidirectional_memcpy_read_ce_read1");
  CHECK(file.runs[1].operation == "device_to_device_bidirectional_memcpy_read_ce_total");
  CHECK(link(file.runs[1], "GPU0", "GPU1").bandwidth == 380.0 * gigabyte_per_second);
}

TEST_CASE("nvbandwidth: JSON gives the same links as text, and failed tests are refused", "[import]") {
  const std::string text =
      R"json({"nvbandwidth": {"CUDA Runtime Version": 13000, 
 "GPU Device list": ["0: NVIDIA H200 (00000000:1b:00): (n1)"],
 "testcases": [
  {"bandwidth_description": "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)",
   "bandwidth_matrix": [["N/A", "392.50"], ["391.25", "N/A"]],
   "name": "device_to_device_memcpy_write_ce", "status": "Passed", "sum": 783.75},
  {"name": "multinode_device_to_device_memcpy_read_ce", "status": "Waived"},
  {"name": "all_to_host_memcpy_ce", "status": "Error in verifying"}], "version": "v0.8"}})json";
  const ImportedFile file = import_log(text, "test.json");
  REQUIRE(file.runs.size() == 2);
  CHECK(file.runs[0].accepted());
  CHECK(file.runs[0].gpu == "NVIDIA H200");
  CHECK(link(file.runs[0], "GPU1", "GPU0").bandwidth == 392.50 * gigabyte_per_second);
  CHECK(file.runs[1].refusal->reason == RefusalReason::run_failed);
}

TEST_CASE("TransferBench: transfers of a test have size, time and ends", "[import]") {
  const std::string bar = GENERATE("|", "\xe2\x94\x82");
  const std::string text = "TransferBench v1.62.00\nTest 1:\n Executor: GPU 00 " + bar + "   56.299 GB/s " + bar +
                           "    4.768 ms " + bar + "    268435456 bytes " + bar + " 56.309  GB/s (sum)\n" +
                           "     Transfer 00  " + bar + "   56.309 GB/s " + bar + "    4.767 ms " + bar +
                           "    268435456 bytes " + bar + " G0 -> G000:004 -> G1\n";
  const ImportedRun run = only_run(text);
  CHECK(run.accepted());
  CHECK(run.version == "1.62.00");
  CHECK(run.layout == "test");
  REQUIRE(run.links.size() == 1);
  CHECK(link(run, "G0", "G1").bandwidth == 56.309 * gigabyte_per_second);
  CHECK(link(run, "G0", "G1").size == 268435456 * byte);
  CHECK(link(run, "G0", "G1").kind == "G000:004");
}

TEST_CASE("TransferBench: the p2p preset is a matrix for each direction", "[import]") {
  const std::string text =
      "TransferBench v1.50\nUnidirectional copy peak bandwidth GB/s [Local read / Remote write] (GPU-Executor: GFX)\n"
      " SRC+EXE\\DST    CPU 00       GPU 00    GPU 01\n"
      "  CPU 00  ->     24.37        17.32     16.97\n\n"
      "  GPU 00  ->     23.83       108.95       N/A\n"
      "Bidirectional copy peak bandwidth GB/s [Local read / Remote write] (GPU-Executor: GFX)\n"
      " SRC\\DST    CPU 00       GPU 00    GPU 01\n"
      "  GPU 00 <->     40.00        N/A     90.00\n";
  const ImportedFile file = import_log(text, "test.log");
  REQUIRE(file.runs.size() == 2);
  CHECK(file.runs[0].operation == "unidirectional");
  CHECK(file.runs[0].links.size() == 5);
  CHECK(link(file.runs[0], "GPU 00", "CPU 00").bandwidth == 23.83 * gigabyte_per_second);
  CHECK(file.runs[1].operation == "bidirectional");
  CHECK(link(file.runs[1], "GPU 00", "GPU 01").bandwidth == 90.0 * gigabyte_per_second);
}

const std::string addresses =
    " local address: LID 0000 QPN 0x2c01 PSN 0xd2cf40\n GID: 00:00:00:00:00:00:00:00:00:00:255:255:192:00:02:12\n"
    " remote address: LID 0000 QPN 0x2c26 PSN 0x356926\n GID: 00:00:00:00:00:00:00:00:00:00:255:255:192:00:02:10\n";

TEST_CASE("perftest: MB/sec is 2^20 bytes a second, Gb/sec is 1e9 bits", "[import]") {
  const std::string title = "                    RDMA_Write BW Test\n" + addresses;
  const ImportedRun mega = only_run(title +
                                    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
                                    " 65536      5000             24056.74            24056.72\t\t   0.384907\n");
  // 24056.72 x 1048576 B/s: 0.384907 M messages a second of 65536 B are the same 25.225 GB/s.
  CHECK(mega.accepted());
  CHECK_THAT(mega.links[0].bandwidth->in(gigabyte_per_second), WithinRel(65536 * 0.384907e-3, 1e-5));
  const ImportedRun giga = only_run(title +
                                    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
                                    " 65536      4159603          0.00               363.47             0.693268\n");
  CHECK_THAT(giga.links[0].bandwidth->in(gigabyte_per_second), WithinRel(65536 * 0.693268e-3, 1e-4));
}

TEST_CASE("perftest: latency is the typical one, with its size", "[import]") {
  const ImportedRun run = only_run(
      "                    RDMA_Write Latency Test\n" + addresses +
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% "
      "percentile[usec]   99.9% percentile[usec]\n"
      "Conflicting CPU frequency values detected: 1500.000000 != 3100.000000. CPU Frequency is not max.\n"
      " 2       1000          4.70           13.20        4.83     \t       4.82        \t0.00   \t\t4.91    "
      "\t13.20\n");
  CHECK(run.accepted());
  REQUIRE(run.links.size() == 1);
  CHECK_THAT(run.links[0].latency->in(microsecond), WithinRel(4.83, 1e-12));
  CHECK(run.links[0].size == 2 * byte);
  CHECK(run.links[0].statistic == Statistic::median);
}

TEST_CASE("perftest: both ends on one adapter are a loopback and refused", "[import]") {
  const std::string table =
      " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n 65536 100 0.00 363.47 0.69\n";
  std::string same = addresses;
  same.replace(same.rfind(":10\n"), 4, ":12\n");
  CHECK(only_run("RDMA_Write BW Test\n" + same + table).refusal->reason == RefusalReason::loopback);
  CHECK(only_run("RDMA_Write BW Test\n local address: LID 0xd06 QPN 1\n remote address: LID 0xd06 QPN 2\n" + table)
            .refusal->reason == RefusalReason::loopback);
  CHECK(only_run("RDMA_Write BW Test\n local address: LID 0xd06 QPN 1\n remote address: LID 0xd07 QPN 2\n" + table)
            .accepted());
}

TEST_CASE("nvidia-smi topo: cells name the connection of each pair, colours or not", "[import]") {
  const std::string rows =
      "GPU0     X      NV18    PIX     0-47            0               N/A\n"
      "GPU1    NV18     X      SYS     0-47            0               N/A\n"
      "NIC0    PIX     SYS      X\n";
  const std::string header = GENERATE("        GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID\n",
                                      "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m\n");
  const ImportedRun run = only_run(header + rows);
  CHECK(run.accepted());
  CHECK(run.links.size() == 6);
  CHECK(link(run, "GPU0", "GPU1").kind == "NV18");
  CHECK(link(run, "NIC0", "GPU0").kind == "PIX");
  CHECK(run.remarks.empty());
  std::string broken = header + rows;
  broken.replace(broken.find("PIX "), 4, "SYS ");
  CHECK(only_run(broken).refusal->reason == RefusalReason::inconsistent);
}

TEST_CASE("rocm-smi and amd-smi: hops and link types join into one list of links", "[import]") {
  const std::string amd =
      "HOPS TABLE:\n             0000:0c:00.0 0000:22:00.0\n0000:0c:00.0 0            1\n0000:22:00.0 1            "
      "0\n\n"
      "LINK TYPE TABLE:\n             0000:0c:00.0 0000:22:00.0\n0000:0c:00.0 SELF         XGMI\n0000:22:00.0 XGMI     "
      " "
      "   SELF\n";
  const ImportedRun run = only_run(amd);
  CHECK(run.layout == "amd-smi");
  REQUIRE(run.links.size() == 2);
  CHECK(link(run, "0000:0c:00.0", "0000:22:00.0").kind == "XGMI");
  CHECK(link(run, "0000:0c:00.0", "0000:22:00.0").hops == 1);

  const ImportedRun rocm = only_run(
      "================================= Hops between two GPUs ==================================\n"
      "       GPU0         GPU1\nGPU0   0            3\nGPU1   3            0\n\n"
      "=============================== Link Type between two GPUs ===============================\n"
      "       GPU0         GPU1\nGPU0   0            PCIE\nGPU1   PCIE         0\n");
  CHECK(rocm.layout == "rocm-smi");
  CHECK(link(rocm, "GPU1", "GPU0").kind == "PCIE");
  CHECK(link(rocm, "GPU1", "GPU0").hops == 3);
}

TEST_CASE("one file may hold several tools", "[import]") {
  const ImportedFile file =
      import_log("        GPU0    GPU1    CPU Affinity\nGPU0     X      NV18    0-47\nGPU1    NV18     X      0-47\n" +
                     fixture::all_reduce(8) + nvbandwidth_text,
                 "node.log");
  REQUIRE(file.runs.size() == 4);
  CHECK(file.verdict() == ImportVerdict::accepted);
  CHECK(file.runs[0].tool == "nvidia-smi-topo");
  CHECK(file.runs[1].tool == "nccl-tests");
  CHECK(file.runs[2].tool == "nvbandwidth");
}

}  // namespace
}  // namespace railyard
