// SPDX-License-Identifier: Apache-2.0
// Laws that every schedule keeps, whatever the design, size, site and prices.
#include <map>
#include <random>
#include <set>

#include "tests/catch.h"
#include "tests/floor/fixture.h"

namespace railyard {
namespace {

/// Random prices, the same for the same part within a seed.
PartCost random_costs(unsigned seed) {
  return [seed](std::string_view part, std::optional<Metres> length) -> std::optional<double> {
    std::mt19937 generator(seed + static_cast<unsigned>(std::hash<std::string_view>{}(part)));
    const double base = std::uniform_real_distribution<double>(1, 1000)(generator);
    return length ? base + 3 * length->in(metre) : base;
  };
}

/// What a person would check cable by cable.
void check_laws(const test::PlannedCluster& cluster, const CableSchedule& schedule) {
  const Fabric& fabric = cluster.fabric;
  const Cabling cabling(cluster.design, cluster.parts, cluster.server);
  const CableRoutes routes(cluster.plan);
  std::vector<int> carried(fabric.links().size());
  std::map<std::pair<DeviceId, int>, std::set<const ModulePart*>> modules;
  std::map<std::pair<DeviceId, int>, std::set<std::uint32_t>> copper;
  for (std::uint32_t i = 0; i < schedule.cables().size(); ++i) {
    const Cable& cable = schedule.cables()[i];
    const CableChoice& choice = schedule.choice_of(cable);
    REQUIRE(cable.links >= 1);
    REQUIRE(cable.links <= choice.cable->links);
    Metres longest;
    for (const LinkId id : schedule.links_of(cable)) {
      const Link& link = fabric.link(id);
      ++carried[static_cast<std::size_t>(id)];
      REQUIRE(schedule.cable_of(id) == i);
      REQUIRE(link.layer == choice.layer);
      longest = std::max(longest, routes.route(link.lower, link.upper).length);
      for (const bool lower : {true, false}) {
        const DeviceId device = lower ? link.lower : link.upper;
        const int port = lower ? link.lower_port : link.upper_port;
        const std::pair cage{device, port / cabling.ports_per_cage(fabric.device(device).kind)};
        modules[cage].insert(lower ? choice.lower_module : choice.upper_module);
        if (!choice.cable->needs_modules) copper[cage].insert(i);
      }
    }
    REQUIRE(cable.routed == longest);
    REQUIRE(choice.stock >= cable.routed);
    REQUIRE(choice.stock <= choice.cable->reach);
    REQUIRE((choice.lower_module != nullptr) == choice.cable->needs_modules);
    REQUIRE((choice.upper_module != nullptr) == choice.cable->needs_modules);
    for (const ModulePart* module : {choice.lower_module, choice.upper_module}) {
      if (module == nullptr) continue;
      REQUIRE(choice.stock <= module->reach);
      REQUIRE(module->medium == choice.cable->medium);
    }
  }
  for (const int times : carried) REQUIRE(times == 1);                    // each link in exactly one cable
  for (const auto& [cage, kinds] : modules) REQUIRE(kinds.size() == 1);   // one kind of module a cage, or copper alone
  for (const auto& [cage, cables] : copper) REQUIRE(cables.size() == 1);  // one plug a cage
}

/// Module ports of the bill = optical ends: one module for each cage in use.
void check_bill(const test::PlannedCluster& cluster, const CableSchedule& schedule) {
  const Cabling cabling(cluster.design, cluster.parts, cluster.server);
  std::map<std::string, std::set<std::pair<DeviceId, int>>> cages;
  for (const Cable& cable : schedule.cables()) {
    const CableChoice& choice = schedule.choice_of(cable);
    for (const LinkId id : schedule.links_of(cable)) {
      const Link& link = cluster.fabric.link(id);
      const auto use = [&](const ModulePart* module, DeviceId device, int port) {
        if (module == nullptr) return;
        cages[module->id].emplace(device, port / cabling.ports_per_cage(cluster.fabric.device(device).kind));
      };
      use(choice.lower_module, link.lower, link.lower_port);
      use(choice.upper_module, link.upper, link.upper_port);
    }
  }
  const BillOfMaterials bill =
      list_parts(cluster.fabric, cluster.design, cluster.parts, cluster.server, cluster.fabric.shape().nodes, schedule);
  std::map<std::string, int> modules;
  int cables = 0;
  for (const BomLine& line : bill.lines) {
    if (!line.back_end) continue;
    if (line.category == BomCategory::module) modules[line.part] += line.quantity;
    if (line.category != BomCategory::cable) continue;
    cables += line.quantity;
    CHECK(line.length > Metres{});
  }
  CHECK(cables == static_cast<int>(schedule.cables().size()));
  CHECK(bill.counts.cables == cables);
  REQUIRE(modules.size() == cages.size());
  for (const auto& [part, used] : cages) CHECK(modules[part] == static_cast<int>(used.size()));
}

TEST_CASE("schedule: laws of random clusters, sites and prices", "[floor]") {
  struct Kind {
    std::string_view design, server;
    int per_node;
  };
  const std::vector<Kind> kinds{{"ndr-rail", "hgx-h100", 8},
                                {"ndr-rail", "dgx-h100", 8},
                                {"roce-51t-rail", "mi300x-server", 8},
                                {"roce-25t-rail", "mi300x-server", 8},
                                {"spectrum-x-dual-plane", "hgx-b300-2x400g", 8},
                                {"hdr-rail", "hgx-a100", 8},
                                {"xdr-rail", "gb300-tray", 4},
                                {"ndr-rail", "gb200-tray", 4}};
  std::mt19937 generator(20261201);
  for (int round = 0; round < 24; ++round) {
    const Kind& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    const int nodes = std::uniform_int_distribution<int>(1, 400)(generator);
    Site site = test::shipped_site(kind.per_node == 4 ? "liquid-135kw" : round % 3 == 0 ? "air-15kw" : "air-40kw");
    site.leaves = round % 2 == 0 ? LeafPlace::own_racks : LeafPlace::node_racks;
    site.network = std::array{NetworkPlace::row_middle, NetworkPlace::row_end,
                              NetworkPlace::own_rows}[static_cast<std::size_t>(round) % 3];
    site.compute_rows_per_network_row = 1 + round % 5;
    site.hall.cross_trays_every = 1 + round % 7;
    const Design design =
        test::PlannedCluster::with_ufm(test::shipped_design(kind.design), kind.design == "ndr-rail" && round % 4 == 0 &&
                                                                              nodes % 32 < 28 && nodes % 32 > 0);
    CAPTURE(kind.design, kind.server, nodes, round);
    if (kind.server == "hgx-b300-2x400g") site.rack.power.value = {60 * kilowatt, 60 * kilowatt, 60 * kilowatt};
    const test::PlannedCluster cluster(design, kind.server, site, nodes * kind.per_node);
    const CableSchedule schedule = cluster.schedule(random_costs(static_cast<unsigned>(round)));
    check_laws(cluster, schedule);
    check_bill(cluster, schedule);
  }
}

// The cost of a group of links under the media chosen is never above that under the design's own: with the whole
// network it is what a buyer pays for cables and modules.
TEST_CASE("schedule: alternatives never make a network dearer", "[floor]") {
  const auto paid = [](const test::PlannedCluster& cluster, const PartCost& cost) {
    const CableSchedule schedule = cluster.schedule(cost);
    const BillOfMaterials bill = list_parts(cluster.fabric, cluster.design, cluster.parts, cluster.server, 1, schedule);
    double sum = 0;
    for (const BomLine& line : bill.lines) {
      if (line.category == BomCategory::module && line.back_end) sum += line.quantity * *cost(line.part, std::nullopt);
      if (line.category == BomCategory::cable && line.back_end) sum += line.quantity * *cost(line.part, line.length);
    }
    return sum;
  };
  for (unsigned seed = 0; seed < 8; ++seed) {
    const test::PlannedCluster with("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 1024);
    Design plain = with.design;
    for (LayerMedia& media : plain.media) media.alternatives.clear();
    const test::PlannedCluster without(plain, "hgx-h100", with.site, 1024);
    CAPTURE(seed);
    CHECK(paid(with, random_costs(seed)) <= paid(without, random_costs(seed)) * (1 + 1e-12));
  }
}

TEST_CASE("schedule: bins and bundles hold every cable once", "[floor]") {
  const test::PlannedCluster cluster("ndr-rail", "hgx-h100", test::shipped_site("air-40kw"), 2048);
  const CableSchedule schedule = cluster.schedule(random_costs(3));
  int binned = 0, bundled = 0;
  for (const CableBin& bin : cable_bins(schedule)) {
    binned += bin.cables;
    CHECK(bin.shortest <= bin.longest);
    CHECK(bin.longest <= bin.stock);
  }
  for (const CableBundle& bundle : cable_bundles(schedule, cluster.fabric, cluster.plan)) bundled += bundle.cables;
  CHECK(binned == static_cast<int>(schedule.cables().size()));
  CHECK(bundled == binned);
}

}  // namespace
}  // namespace railyard
