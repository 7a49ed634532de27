// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/topologies/fixture.h"

using namespace railyard;
using namespace railyard::test;

namespace {

double in_ports(Bandwidth bandwidth) { return bandwidth.in(400 * gigabit_per_second); }

std::vector<DeviceId> devices_of(const Fabric& fabric, DeviceKind kind) {
  std::vector<DeviceId> ids;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    if (fabric.devices()[i].kind == kind) ids.push_back(DeviceId{static_cast<std::uint32_t>(i)});
  }
  return ids;
}

}  // namespace

TEST_CASE("bisection: a whole non-blocking fabric carries half of its GPUs at full speed", "[topologies]") {
  const auto [radix, rails, gpus] = GENERATE(std::tuple{8, 2, 8}, std::tuple{8, 2, 32}, std::tuple{8, 2, 128},
                                             std::tuple{8, 4, 96}, std::tuple{16, 4, 512}, std::tuple{64, 8, 16384});
  CAPTURE(radix, rails, gpus);
  CHECK(in_ports(bisection_bandwidth(TinyCluster(radix, rails, rails).build(gpus))) == gpus / 2);
}

// Two tiers at 2:1: half of the leaves have half as many uplinks as node ports, so a quarter of the GPUs' ports cross.
TEST_CASE("bisection: oversubscription divides it", "[topologies]") {
  TinyCluster tiny(16, 4, 4);
  tiny.design.oversubscription = 2;
  CHECK(in_ports(bisection_bandwidth(tiny.build(128))) == 32);
}

TEST_CASE("bisection: halves of one pod meet on its leaves", "[topologies]") {
  const Fabric fabric = TinyCluster(16, 4, 4).build(32);  // 8 nodes, one pod, two tiers
  CHECK(fabric.shape().pods == 1);
  CHECK(in_ports(bisection_bandwidth(fabric)) == 16);
}

TEST_CASE("bisection: a link or a spine less carries less", "[topologies]") {
  const Fabric fabric = TinyCluster(8, 2, 2).build(32);  // 4 pods of 4 nodes, 8 leaves with 4 uplinks, 4 spines
  const double whole = in_ports(bisection_bandwidth(fabric));
  REQUIRE(whole == 16);
  CHECK(in_ports(bisection_bandwidth(fabric.without(std::vector{fabric.nic_link(0)}))) == whole - 1);
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    const LinkId link{static_cast<std::uint32_t>(i)};
    if (fabric.link(link).layer != Layer::leaf_spine) continue;
    CHECK(in_ports(bisection_bandwidth(fabric.without(std::vector{link}))) == whole - 1);
  }
  std::vector<DeviceId> gone;
  for (const DeviceId spine : devices_of(fabric, DeviceKind::spine)) {  // each carries 4 of the 16
    gone.push_back(spine);
    CHECK(in_ports(bisection_bandwidth(fabric.without_devices(gone))) == whole - 4 * static_cast<double>(gone.size()));
  }
}

TEST_CASE("bisection: a core less carries less", "[topologies]") {
  const Fabric fabric = TinyCluster(4, 2, 2).build(16);  // k^3/4 GPUs: 8 leaves, 8 spines, 4 cores
  REQUIRE(in_ports(bisection_bandwidth(fabric)) == 8);
  const std::vector<DeviceId> cores = devices_of(fabric, DeviceKind::core);
  REQUIRE(cores.size() == 4);
  CHECK(in_ports(bisection_bandwidth(fabric.without_devices(std::vector{cores[1]}))) == 6);
}

TEST_CASE("bisection: management ends carry nothing", "[topologies]") {
  TinyCluster tiny(8, 4, 4);
  tiny.design.ufm = true;
  CHECK(in_ports(bisection_bandwidth(tiny.build(24))) == 8);  // pods of 4 and 2 nodes: the smaller one's 8 ports
}
