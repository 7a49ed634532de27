// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/profile.h"
#include "tests/catch.h"

namespace {

using namespace railyard;

TEST_CASE("bus bandwidth: factors are those of nccl-tests", "[calibrate]") {
  // doc/PERFORMANCE.md of nccl-tests: all_reduce 2(n-1)/n; all_gather, reduce_scatter, alltoall (n-1)/n; others 1.
  const int ranks = GENERATE(2, 8, 72, 16384);
  const double n = ranks;
  CHECK_THAT(bus_bandwidth_factor(Collective::all_reduce, ranks), WithinRel(2 * (n - 1) / n, 1e-15));
  CHECK_THAT(bus_bandwidth_factor(Collective::all_gather, ranks), WithinRel((n - 1) / n, 1e-15));
  CHECK_THAT(bus_bandwidth_factor(Collective::reduce_scatter, ranks), WithinRel((n - 1) / n, 1e-15));
  CHECK_THAT(bus_bandwidth_factor(Collective::all_to_all, ranks), WithinRel((n - 1) / n, 1e-15));
  CHECK(bus_bandwidth_factor(Collective::broadcast, ranks) == 1);
  CHECK(bus_bandwidth_factor(Collective::send_receive, ranks) == 1);
}

TEST_CASE("bus bandwidth: published rows have the factor between their two columns", "[calibrate]") {
  struct Row {
    Collective collective;
    int ranks;
    double algorithm, bus;  // GB/s
  };
  // nccl-tests and rccl-tests logs of the shared set: H100 x 80 (021), H100 x 8 (022), MI300X x 8 (089).
  const Row row =
      GENERATE(Row{Collective::all_reduce, 80, 174.62, 344.87}, Row{Collective::all_gather, 8, 413.55, 361.86},
               Row{Collective::reduce_scatter, 8, 416.87, 364.76}, Row{Collective::all_reduce, 8, 180.40, 315.69});
  // Both columns are printed with two decimals.
  CHECK_THAT(row.algorithm * bus_bandwidth_factor(row.collective, row.ranks), WithinAbs(row.bus, 0.02));
}

TEST_CASE("bus bandwidth: one rank moves nothing in a collective of a ring", "[calibrate]") {
  CHECK(bus_bandwidth_factor(Collective::all_reduce, 1) == 0);
  CHECK(bus_bandwidth_factor(Collective::all_to_all, 1) == 0);
}

TEST_CASE("collectives: names are those of the logs", "[calibrate]") {
  CHECK(to_string(Collective::all_reduce) == "all_reduce");
  CHECK(to_string(Collective::send_receive) == "send_receive");
}

}  // namespace
