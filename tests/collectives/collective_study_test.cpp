// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_study.h"

#include "base/diagnostic.h"
#include "tests/catch.h"

namespace railyard {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped(RAILYARD_SOURCE_DIR);
  return shipped;
}

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
  CHECK(time_collective(asked, catalogue()).rows.front().nodes == 2);
  asked.placement = RankPlacement::strided;
  asked.stride = 8;
  const CollectiveAnswer strided = time_collective(asked, catalogue());
  CHECK(strided.rows.front().nodes == 16);
  CHECK(strided.cluster == 128);
  asked.placement = RankPlacement::spread;
  asked.cluster = 1024;
  const CollectiveAnswer spread = time_collective(asked, catalogue());
  CHECK(spread.cluster == 1024);
  CHECK(spread.rows.front().nodes == 16);
  asked.cluster = 8;
  CHECK_THROWS_WITH(time_collective(asked, catalogue()), ContainsSubstring("16 ranks do not fit 8 GPUs"));
}

TEST_CASE("SHARP is off unless asked for, and then small messages over many nodes are faster", "[collectives]") {
  CollectiveQuestion asked = question(1024);
  const CollectiveAnswer without = time_collective(asked, catalogue());
  asked.enabled.sharp = true;
  const CollectiveAnswer with = time_collective(asked, catalogue());
  CHECK(without.rows[1].algorithm != with.rows[1].algorithm);
  CHECK(with.rows[1].time < without.rows[1].time);
}

TEST_CASE("a failed NIC of a rank is an error that names it, a failed spine is none", "[collectives]") {
  CollectiveQuestion asked = question(1024);
  const Seconds whole = time_collective(asked, catalogue()).rows.back().time;
  asked.failures = {"spine:#0"};
  CHECK(time_collective(asked, catalogue()).rows.back().time >= whole);
  asked.failures = {"spine:9999"};
  CHECK_THROWS_WITH(time_collective(asked, catalogue()), ContainsSubstring("--fail 'spine:9999'"));
  asked.failures = {"nic:#3"};
  CHECK_THROWS_AS(time_collective(asked, catalogue()), InputError);
}

TEST_CASE("hashed routing costs at most what its slowest seed says and never less than nothing", "[collectives]") {
  CollectiveQuestion asked = question(1024);
  const CollectiveAnswer sprayed = time_collective(asked, catalogue());
  asked.seeds = 5;
  const CollectiveAnswer hashed = time_collective(asked, catalogue());
  REQUIRE(hashed.slowdown);
  CHECK(hashed.slowdown->least >= 1 - 1e-9);
  CHECK(hashed.slowdown->most >= hashed.slowdown->median);
  for (std::size_t i = 0; i < sprayed.rows.size(); ++i) CHECK(hashed.rows[i].time >= sprayed.rows[i].time);
}

TEST_CASE("bus bandwidth is what nccl-tests would print", "[collectives]") {
  for (const CollectiveRow& row : time_collective(question(8), catalogue()).rows) {
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
