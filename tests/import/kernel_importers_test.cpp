// SPDX-License-Identifier: Apache-2.0
// Tools that measure one GPU: GEMM rates and memory bandwidth. Samples of our own writing.
#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"
#include "tests/import/only_run.h"

namespace railyard {
namespace {

TEST_CASE("hipblaslt-bench: columns are found by name in every version", "[import]") {
  // 2 x 3584 x 2048 x 3584 = 52.61 GFLOP; in 88.97 us that is 591 TFLOP/s.
  const std::string device = "hipBLASLt version: 1000\nDevice ID 0 : AMD Instinct MI350X gfx950:sramecc+:xnack-\n";
  const ImportedRun run = only_run(
      device +
      "[0]:transA,transB,grouped_gemm,batch_count,m,n,k,alpha,lda,a_type,b_type,c_type,d_type,compute_type,flush,"
      "hipblaslt-Gflops,hipblaslt-GB/s,us\n"
      "    N,N,0,1,3584,2048,3584,1,3584,bf16_r,bf16_r,bf16_r,f32_r,f32_r,1,591344,576.241,88.9724\n"
      "    --Solution index: 300662\n");
  CHECK(run.accepted());
  CHECK(run.gpu == "AMD Instinct MI350X gfx950:sramecc+:xnack-");
  REQUIRE(run.gemms.size() == 1);
  CHECK(run.gemms[0].m == 3584);
  CHECK(run.gemms[0].n == 2048);
  CHECK(run.gemms[0].k == 3584);
  CHECK(run.gemms[0].type == "bf16_r");
  CHECK_THAT(run.gemms[0].rate.in(teraflop_per_second), WithinRel(591.344, 1e-12));
  CHECK_THAT(run.gemms[0].time->in(microsecond), WithinRel(88.9724, 1e-12));
}

TEST_CASE("rocblas-bench: the type comes from the command line or the run is refused", "[import]") {
  const std::string table =
      "transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us\nN,T,4000,4000,4000,1,4000,0,4000,4000, 97190.6, "
      "1317\n";
  CHECK(only_run(table).refusal->reason == RefusalReason::type_unknown);
  const ImportedRun run = only_run("+ ./rocblas-bench -f gemm -r f32_r -m 4000 -n 4000 -k 4000\n" + table);
  CHECK(run.accepted());
  CHECK(run.gemms[0].type == "f32_r");
}

TEST_CASE("GEMM: a batch counts, and a rate that its time contradicts is refused", "[import]") {
  const std::string header =
      "rocblas-bench -f gemm_strided_batched_ex --a_type bf16_r\n"
      "transA,transB,M,N,K,alpha,lda,batch_count,rocblas-Gflops,us\n";
  // 5 x 2 x 1024 x 2048 x 512 FLOP in 67.2 us are 159.78 TFLOP/s.
  const ImportedRun run = only_run(header + "N,T,1024,2048,512,1,1024,5, 159783, 67.2\n");
  CHECK(run.accepted());
  CHECK(run.gemms[0].batch == 5);
  CHECK(only_run(header + "N,T,1024,2048,512,1,1024,1, 159783, 67.2\n").refusal->reason == RefusalReason::inconsistent);
}

TEST_CASE("mamf-finder: medians of shapes are samples, a lone best is refused", "[import]") {
  const std::string head =
      "** Dtype: torch.bfloat16\n_CudaDeviceProperties(name='NVIDIA H100 80GB HBM3', major=9)\ntorch=2.7.0\n";
  const ImportedRun search =
      only_run(head + "    1 | 681.1(mean)  690.7(median)  724.8(max) @ 1024x5120x2048       | best: 681.1(mean)\r" +
               "    2 | 700.1(mean)  700.7(median)  734.8(max) @ 2048x5120x2048       | best: 700.1(mean)\n");
  CHECK(search.accepted());
  CHECK(search.gpu == "NVIDIA H100 80GB HBM3");
  REQUIRE(search.gemms.size() == 2);
  CHECK(search.gemms[0].m == 1024);
  CHECK(search.gemms[1].rate == 700.7 * teraflop_per_second);
  CHECK(search.gemms[1].statistic == Statistic::median);

  const ImportedRun steady =
      only_run(head +
               "MAMF (max achievable,  boost burst): 812.3 TFLOPS @ 2048x2048x13312\n"
               "MSMF (max sustainable, saturated):   691.2 TFLOPS @ 4096x8192x8192\nLegend: TFLOPS = 10**12 FLOPS\n");
  REQUIRE(steady.gemms.size() == 1);
  CHECK(steady.accepted());
  CHECK(steady.gemms[0].rate == 691.2 * teraflop_per_second);
  CHECK(steady.gemms[0].statistic == Statistic::mean);

  const ImportedRun best =
      only_run(head + "The best outcome was 821.0TFLOPS @ 11264x19712x1536 (MxNxK) (tried 493039 shapes)\n");
  CHECK(best.refusal->reason == RefusalReason::best_of_few);
  CHECK_THAT(best.refusal->sentence, ContainsSubstring("493039"));
  CHECK(best.gemms[0].rate == 821.0 * teraflop_per_second);
}

const std::string stream =
    "BabelStream\nVersion: 5.0\nImplementation: CUDA\nRunning kernels 100 times\nPrecision: double\n"
    "Array size: 268.4 MB (=0.3 GB)\nTotal size: 805.3 MB (=0.8 GB)\nUsing CUDA device NVIDIA H200\nDriver: 13000\n"
    "Function    MBytes/sec  Min (sec)   Max         Average     \n"
    "Copy        4000000.000 0.00013422  0.00014     0.00013     \n"
    "Triad       4100000.000 0.00019641  0.00021     0.00020     \n";

TEST_CASE("BabelStream: the printed rate is the best one, and the mean time is kept", "[import]") {
  const ImportedRun run = only_run(stream);
  CHECK(run.accepted());
  CHECK(run.gpu == "NVIDIA H200");
  CHECK(run.iterations == 100);
  REQUIRE(run.memory.size() == 2);
  CHECK(run.memory[0].kernel == "Copy");
  CHECK_THAT(run.memory[0].bandwidth.in(gigabyte_per_second), WithinRel(4000, 1e-12));
  CHECK_THAT(run.memory[0].traffic.in(byte), WithinRel(536.8e6, 1e-12));
  CHECK_THAT(run.memory[1].traffic.in(byte), WithinRel(805.2e6, 1e-12));
  CHECK(run.memory[1].mean_time == 0.0002 * second);
  CHECK(run.memory[1].statistic == Statistic::best);
}

TEST_CASE("BabelStream: the best of few repetitions and figures that move no arrays are refused", "[import]") {
  std::string few = stream, wrong = stream;
  few.replace(few.find("100 times"), 9, "5 times");
  CHECK(only_run(few).refusal->reason == RefusalReason::best_of_few);
  wrong.replace(wrong.find("4000000"), 7, "5000000");
  CHECK(only_run(wrong).refusal->reason == RefusalReason::inconsistent);
}

TEST_CASE("BabelStream: its CSV gives the same", "[import]") {
  const ImportedRun run = only_run(
      "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime\n"
      "Copy,100,33554432,8,4000000,0.000134218,0.00014,0.00013\n");
  CHECK(run.accepted());
  CHECK(run.memory[0].traffic == 536870912 * byte);
  CHECK_THAT(run.memory[0].bandwidth.in(gigabyte_per_second), WithinRel(4000, 1e-12));
}

TEST_CASE("do_bench: records with m, n, k are GEMMs whose rate must fit their time", "[import]") {
  // 2 x 8192^3 FLOP in 1.5 ms are 733.0 TFLOP/s.
  const std::string good = R"({"meta": {"device": "NVIDIA H200", "software": "Triton do_bench, median"}, "rows": [
 {"dtype": "bf16", "m": 8192, "n": 8192, "k": 8192, "ms": 1.5, "tflops": 733.0},
 {"dtype": "bf16", "M": 8192, "N": 8192, "K": 8192, "ms": [1.5, 1.4, 1.6]},
 {"op": "rms_norm", "us": 3}]})";
  const ImportedRun run = only_run(good);
  CHECK(run.accepted());
  REQUIRE(run.gemms.size() == 2);
  CHECK(run.gemms[0].rate == 733.0 * teraflop_per_second);
  CHECK(run.gemms[0].statistic == Statistic::median);
  CHECK_THAT(run.gemms[1].rate.in(teraflop_per_second), WithinRel(2 * 8192.0 * 8192 * 8192 / 1.5e9, 1e-12));
  CHECK_THAT(run.remarks[0].sentence, ContainsSubstring("1 records"));
  std::string bad = good;
  bad.replace(bad.find("733.0"), 5, "833.0");
  CHECK(only_run(bad).refusal->reason == RefusalReason::inconsistent);
  // Cut short: the first record is whole.
  CHECK(only_run(good.substr(0, good.find(", \"N\": 8192"))).gemms.size() == 1);
}

