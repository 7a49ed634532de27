// SPDX-License-Identifier: Apache-2.0
// The shipped figures give back the published measurements they were derived from.
#include "calibrate/profile/collective_law.h"
#include "tests/calibrate/shipped_profile.h"
#include "tests/catch.h"

namespace {

using namespace railyard;

/// The library's choice over nodes of eight GPUs with a 400 Gb/s NIC each, all on one switch.
Seconds library_time(const CollectiveParameters& p, bool mesh, Collective collective, int nodes, Bytes bytes) {
  const CollectiveSpeeds speeds(p, Speed::typical, mesh);
  const auto costs = collective_costs(collective, even_paths(8 * nodes, nodes, 8, 50e9, speeds), speeds, {});
  const double size = bytes.in(byte);
  return library_choice(costs, size, *speeds.library).time(size) * second;
}

struct Point {
  double mebibytes, microseconds;
};

TEST_CASE("h100-cuda: rings over eight GPUs take the times of the log", "[calibrate]") {
  // nccl-tests log 022, all_gather, NCCL 2.29.2. The figures are fitted to ten sources, of which this is one: 8 %.
  const Point point =
      GENERATE(Point{64, 205.21}, Point{128, 382.2}, Point{256, 721.26}, Point{512, 1389.46}, Point{1024, 2719.6});
  const Seconds time = library_time(shipped_profile("h100-cuda").collective("infiniband"), false,
                                    Collective::all_gather, 1, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.08));
}

TEST_CASE("h100-cuda: NVLS over eight GPUs takes the times of the log", "[calibrate]") {
  // nccl-tests log 022, all_reduce.
  const Point point = GENERATE(Point{64, 313.66}, Point{256, 1081.14}, Point{1024, 4000.82}, Point{16384, 62340.7});
  const Seconds time = library_time(shipped_profile("h100-cuda").collective("infiniband"), false,
                                    Collective::all_reduce, 1, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.05));
}

TEST_CASE("h100-cuda: all-reduces over ten nodes take the times of the log", "[calibrate]") {
  // nccl-tests log 021, 80 GPUs; its smaller sizes scatter more.
  const Point point = GENERATE(Point{128, 1250.59}, Point{256, 1888.93}, Point{512, 3327.27}, Point{1024, 6149.19});
  const Seconds time = library_time(shipped_profile("h100-cuda").collective("infiniband"), false,
                                    Collective::all_reduce, 10, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.1));
}

TEST_CASE("mi300x: rings over eight GPUs take the times of the log", "[calibrate]") {
  // rccl-tests log 089, all_reduce.
  const Point point = GENERATE(Point{16, 149.9}, Point{32, 246.3}, Point{64, 432.5}, Point{128, 800.3},
                               Point{256, 1540.4}, Point{1024, 5990.7});
  const std::string id = GENERATE(std::string("mi300x-rocm-vip"), std::string("mi300x-rocm-stable"));
  const Seconds time =
      library_time(shipped_profile(id).collective("roce"), true, Collective::all_reduce, 1, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.07));
}

TEST_CASE("mi300x: an all-reduce over RoCE takes twice the time of InfiniBand, as its rule says", "[calibrate]") {
  const Seconds infiniband = library_time(shipped_profile("h100-cuda").collective("infiniband"), false,
                                          Collective::all_reduce, 16, 64 * mebibyte);
  const Seconds roce = library_time(shipped_profile("mi300x-rocm-vip").collective("roce"), true, Collective::all_reduce,
                                    16, 64 * mebibyte);
  CHECK_THAT(roce / infiniband, WithinRel(2.0, 0.02));
}

TEST_CASE("h100-cuda: causal attention runs at the published rates of cuDNN 9", "[calibrate]") {
  struct Row {
    std::int64_t sequence;
    double d64, d128;  // TFLOP/s, forward
  };
  // FlashAttention-3 paper, figure 5, cuDNN curves, causal.
  const Row row = GENERATE(Row{512, 225, 315}, Row{1024, 288, 410}, Row{2048, 334, 484}, Row{4096, 363, 518},
                           Row{8192, 379, 529}, Row{16384, 388, 539});
  const Laws laws(shipped_profile("h100-cuda"), Speed::typical);
  const Flops work = 1e12 * flop;
  CHECK_THAT(1 / laws.attention_forward(work, row.sequence, 64).in(second), WithinRel(row.d64, 0.01));
  CHECK_THAT(1 / laws.attention_forward(work, row.sequence, 128).in(second), WithinRel(row.d128, 0.03));
}

TEST_CASE("h100-cuda: causal attention backward runs at the rates measured on the same die", "[calibrate]") {
  struct Row {
    std::int64_t sequence;
    double d64, d128;  // TFLOP/s, backward
  };
  // validation/h200/attention.json, cuDNN, causal.
  const Row row = GENERATE(Row{1024, 249, 321}, Row{2048, 326, 401}, Row{4096, 375, 460}, Row{8192, 406, 491},
                           Row{16384, 430, 524});
  const Laws laws(shipped_profile("h100-cuda"), Speed::typical);
  const Flops work = 1e12 * flop;
  CHECK_THAT(1 / laws.attention_backward(work, row.sequence, 64).in(second), WithinRel(row.d64, 0.03));
  CHECK_THAT(1 / laws.attention_backward(work, row.sequence, 128).in(second), WithinRel(row.d128, 0.03));
}

}  // namespace
