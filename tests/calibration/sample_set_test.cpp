// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/sample_set.h"

#include "tests/calibration/ring_log.h"
#include "tests/catch.h"

namespace railyard {
namespace {

SampleSet set_of(const std::string& text) {
  const std::vector<ImportedFile> files{import_log(text, "a \"quoted\" log")};
  return sample_set("test", files);
}

TEST_CASE("samples: both placements of a collective are points of one size", "[calibration]") {
  const SampleSet set = set_of(fixture::all_reduce(8));
  REQUIRE(set.series.size() == 1);
  const MeasuredSeries& series = set.series[0];
  CHECK(series.title() == "all_reduce, 8 ranks, 1 node");
  REQUIRE(series.points.size() == 6);
  CHECK(series.points[0].label == series.points[1].label);
  CHECK(series.points[0].label == "33554432 B");
  // The fixture's first row takes 182.87 us; busbw is printed with two decimals.
  CHECK_THAT(series.time(series.points[0]).in(microsecond), WithinRel(182.87, 1e-4));
}

TEST_CASE("samples: what is written is read back, point by point", "[calibration]") {
  const std::string attention = R"({"rows": [
    {"backend": "X", "head_dim": 128, "seq": 4096, "causal": true, "fwd_tflops": 500.5, "bwd_tflops": 400}]})";
  const std::string kernels = R"({"rows": [{"mib": 64, "copy_GBps": 3000.5},
    {"dtype": "torch.bfloat16", "m": 8, "n": 16, "k": 32, "batch": 2, "ms": 1}]})";
  SampleSet set = set_of(fixture::all_reduce(8));
  for (const std::string& text : {attention, kernels}) {
    for (const MeasuredSeries& series : set_of(text).series) set.series.push_back(series);
  }
  set.like = "h100-cuda";
  const SampleSet again = read_samples(YamlDocument::parse(samples_yaml(set), "test.samples.yaml"));
  CHECK(again.name == "test");
  CHECK(again.like == "h100-cuda");
  REQUIRE(again.series.size() == 5);
  CHECK(again.series[1].operation == "attention backward d128 causal X");
  CHECK(again.series[1].head_dim() == 128);
  CHECK(again.series[3].operation == "gemm bf16");
  for (std::size_t i = 0; i < set.series.size(); ++i) {
    CHECK(again.series[i].title() == set.series[i].title());
    CHECK(again.series[i].file == "a \"quoted\" log");
    REQUIRE(again.series[i].points.size() == set.series[i].points.size());
    for (std::size_t p = 0; p < set.series[i].points.size(); ++p) {
      const MeasuredPoint &a = set.series[i].points[p], &b = again.series[i].points[p];
      CHECK(b.label == a.label);
      CHECK(b.size == a.size);
      CHECK(b.shape.batch == a.shape.batch);
      CHECK_THAT(b.rate, WithinRel(a.rate, 1e-5));  // six digits are written
    }
  }
}

TEST_CASE("samples: points that are none are told with what was expected", "[calibration]") {
  const auto read = [](const std::string& operation, const std::string& point) {
    return read_samples(YamlDocument::parse(
        "samples: x\nseries:\n  - {operation: " + operation + ", ranks: 8, points: [\"" + point + "\"]}\n", "x.yaml"));
  };
  CHECK(read("all_reduce", "1024 B 3 GB/s").series[0].points[0].size == 1024);
  for (const auto& [operation, point] :
       {std::pair{"all_reduce", "1024 B 3"}, std::pair{"all_reduce", "0 B 3 GB/s"},
        std::pair{"all_reduce", "1024 B -3 GB/s"}, std::pair{"gemm bf16", "8 x 8 3 TFLOP/s"},
        std::pair{"gemm bf16", "8 x 8 x 8 3 GB/s"}, std::pair{"attention forward d64", "x 3 TFLOP/s"}}) {
    INFO(operation << ": " << point);
    CHECK_THROWS_WITH(read(operation, point), ContainsSubstring("is no sample of"));
  }
}