TEST_CASE("do_bench: records of memory kernels", "[import]") {
  const ImportedRun run = only_run(R"({"rows": [{"mib": 64, "copy_GBps": 3000.5, "add_GBps": 3100}]})");
  REQUIRE(run.memory.size() == 2);
  CHECK(run.memory[0].kernel == "copy");
  CHECK(run.memory[0].traffic == 2 * 64 * mebibyte);
  CHECK(run.memory[1].traffic == 3 * 64 * mebibyte);
  const ImportedRun timed = only_run(R"([{"kernel": "copy", "bytes": 3000000, "us": 1.0}])");
  CHECK_THAT(timed.memory[0].bandwidth.in(gigabyte_per_second), WithinRel(3000, 1e-12));
}

TEST_CASE("nccl-tests JSON: figures, devices and truncation", "[import]") {
  const auto result = [](long size, double time) {
    const double algorithm = static_cast<double>(size) / time / 1e3;
    const std::string group = "{\"time\":" + std::to_string(time) + ",\"alg_bw\":" + std::to_string(algorithm) +
                              ",\"bus_bw\":" + std::to_string(algorithm) + ",\"nwrong\":0.000000}";
    return "{\"size\":" + std::to_string(size) + ",\"count\":" + std::to_string(size / 4) +
           ",\"type\":\"float\",\"redop\":\"sum\",\"root\":\"    -1\",\"out_of_place\":" + group +
           ",\"in_place\":" + group + "}";
  };
  const auto device = [](int rank) {
    return "{\"rank\":" + std::to_string(rank) + ",\"hostname\":\"node0" + std::to_string(rank) +
           "\",\"device\":0,\"device_hex\":\"0000:1b:00\",\"device_info\":\"NVIDIA H100\"}";
  };
  const std::string text =
      "{\"version\":3,\"args\":[\"./build/all_reduce_perf\"],\"env\":[\"SECRET=1\"],\"config\":{"
      "\"nthreads\":1,\"ngpus\":1,\"iterations\":20,\"devices\":[" +
      device(0) + "," + device(1) + "]},\"results\":[" + result(33554432, 837.47) + "," + result(67108864, 1581.1) +
      "],\"out_of_bounds\":{\"count\":0,\"okay\":\"true\"}}";
  const ImportedRun run = only_run(text);
  CHECK(run.accepted());
  CHECK(run.layout == "json-3");
  CHECK(run.operation == "all_reduce");
  CHECK(run.ranks == 2);
  CHECK(run.nodes == 2);
  CHECK(run.gpu == "NVIDIA H100");
  REQUIRE(run.collectives.size() == 4);
  CHECK_THAT(run.collectives[3].time.in(microsecond), WithinRel(1581.1, 1e-9));
  const ImportedRun cut = only_run(text.substr(0, text.find("\"size\":67108864") + 40));
  CHECK(cut.collectives.size() == 2);
  CHECK_THAT(cut.remarks[0].sentence, ContainsSubstring("cut short"));
  std::string failed = text;
  failed.replace(failed.find("\"okay\":\"true\""), 13, "\"okay\":\"false\"");
  CHECK(only_run(failed).refusal->reason == RefusalReason::wrong_results);
}

}  // namespace
}  // namespace railyard
