// SPDX-License-Identifier: Apache-2.0
#include "sim/study/failures.h"

#include <algorithm>

#include "sim/study/pipeline.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"
#include "topologies/names.h"

using namespace railyard;

namespace {

/// 1 024 H100 on Quantum-2: four pods of 32 nodes, 32 leaves (one a rail and pod), 16 spines, two links a pair.
const Fabric& rails() {
  static const Fabric fabric = wire_design(shipped().design("ndr-rail"), shipped(), "h100", 1024, 0).fabric;
  return fabric;
}

FailedFabric failed(const Fabric& fabric, const std::vector<std::string>& texts) {
  std::vector<Failure> failures;
  for (const std::string& text : texts) failures.push_back(parse_failure(text));
  return fail_parts(fabric, failures);
}

std::vector<std::string> names_of(const Fabric& fabric, DeviceKind kind) {
  const std::vector<std::string> names = device_names(fabric);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (fabric.devices()[i].kind == kind) list.push_back(names[i]);
  }
  return list;
}

}  // namespace

TEST_CASE("failures: so many parts are spread evenly, and the same text fails the same ones", "[study]") {
  const std::vector<std::string> spines = names_of(rails(), DeviceKind::spine);
  REQUIRE(spines.size() == 16);
  const FailedFabric four = failed(rails(), {"spine:4"});
  // Runs begin at 0, 4, 8, 12; multiples of 0.618 leave 0, 0.618, 0.236 and 0.854 of a run of four.
  CHECK(four.parts == std::vector<std::string>{spines[0], spines[6], spines[8], spines[15]});
  CHECK(four.fabric.count(Layer::leaf_spine) == 1024 - 4 * 64);
  CHECK(four.fabric.count(Layer::node_leaf) == 1024);
  CHECK(failed(rails(), {"spine:4"}).parts == four.parts);
}

TEST_CASE("failures: one part by place and by name, and a second failure takes from those that work", "[study]") {
  const std::vector<std::string> spines = names_of(rails(), DeviceKind::spine);
  CHECK(failed(rails(), {"spine:#7"}).parts == std::vector<std::string>{spines[7]});
  CHECK(failed(rails(), {spines[7]}).parts == std::vector<std::string>{spines[7]});
  // Of the fifteen left, the first is the second spine.
  CHECK(failed(rails(), {"spine:#0", "spine:1"}).parts == std::vector<std::string>{spines[0], spines[1]});
  CHECK(failed(rails(), {"spine:#0", "spine:#0"}).parts.size() == 1);
}

TEST_CASE("failures: links fail alone", "[study]") {
  const FailedFabric three = failed(rails(), {"leaf-spine:3"});
  CHECK(three.fabric.count(Layer::leaf_spine) == 1021);
  REQUIRE(three.parts.size() == 3);
  CHECK_THAT(three.parts[0], ContainsSubstring(" to "));
  CHECK(reach_of(rails(), three.fabric).cut_off.empty());
  const FailedFabric nics = failed(rails(), {"node-leaf:2"});
  const std::vector<int> gpus = reach_of(rails(), nics.fabric).cut_off;
  REQUIRE(gpus.size() == 2);
  CHECK(gpus[0] < 512);
  CHECK(gpus[1] >= 512);
}

// Three GPUs of 1 024: the NICs at 0, of run two after 0.618 of it, and of run three after 0.236.
TEST_CASE("failures: NICs fail by count and by the GPU they serve", "[study]") {
  CHECK(reach_of(rails(), failed(rails(), {"nic:#12"}).fabric).cut_off == std::vector<int>{12});
  CHECK(reach_of(rails(), failed(rails(), {"nic:3"}).fabric).cut_off == std::vector<int>{0, 551, 762});
  CHECK(failed(rails(), {"nic:1024"}).fabric.count(Layer::node_leaf) == 0);
  CHECK_THROWS_WITH(failed(rails(), {"nic:#1024"}), ContainsSubstring("from #0 to #1023"));
  // A GPU that has lost its NIC with its node is no second one.
  CHECK(reach_of(rails(), failed(rails(), {"node:#0", "nic:1"}).fabric).cut_off.size() == 9);
}

