// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_study.h"

#include "base/diagnostic.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

namespace railyard {
namespace {

CollectiveQuestion question(int gpus) {
  CollectiveQuestion asked;
  asked.design = "ndr-rail";
  asked.gpu = "h100";
  asked.profile = "h100-cuda";
  asked.gpus = gpus;
  asked.sizes = {8 * byte, mebibyte, gibibyte};
  return asked;
}

TEST_CASE("ranks stand where the placement says, on nodes that are wired", "[collectives]") {
  CollectiveQuestion asked = question(16);
  CHECK(time_collective(asked, shipped()).rows.front().nodes == 2);
  asked.placement = RankPlacement::strided;
  asked.stride = 8;
  const CollectiveAnswer strided = time_collective(asked, shipped());
  CHECK(strided.rows.front().nodes == 16);
  CHECK(strided.cluster == 128);
  asked.placement = RankPlacement::spread;
  asked.cluster = 1024;
  const CollectiveAnswer spread = time_collective(asked, shipped());
  CHECK(spread.cluster == 1024);
  CHECK(spread.rows.front().nodes == 16);
  asked.cluster = 8;
  CHECK_THROWS_WITH(time_collective(asked, shipped()), ContainsSubstring("16 ranks do not fit 8 GPUs"));
}

TEST_CASE("SHARP is off unless asked for, and then small messages over many nodes are faster", "[collectives]") {
  CollectiveQuestion asked = question(1024);
  const CollectiveAnswer without = time_collective(asked, shipped());
  asked.enabled.sharp = true;
  const CollectiveAnswer with = time_collective(asked, shipped());
  CHECK(without.rows[1].algorithm != with.rows[1].algorithm);
  CHECK(with.rows[1].time < without.rows[1].time);
}

TEST_CASE("a failed NIC of a rank is an error that names it, a failed spine is none", "[collectives]") {
  CollectiveQuestion asked = question(1024);
  const Seconds whole = time_collective(asked, shipped()).rows.back().time;
  asked.failures = {"spine:#0"};
  CHECK(time_collective(asked, shipped()).rows.back().time >= whole);
  asked.failures = {"spine:9999"};
  CHECK_THROWS_WITH(time_collective(asked, shipped()), ContainsSubstring("--fail 'spine:9999'"));
  asked.failures = {"nic:#3"};
  CHECK_THROWS_AS(time_collective(asked, shipped()), InputError);
}

TEST_CASE("hashed routing costs at most what its slowest seed says and never less than nothing", "[collectives]") {
  CollectiveQuestion asked = question(1024);
  const CollectiveAnswer sprayed = time_collective(asked, shipped());
  asked.seeds = 5;
  const CollectiveAnswer hashed = time_collective(asked, shipped());
  REQUIRE_FALSE(hashed.slowdowns.empty());
  for (const HashedSlowdown& slowdown : hashed.slowdowns) {
    CHECK(to_string(slowdown.traffic) == "trees");  // what NCCL takes for all three sizes here
    CHECK(slowdown.least >= 1 - 1e-9);
    CHECK(slowdown.most >= slowdown.median);
  }
  for (std::size_t i = 0; i < sprayed.rows.size(); ++i) CHECK(hashed.rows[i].time >= sprayed.rows[i].time);
}

TEST_CASE("hashed routes are those of the operation's own traffic", "[collectives]") {
  CollectiveQuestion asked = question(256);
  asked.seeds = 3;
  const auto [collective, traffic] =
      GENERATE(std::pair(Collective::all_gather, "rings"), std::pair(Collective::all_to_all, "pairs"),
               std::pair(Collective::broadcast, "pipeline"), std::pair(Collective::send_receive, "neighbours"));
  asked.collective = collective;
  const CollectiveAnswer answer = time_collective(asked, shipped());
  REQUIRE(answer.slowdowns.size() == 1);
  CHECK(to_string(answer.slowdowns.front().traffic) == traffic);
}

TEST_CASE("64 of the 72 GPUs of each rack run as measured over the edge of the domain", "[collectives]") {
  // GB200, 400 Gb/s NICs, 8 GiB: 622.9 GB/s over 64 GPUs of one rack, 89.7 over 128 of two (logs 044 and 045); racks of
  // 72 are used 64 at a time so that jobs of powers of two divide. Filled rack by rack 128 GPUs fall into 72 and 56.
  CollectiveQuestion asked;
  asked.design = "nvl72-spectrum-x";
  asked.gpu = "gb200";
  asked.collective = Collective::all_to_all;
  asked.sizes = {8 * gibibyte};
  asked.placement = RankPlacement::by_domain;
  asked.stride = 64;
  const auto bandwidth = [&](int gpus) {
    asked.gpus = gpus;
    return time_collective(asked, shipped()).rows.front().bus_bandwidth().in(gigabyte_per_second);
  };
  CHECK_THAT(bandwidth(64), WithinRel(622.9, 0.1));
  const double even = bandwidth(128);
  CHECK_THAT(even, WithinRel(89.7, 0.1));
  asked.placement = RankPlacement::contiguous;
  CHECK(bandwidth(128) > 0.8 * even);
  asked.placement = RankPlacement::by_domain;
  asked.stride = 73;
  CHECK_THROWS_WITH(bandwidth(128), ContainsSubstring("72 at most"));
}

TEST_CASE("placements that reach beyond what can be wired are refused", "[collectives]") {
  CollectiveQuestion asked = question(64);
  asked.placement = RankPlacement::strided;
  asked.stride = 16000;
  CHECK_THROWS_WITH(time_collective(asked, shipped()), ContainsSubstring("131072"));
}

TEST_CASE("bus bandwidth is what nccl-tests would print", "[collectives]") {
  for (const CollectiveRow& row : time_collective(question(8), shipped()).rows) {
    CHECK(row.bus_bandwidth() == 1.75 * row.algorithm_bandwidth());
    CHECK(row.algorithm_bandwidth() * row.time == row.bytes);
  }
}

TEST_CASE("sizes double from 1 KiB to 16 GiB", "[collectives]") {
  CHECK(usual_sizes().size() == 25);
  CHECK(usual_sizes().back() == 16 * gibibyte);
}

}  // namespace
}  // namespace railyard
