// SPDX-License-Identifier: Apache-2.0
// The shipped figures give back the published measurements they were derived from.
#include <algorithm>

#include "calibrate/profile/profile.h"
#include "tests/catch.h"

namespace {

using namespace railyard;

Profile shipped(const std::string& id) { return load_profile(RAILYARD_SOURCE_DIR "/calibrate/profiles", id); }

/// A ring inside one domain: base + steps x hop + what each link carries over its bandwidth.
Seconds ring_time(const CollectiveParameters& p, Collective collective, int ranks, Bytes bytes) {
  const int steps = (collective == Collective::all_reduce ? 2 : 1) * (ranks - 1);
  return p.base_latency.value.typical + static_cast<double>(steps) * p.scale_up_hop.value.typical +
         bus_bandwidth_factor(collective, ranks) * bytes / p.scale_up_ring.value.typical;
}

/// A ring over nodes of eight GPUs with a NIC each, all on one switch: 2 (n - 1) steps, 2 (N - 1) of them over the
/// network (NCCL's model, collectives-notes), limited by the domain or the NICs.
Seconds ring_over_nodes(const CollectiveParameters& p, int nodes, Bytes bytes) {
  const int ranks = 8 * nodes, network_steps = 2 * (nodes - 1), inner_steps = 2 * (ranks - 1) - network_steps;
  const Bandwidth nics = 8 * 50.0 * p.scale_out_efficiency.value.typical * gigabyte_per_second;
  return p.base_latency.value.typical + static_cast<double>(inner_steps) * p.scale_up_hop.value.typical +
         static_cast<double>(network_steps) * p.scale_out_hop.value.typical +
         bus_bandwidth_factor(Collective::all_reduce, ranks) * bytes / std::min(nics, p.scale_up_ring.value.typical);
}

struct Point {
  double mebibytes, microseconds;
};

TEST_CASE("h100-cuda: rings over eight GPUs take the times of the log", "[calibrate]") {
  // nccl-tests log 022, all_gather, NCCL 2.29.2.
  const Point point =
      GENERATE(Point{64, 205.21}, Point{128, 382.2}, Point{256, 721.26}, Point{512, 1389.46}, Point{1024, 2719.6});
  const Seconds time =
      ring_time(shipped("h100-cuda").collective("infiniband"), Collective::all_gather, 8, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.05));
}

TEST_CASE("h100-cuda: rings over ten nodes take the times of the log", "[calibrate]") {
  // nccl-tests log 021, all_reduce over 80 GPUs; its smaller sizes scatter more.
  const Point point = GENERATE(Point{128, 1250.59}, Point{256, 1888.93}, Point{512, 3327.27}, Point{1024, 6149.19});
  const Seconds time = ring_over_nodes(shipped("h100-cuda").collective("infiniband"), 10, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.08));
}

TEST_CASE("mi300x: rings over eight GPUs take the times of the log", "[calibrate]") {
  // rccl-tests log 089, all_reduce.
  const Point point = GENERATE(Point{16, 149.9}, Point{32, 246.3}, Point{64, 432.5}, Point{128, 800.3},
                               Point{256, 1540.4}, Point{1024, 5990.7});
  const std::string id = GENERATE(std::string("mi300x-rocm-vip"), std::string("mi300x-rocm-stable"));
  const Seconds time = ring_time(shipped(id).collective("roce"), Collective::all_reduce, 8, point.mebibytes * mebibyte);
  CHECK_THAT(time.in(microsecond), WithinRel(point.microseconds, 0.03));
}

TEST_CASE("mi300x: an all-reduce over RoCE takes twice the time of InfiniBand, as its rule says", "[calibrate]") {
  const Seconds infiniband = ring_over_nodes(shipped("h100-cuda").collective("infiniband"), 16, 64 * mebibyte);
  const Seconds roce = ring_over_nodes(shipped("mi300x-rocm-vip").collective("roce"), 16, 64 * mebibyte);
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
  const Laws laws(shipped("h100-cuda"), Speed::typical);
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
  const Laws laws(shipped("h100-cuda"), Speed::typical);
  const Flops work = 1e12 * flop;
  CHECK_THAT(1 / laws.attention_backward(work, row.sequence, 64).in(second), WithinRel(row.d64, 0.03));
  CHECK_THAT(1 / laws.attention_backward(work, row.sequence, 128).in(second), WithinRel(row.d128, 0.03));
}

}  // namespace
