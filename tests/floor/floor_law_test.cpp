// SPDX-License-Identifier: Apache-2.0
// Laws that every floor plan keeps.
#include <random>
#include <set>

#include "tests/catch.h"
#include "tests/floor/fixture.h"
#include "topologies/rack_packing.h"

namespace railyard {
namespace {

/// Every device stands once, boxes do not overlap, no limit is passed, and sums are those of the boxes.
void check_plan(const test::PlannedCluster& cluster) {
  const RackLimits& limits = cluster.site.rack;
  const BoxCatalogue boxes = box_catalogue(cluster.design, cluster.parts, cluster.server, cluster.site);
  std::set<DeviceId> placed;
  std::set<std::pair<int, int>> places;
  std::set<std::string> names;
  for (const Rack& rack : cluster.plan.racks()) {
    CHECK(places.emplace(rack.row, rack.place).second);
    CHECK(names.insert(rack.name).second);
    CHECK(rack.place < cluster.site.hall.places);
    REQUIRE(rack.power.in(watt) <= limits.power.value.low.in(watt) * (1 + 1e-9));
    REQUIRE(rack.weight.in(kilogram) <= limits.weight.value.low.in(kilogram) * (1 + 1e-9));
    int next = 1, used = 0;
    Watts power;
    for (const RackSlot& slot : rack.slots) {
      REQUIRE(slot.bottom >= next);
      next = slot.bottom + slot.height;
      used += slot.height;
      if (slot.device == RackSlot::no_device) continue;
      REQUIRE(placed.insert(slot.device).second);
      const DevicePlace& at = cluster.plan.place(slot.device);
      REQUIRE(&cluster.plan.racks()[at.rack] == &rack);
      REQUIRE(at.bottom == slot.bottom);
      power += boxes.of(cluster.fabric.device(slot.device).kind).power;
    }
    REQUIRE(next - 1 <= rack.units - limits.reserved_units);
    CHECK(used == rack.used_units);
    CHECK(power.in(watt) <= rack.power.in(watt) * (1 + 1e-9));
  }
  CHECK(placed.size() == cluster.fabric.devices().size());
}

TEST_CASE("floor plan: laws of random clusters and limits", "[floor]") {
  std::mt19937 generator(7);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
  for (int round = 0; round < 40; ++round) {
    Site site = test::round_site();
    const double kilowatts = between(12, 90);
    site.rack.power.value = {kilowatts * kilowatt, kilowatts * kilowatt, kilowatts * kilowatt};
    const double kilograms = between(160, 1500);
    site.rack.weight.value = {kilograms * kilogram, kilograms * kilogram, kilograms * kilogram};
    site.rack.units = between(20, 52);
    site.hall.places = between(3, 24);
    site.leaves = round % 2 == 0 ? LeafPlace::own_racks : LeafPlace::node_racks;
    site.network = std::array{NetworkPlace::row_middle, NetworkPlace::row_end,
                              NetworkPlace::own_rows}[static_cast<std::size_t>(round) % 3];
    site.network_places = between(1, 2);
    site.compute_rows_per_network_row = between(1, 6);
    site.pods_per_leaf_rack = between(1, 4);
    const int nodes = between(1, 300);
    CAPTURE(round, nodes, kilowatts, kilograms, site.rack.units, site.hall.places);
    const test::PlannedCluster cluster(round % 4 < 2 ? "ndr-rail" : "roce-51t-rail", "hgx-h100", site, nodes * 8);
    check_plan(cluster);
  }
}

TEST_CASE("floor plan: laws of racks as bought", "[floor]") {
  for (const int nodes : {1, 17, 18, 19, 72, 144, 577}) {
    CAPTURE(nodes);
    const test::PlannedCluster cluster("ndr-rail", "gb200-tray", test::shipped_site("liquid-135kw"), nodes * 4);
    check_plan(cluster);
    CHECK(cluster.plan.count(RackKind::compute) == (nodes + 17) / 18);
  }
}

// Ten trays above the nine NVLink switch trays, eight below; four power shelves at the floor.
TEST_CASE("floor plan: trays of an NVL72 rack stand around its switch trays", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "gb200-tray", test::shipped_site("liquid-135kw"), 72);
  const DevicePlace &low = cluster.plan.place(cluster.fabric.node(7)),
                    &high = cluster.plan.place(cluster.fabric.node(8));
  CHECK(cluster.plan.place(cluster.fabric.node(0)).bottom == 5);
  CHECK(low.bottom == 12);
  CHECK(high.bottom == 22);
  CHECK(cluster.plan.place(cluster.fabric.node(17)).bottom == 31);
  CHECK(cluster.plan.rack_of(cluster.fabric.node(0)).limit == RackLimit::whole_rack);
}

/// Racks of pods before `pods`, with what stands in them.
std::vector<std::string> racks_of(const test::PlannedCluster& cluster, int pods) {
  std::vector<std::string> lines;
  for (const Rack& rack : cluster.plan.racks()) {
    if (rack.kind == RackKind::network || rack.pod >= pods) continue;
    std::string line = rack.name;
    for (const RackSlot& slot : rack.slots) {
      line += " " + std::to_string(slot.bottom) + ":";
      if (slot.device == RackSlot::no_device) {
        line += slot.part;
      } else {
        const Device& device = cluster.fabric.device(slot.device);
        line += std::to_string(static_cast<int>(device.kind)) + "." + std::to_string(device.index);
      }
    }
    lines.push_back(line);
  }
  return lines;
}

// Also across the step from two to three tiers (8 pods of 32 nodes).
TEST_CASE("floor plan: racks of pods keep names, places and contents when whole pods are added", "[floor]") {
  for (const NetworkPlace place : {NetworkPlace::row_middle, NetworkPlace::row_end, NetworkPlace::own_rows}) {
    for (const LeafPlace leaves : {LeafPlace::own_racks, LeafPlace::node_racks}) {
      Site site = test::shipped_site("air-40kw");
      site.network = place;
      site.leaves = leaves;
      site.compute_rows_per_network_row = 3;
      const test::PlannedCluster large("ndr-rail", "hgx-h100", site, 20 * 256);
      for (const int pods : {2, 3, 5, 8, 9, 13}) {
        const test::PlannedCluster small("ndr-rail", "hgx-h100", site, pods * 256);
        CAPTURE(pods);
        CHECK(racks_of(small, pods) == racks_of(large, pods));
      }
    }
  }
}

TEST_CASE("floor plan: spines of the first group stay where they are when the cluster grows", "[floor]") {
  const test::PlannedCluster small("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 12 * 256);
  const test::PlannedCluster large("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 40 * 256);
  const auto spines = [](const test::PlannedCluster& cluster) {
    std::vector<std::pair<std::string, int>> places;
    for (std::uint32_t i = 0; i < cluster.fabric.devices().size(); ++i) {
      const Device& device = cluster.fabric.devices()[i];
      if (device.kind != DeviceKind::spine || device.group > 0) continue;
      places.emplace_back(cluster.plan.rack_of(DeviceId{i}).name, cluster.plan.place(DeviceId{i}).bottom);
    }
    return places;
  };
  CHECK(spines(small) == spines(large));
}

TEST_CASE("floor plan: the same input gives the same plan", "[floor]") {
  const auto plan = [] {
    return test::PlannedCluster("roce-51t-rail", "mi300x-server", test::shipped_site("air-40kw"), 4096);
  };
  CHECK(racks_of(plan(), 1 << 20) == racks_of(plan(), 1 << 20));
}

}  // namespace
}  // namespace railyard