TEST_CASE("do_bench: attention by backend and collectives by operation are runs of their own", "[calibration]") {
  const ImportedFile file = import_log(R"({"meta": {"software": "median"}, "rows": [
    {"op": "all_reduce", "bytes": 1000000, "us": 10, "busbw": 150},
    {"op": "all_reduce", "bytes": 4000000, "us": 20, "busbw": 300},
    {"op": "sendrecv", "bytes": 4000000, "us": 20, "busbw": 200},
    {"op": "all_gather", "bytes": 4000000, "us": 20, "busbw": 160},
    {"backend": "A", "head_dim": 64, "seq": 128, "causal": false, "fwd_tflops": 100},
    {"backend": "B", "head_dim": 64, "seq": 128, "causal": true, "fwd_tflops": 120}]})",
                                       "x.json");
  REQUIRE(file.runs.size() == 5);
  for (const ImportedRun& run : file.runs) {
    INFO(run.operation);
    if (run.operation == "all_reduce") {
      CHECK(run.ranks == 4);  // busbw/algbw 1.5 = 2 x 3/4
    } else if (run.operation == "sendrecv") {
      CHECK(run.ranks == 5);  // whose busbw tells nothing: the most of the others
    } else if (run.operation == "all_gather") {
      CHECK(run.ranks == 5);  // 0.8 = 4/5
    } else {
      CHECK(run.attention.size() == 1);
      CHECK(run.attention[0].statistic == Statistic::median);
    }
    CHECK(run.accepted());
  }
  const ImportedFile alone =
      import_log(R"({"rows": [{"op": "sendrecv", "bytes": 4000000, "us": 20, "busbw": 200}]})", "x.json");
  CHECK(alone.runs[0].refusal->reason == RefusalReason::ranks_unknown);
  const ImportedFile mixed = import_log(R"({"rows": [{"op": "all_reduce", "bytes": 1000000, "us": 10, "busbw": 150},
    {"op": "all_reduce", "bytes": 1000000, "us": 10, "busbw": 170}]})",
                                        "x.json");
  CHECK(mixed.runs[0].refusal->reason == RefusalReason::ranks_unknown);
}

TEST_CASE("samples: a log that was copied counts once, a repeat of it twice", "[calibration]") {
  const auto set_of = [](const std::vector<std::string>& logs) {
    std::vector<ImportedFile> files;
    for (std::size_t i = 0; i < logs.size(); ++i) files.push_back(import_log(logs[i], fmt::format("log{}", i)));
    return sample_set("x", files);
  };
  SampleSet copied = set_of({fixture::ring_log(8), fixture::ring_log(8)});
  const std::vector<std::string> told = drop_copies(copied);
  CHECK(copied.series.size() == 1);
  REQUIRE(told.size() == 1);
  CHECK(told[0] == "all_reduce, 8 ranks, 1 node of log1 stands in log0 to the last digit");
  SampleSet repeated = set_of({fixture::ring_log(8), fixture::ring_log(8, 350, 1.02), fixture::ring_log(4)});
  CHECK(drop_copies(repeated).empty());
  CHECK(repeated.series.size() == 3);
}

TEST_CASE("samples: operand types as the tools of both vendors call them", "[calibration]") {
  // hipblaslt-bench, rocblas-bench, PyTorch and nccl-tests names.
  for (const auto& [type, precision] :
       {std::pair{"fp16_r", "fp16"}, std::pair{"f16_r", "fp16"}, std::pair{"torch.float16", "fp16"},
        std::pair{"bf16_r", "bf16"}, std::pair{"torch.bfloat16", "bf16"}, std::pair{"f8_r", "fp8"},
        std::pair{"bf8_r", "fp8"}, std::pair{"torch.float8_e4m3fn", "fp8"}, std::pair{"e5m2", "fp8"},
        std::pair{"f32_r", "f32_r"}, std::pair{"i8_r", "i8_r"}}) {
    ImportedFile file{.name = "log"};
    ImportedRun run;
    GemmSample sample;
    sample.type = type;
    sample.m = sample.n = sample.k = 8;
    sample.rate = 1e12 * flop / second;
    run.gemms.push_back(sample);
    file.runs.push_back(run);
    CHECK(sample_set("x", std::span(&file, 1)).series.at(0).operation == "gemm " + std::string(precision));
  }
}

TEST_CASE("samples: a series without points is none", "[calibration]") {
  CHECK_THROWS_WITH(
      read_samples(YamlDocument::parse("samples: x\nseries:\n  - {operation: gemm bf16, points: []}\n", "x.yaml")),
      ContainsSubstring("points"));
}

}  // namespace
}  // namespace railyard