TEST_CASE("failures: bisection falls with the spines that are left", "[study]") {
  // Every leaf has two links to each of sixteen spines, so each spine carries a sixteenth of every cut.
  const double whole = bisection_bandwidth(rails()).in(byte / second);
  for (const int count : {1, 5, 12}) {
    const FailedFabric left = failed(rails(), {"spine:" + std::to_string(count)});
    CHECK_THAT(bisection_bandwidth(left.fabric).in(byte / second), WithinRel(whole * (16 - count) / 16, 1e-9));
  }
}

TEST_CASE("reach: a leaf cuts off its rail of its pod, a node its GPUs, a spine nobody", "[study]") {
  const std::vector<int> rail = reach_of(rails(), failed(rails(), {"leaf:#0"}).fabric).cut_off;
  REQUIRE(rail.size() == 32);
  CHECK(std::all_of(rail.begin(), rail.end(), [](int gpu) { return gpu < 256 && gpu % 8 == 0; }));
  CHECK(reach_of(rails(), failed(rails(), {"node:#2"}).fabric).cut_off ==
        std::vector<int>{16, 17, 18, 19, 20, 21, 22, 23});
  CHECK(reach_of(rails(), failed(rails(), {"spine:15"}).fabric).cut_off.empty());
}

TEST_CASE("reach: without spines every leaf is alone, and one of them counts as what is left", "[study]") {
  CHECK(reach_of(rails(), failed(rails(), {"spine:16"}).fabric).cut_off.size() == 1024 - 32);
}

TEST_CASE("reach: on two planes a leaf leaves its GPUs the other plane", "[study]") {
  const Design design = shipped().design("spectrum-x-dual-plane");
  const Fabric fabric =
      wire_design(design, shipped(), shipped().parts().server(design.servers.front()).gpu, 512, 0).fabric;
  REQUIRE(fabric.shape().planes == 2);
  const NetworkReach one = reach_of(fabric, failed(fabric, {"leaf:#0"}).fabric);
  CHECK(one.cut_off.empty());
  CHECK(one.degraded > 0);
  const NetworkReach all =
      reach_of(fabric, failed(fabric, {"leaf:" + std::to_string(fabric.count(DeviceKind::leaf))}).fabric);
  CHECK(all.cut_off.size() == 512);
  CHECK(all.degraded == 0);
}

TEST_CASE("failures: what cannot be read or is not there says what is", "[study]") {
  CHECK_THROWS_WITH(parse_failure("spin:3"),
                    ContainsSubstring("'spin' is no kind of part") && ContainsSubstring("spine"));
  CHECK_THROWS_WITH(parse_failure("spine:0"), ContainsSubstring("no number of parts"));
  CHECK_THROWS_WITH(parse_failure("spine:2.5"), ContainsSubstring("no number of parts"));
  CHECK_THROWS_WITH(parse_failure("spine:#-1"), ContainsSubstring("no number of parts"));
  CHECK_THROWS_WITH(failed(rails(), {"spine:17"}),
                    ContainsSubstring("has 16 of these") && ContainsSubstring("at most 16"));
  CHECK_THROWS_WITH(failed(rails(), {"spine:#16"}), ContainsSubstring("from #0 to #15"));
  CHECK_THROWS_WITH(failed(rails(), {"core:1"}), ContainsSubstring("has 0 of these"));
  std::string name = names_of(rails(), DeviceKind::spine)[3];
  name.back() = 'x';
  CHECK_THROWS_WITH(failed(rails(), {name}),
                    ContainsSubstring("no device has this name") && ContainsSubstring("did you mean"));
}
